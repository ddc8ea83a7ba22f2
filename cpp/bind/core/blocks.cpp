#include "perceptag/core/blocks.hpp"

#include <stdexcept>

#include "core/arrays.hpp"
#include "perceptag/core/edge_bounds.hpp"
#include "perceptag/core/limits.hpp"
#include "perceptag/core/span_labels.hpp"

namespace perceptag {
namespace {

int checked(int block) {
    if (block < 0 || block >= kBlocks) throw nb::index_error();
    return block;
}

}  // namespace

void bind_blocks(nb::module_& m) {
    nb::exception<LimitExceeded>(m, "LimitExceeded", PyExc_ValueError);
    m.attr("BLOCKS") = kBlocks;
    m.attr("SPAN_BLOCK") = kSpanBlock;
    m.attr("LONGEST_SPAN") = kLongestSpan;
    m.attr("FEW_LABELS") = kFewEdgeLabels;
    m.def(
        "is_plain", [](int block) { return is_plain(checked(block)); }, "block"_a,
        "Whether the weights of a block are those of transitions, which look at nothing but labels.");
    m.def(
        "order_of", [](int block) { return order_of(checked(block)); }, "block"_a,
        "How many labels before the current one the weights of a block look at.");
    m.def(
        "plain_block",
        [](int order) {
            if (order < 1 || order >= kOrders) throw nb::index_error();
            return plain_block(order);
        },
        "order"_a, "The block of the transitions of an order.");
    m.def(
        "combinations",
        [](int order, int labels) {
            if (order < 0 || order >= kOrders) throw nb::index_error();
            require_labels(order, labels);
            return combinations(order, labels);
        },
        "order"_a, "labels"_a, "How many combinations of labels features of an order are crossed with.");
    m.def(
        "label_codes",
        [](Array2<std::int32_t> ids, int labels) {
            const int order = to_int32(ids.shape(0)) - 1;
            if (order < 0 || order >= kOrders) throw std::invalid_argument("expected one, two or three labels each");
            const std::size_t n = ids.shape(1);
            if (n > 0) require_labels(order, labels);
            std::vector<std::uint32_t> codes(n);
            for (std::size_t i = 0; i < n; ++i) {
                std::int32_t some[kOrders];
                for (int k = 0; k <= order; ++k) {
                    some[k] = ids.data()[k * n + i];
                    if (some[k] < 0 || some[k] > labels - (k == order))
                        throw std::invalid_argument("a label is out of range");
                }
                codes[i] = label_code(some, order, order, labels);
            }
            return to_numpy(std::move(codes));
        },
        "ids"_a.noconvert(), "labels"_a,
        "The numbers of combinations of labels: ids [order + 1, n] has the earliest label first, as `Weights.owners`.");
}

}  // namespace perceptag

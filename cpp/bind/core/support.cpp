#include "perceptag/core/support.hpp"

#include <nanobind/stl/pair.h>

#include <stdexcept>

#include "core/arrays.hpp"
#include "core/checks.hpp"
#include "core/vectors.hpp"

namespace perceptag {
namespace {

using Codes = Array1<std::uint32_t>;

void check_order(int order, int least) {
    if (order < least || order >= kOrders)
        throw std::invalid_argument("order: expected 0, 1 or 2, and 1 or 2 for labels");
}

void check_rows(const Corpus& corpus, int order, std::size_t rows) {
    for (const Sequence& x : corpus.sequences)
        for (const std::int32_t row : x.rows[order])
            if (!is_index(row, rows)) throw std::invalid_argument("the corpus was encoded for another feature index");
}

void check_index(const Support& support, int order, const FeatureIndex& index) {
    check_order(order, 0);
    if (std::cmp_not_equal(index.rows(order), support.rows()))
        throw std::invalid_argument("the support belongs to another feature index");
}

Support checked(std::span<const std::uint32_t> begin, std::span<const std::uint32_t> codes,
                std::span<const std::uint32_t> counts) {
    if (begin.empty() || begin.front() != 0 || begin.back() != codes.size() || codes.size() != counts.size())
        throw std::invalid_argument("the rows do not cover the counts");
    for (std::size_t r = 0; r + 1 < begin.size(); ++r) {
        if (begin[r] > begin[r + 1] || begin[r + 1] > codes.size()) throw std::invalid_argument("rows overlap");
        for (std::size_t i = begin[r] + 1; i < begin[r + 1]; ++i)
            if (codes[i] <= codes[i - 1]) throw std::invalid_argument("the labels of a row are not sorted");
    }
    return {{begin.begin(), begin.end()}, {codes.begin(), codes.end()}, {counts.begin(), counts.end()}};
}

void check_targets(const Support& support, std::span<const std::int32_t> to, std::size_t rows) {
    if (to.size() != support.rows()) throw std::invalid_argument("expected a number for each row");
    std::vector<bool> taken(rows);
    for (const std::int32_t row : to) {
        if (!is_index(row, rows) || taken[row]) throw std::invalid_argument("a row is out of range or there twice");
        taken[row] = true;
    }
}

void bind_class(nb::module_& m) {
    nb::class_<Support>(m, "Support", "Which combinations of labels go with each feature, and how often.")
        .def(
            "join",
            [](const Support& self, Array1<std::int32_t> rows, Array1<std::uint32_t> codes, std::uint32_t count) {
                if (rows.shape(0) != codes.shape(0)) throw std::invalid_argument("expected a code for each row");
                for (const std::int32_t row : view(rows))
                    if (!is_index(row, self.rows())) throw std::invalid_argument("a row is out of range");
                return join_support(self, view(rows), view(codes), count);
            },
            "rows"_a.noconvert(), "codes"_a.noconvert(), "count"_a,
            "This support and some combinations of labels besides, which count as seen so often at least.")
        .def(
            "__init__",
            [](Support* self, Codes begin, Codes codes, Codes counts) {
                new (self) Support(checked(view(begin), view(codes), view(counts)));
            },
            "begin"_a.noconvert(), "codes"_a.noconvert(), "counts"_a.noconvert(), "From its three arrays.")
        .def(
            "composed",
            [](const Support& self, std::size_t count, Codes begin, Codes parts) {
                const LabelParts composed(begin.shape(0) ? begin.shape(0) - 1 : 0, count, view(begin), view(parts));
                for (const std::uint32_t code : self.codes)
                    if (code >= begin.shape(0) - 1) throw std::invalid_argument("a label is out of range");
                const nb::gil_scoped_release unlocked;
                return compose_support(self, composed);
            },
            "count"_a, "begin"_a.noconvert(), "parts"_a.noconvert(),
            "This support where labels have parts, as `Weights.compose` takes them.")
        .def(
            "moved",
            [](const Support& self, Array1<std::int32_t> to, std::size_t rows) {
                check_targets(self, view(to), rows);
                const nb::gil_scoped_release unlocked;
                return move_support(self, view(to), rows);
            },
            "to"_a.noconvert(), "rows"_a, "The same with other numbers of rows: row r becomes to[r].")
        .def_prop_ro(
            "begin", [](const Support& self) { return to_numpy(std::vector(self.begin)); }, nb::rv_policy::automatic)
        .def_prop_ro(
            "codes", [](const Support& self) { return to_numpy(std::vector(self.codes)); }, nb::rv_policy::automatic)
        .def_prop_ro(
            "counts", [](const Support& self) { return to_numpy(std::vector(self.counts)); }, nb::rv_policy::automatic);
}

}  // namespace

void bind_support(nb::module_& m) {
    bind_class(m);
    m.def(
        "count_support",
        [](const Corpus& corpus, int order, std::size_t rows, int labels, int threads) {
            check_order(order, 0);
            check_gold(corpus, labels);
            check_rows(corpus, order, rows);
            const nb::gil_scoped_release unlocked;
            return count_support(corpus, order, rows, labels, threads);
        },
        "corpus"_a, "order"_a, "rows"_a, "labels"_a, "threads"_a = 1);
    m.def(
        "apply_cutoff",
        [](const Support& support, std::uint32_t cutoff, bool whole_rows, int order, FeatureIndex& index,
           Corpus& corpus, int threads) {
            check_index(support, order, index);
            check_rows(corpus, order, support.rows());
            const nb::gil_scoped_release unlocked;
            return apply_cutoff(support, cutoff, whole_rows, order, index, corpus, threads);
        },
        "support"_a, "cutoff"_a, "whole_rows"_a, "order"_a, "index"_a, "corpus"_a, "threads"_a = 1);
    m.def(
        "sum_support",
        [](const std::vector<const Support*>& parts) {
            for (const Support* part : parts)
                if (!part) throw std::invalid_argument("expected supports, found None");
            const nb::gil_scoped_release unlocked;
            return sum_support(parts);
        },
        "parts"_a, "The counts of several parts of the data, in the rows of the same index.");
    m.def(
        "cut_features",
        [](const Support& support, std::uint32_t cutoff, bool whole_rows, int order, FeatureIndex& index) {
            check_index(support, order, index);
            std::pair<Support, std::vector<std::int32_t>> found;
            {
                const nb::gil_scoped_release unlocked;
                found = cut_features(support, cutoff, whole_rows, order, index, 1);
            }
            return std::pair(std::move(found.first), to_numpy(std::move(found.second)));
        },
        "support"_a, "cutoff"_a, "whole_rows"_a, "order"_a, "index"_a,
        "As `apply_cutoff`, without a corpus. Also returns the new number of each row, or -1.");
    m.def(
        "count_transitions",
        [](const Corpus& corpus, int order, int labels) {
            check_order(order, 1);
            require_labels(order, labels);
            check_gold(corpus, labels);
            return to_numpy(count_transitions(corpus, order, labels));
        },
        "corpus"_a, "order"_a, "labels"_a, "How often each combination of labels occurs.");
    m.def(
        "unseen_transitions",
        [](const Corpus& corpus, int order, int labels, std::uint32_t cutoff) {
            check_order(order, 1);
            check_gold(corpus, labels);
            return to_numpy(unseen_transitions(corpus, order, labels, cutoff));
        },
        "corpus"_a, "order"_a, "labels"_a, "cutoff"_a);
}

}  // namespace perceptag

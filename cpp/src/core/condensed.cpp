#include <limits>

#include "perceptag/core/limits.hpp"
#include "perceptag/core/weights.hpp"

// Weights without the zeros of dense and lined rows: with many labels, most weights of a feature never leave zero.

namespace perceptag {
namespace {

// `w` and `sum` are those of the label `first`; null: there are no sums.
void add_moved(const float* w, const double* sum, std::size_t first, std::size_t end, Block& to) {
    for (std::size_t i = 0; i < end - first; ++i) {
        if (w[i] == 0 && !(sum && sum[i] != 0)) continue;
        to.slots.push_back({static_cast<std::uint32_t>(first + i), w[i]});
        if (sum) to.sum.push_back(sum[i]);
    }
}

Block condensed(const Block& from) {
    Block to;
    to.rows = from.rows;
    to.width = from.width;
    to.dense = false;
    to.begin.assign(1, 0);
    for (std::size_t row = 0; row < from.rows; ++row) {
        const std::size_t start = row * from.width;
        if (from.is_lined())
            from.lines.for_each_line(row, [&](std::size_t first, std::size_t end, const float* w, const double* sum) {
                add_moved(w, sum, first, end, to);
            });
        else
            add_moved(from.w.data() + start, from.sum.empty() ? nullptr : from.sum.data() + start, 0, from.width, to);
        if (to.slots.size() > std::numeric_limits<std::uint32_t>::max())
            throw LimitExceeded("more than 2^32 weights that are not zero");
        to.begin.push_back(static_cast<std::uint32_t>(to.slots.size()));
    }
    return to;
}

}  // namespace

Weights Weights::condensed() const {
    Weights result(L_, false, false);
    for (int b = 0; b < kBlocks; ++b) {
        const Block& from = blocks_[b];
        const bool is_condensed = !is_plain(b) && (from.dense || from.is_lined()) && from.rows;
        result.blocks_[b] = is_condensed ? perceptag::condensed(from) : from;
    }
    result.tick_ = tick_;
    result.last_ = last_;
    result.preferred_ = preferred_;
    result.all_pairs = all_pairs;
    return result;
}

}  // namespace perceptag

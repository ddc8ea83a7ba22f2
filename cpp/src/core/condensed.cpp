#include <limits>

#include "perceptag/core/limits.hpp"
#include "perceptag/core/weights.hpp"

// Weights without the zeros of dense rows: with many labels, most weights of a feature never leave zero.

namespace perceptag {
namespace {

void add_moved(const Block& from, std::size_t row, std::size_t first, std::size_t end, Block& to) {
    for (std::size_t i = row * from.width + first; i < row * from.width + end; ++i) {
        if (from.w[i] == 0 && from.sum[i] == 0) continue;
        to.slots.push_back({static_cast<std::uint32_t>(i - row * from.width), from.w[i]});
        to.sum.push_back(from.sum[i]);
    }
}

Block condensed(const Block& from, const MovedLines& lines) {
    Block to;
    to.rows = from.rows;
    to.width = from.width;
    to.dense = false;
    to.begin.assign(1, 0);
    for (std::size_t row = 0; row < from.rows; ++row) {
        if (lines.is_ready())
            lines.for_each_line(row, [&](std::size_t first, std::size_t end) { add_moved(from, row, first, end, to); });
        else
            add_moved(from, row, 0, from.width, to);
        if (to.slots.size() > std::numeric_limits<std::uint32_t>::max())
            throw LimitExceeded("more than 2^32 weights that are not zero");
        to.begin.push_back(static_cast<std::uint32_t>(to.slots.size()));
    }
    return to;
}

}  // namespace

Weights Weights::condensed() const {
    require_sums();
    Weights result(L_, false, false);
    for (int b = 0; b < kBlocks; ++b) {
        const bool is_condensed = !is_plain(b) && blocks_[b].dense && blocks_[b].rows;
        result.blocks_[b] =
            is_condensed ? perceptag::condensed(blocks_[b], b == 0 ? lines_ : MovedLines{}) : blocks_[b];
    }
    result.tick_ = tick_;
    result.last_ = last_;
    result.preferred_ = preferred_;
    result.all_pairs = all_pairs;
    return result;
}

}  // namespace perceptag

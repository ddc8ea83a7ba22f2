#include <algorithm>
#include <limits>

#include "perceptag/core/dispatch.hpp"
#include "perceptag/core/limits.hpp"
#include "perceptag/core/weights.hpp"

// Weights without the zeros of dense rows: with many labels, most weights of a feature never leave zero.

namespace perceptag {
namespace {

// Writes the codes of a row whose weight or sum is not zero.
PERCEPTAG_CLONES void find_moved(const float* w, const double* sum, std::size_t width,
                                 std::vector<std::uint32_t>& codes) {
    for (std::size_t first = 0; first < width; first += kLanes) {
        const std::size_t end = first + kLanes < width ? first + kLanes : width;
        bool any = false;
        for (std::size_t i = first; i < end; ++i) any |= (w[i] != 0) | (sum[i] != 0);
        for (std::size_t i = first; any && i < end; ++i)
            if (w[i] != 0 || sum[i] != 0) codes.push_back(static_cast<std::uint32_t>(i));
    }
}

Block condensed(const Block& from) {
    Block to;
    to.rows = from.rows;
    to.width = from.width;
    to.dense = false;
    to.begin.assign(1, 0);
    std::vector<std::uint32_t> codes;
    for (std::size_t row = 0; row < from.rows; ++row) {
        codes.clear();
        const std::size_t first = row * from.width;
        find_moved(from.w.data() + first, from.sum.data() + first, from.width, codes);
        for (const std::uint32_t code : codes) {
            to.slots.push_back({code, from.w[first + code]});
            to.sum.push_back(from.sum[first + code]);
        }
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
        result.blocks_[b] = is_condensed ? perceptag::condensed(blocks_[b]) : blocks_[b];
    }
    result.tick_ = tick_;
    result.last_ = last_;
    result.preferred_ = preferred_;
    result.all_pairs = all_pairs;
    return result;
}

}  // namespace perceptag

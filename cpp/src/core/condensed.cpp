#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>

#include "perceptag/core/dispatch.hpp"
#include "perceptag/core/integers.hpp"
#include "perceptag/core/limits.hpp"
#include "perceptag/core/parallel.hpp"
#include "perceptag/core/weights.hpp"

// Weights without the zeros of dense and lined rows: with many labels, most weights of a feature never leave zero.

namespace perceptag {
namespace {

constexpr std::size_t kPieces = 4;  // for each thread, so that none waits long for the others
constexpr std::size_t kMost = std::numeric_limits<std::uint32_t>::max();
constexpr const char* kTooMany = "more than 2^32 weights that are not zero";

// Whether all bits of a row of weights, and of their sums if there are any, are zero: nothing in it has ever moved.
PERCEPTAG_CLONES bool is_untouched(const float* w, const double* sum, std::size_t n) {
    std::uint32_t bits = 0;
    for (std::size_t i = 0; i < n; ++i) bits |= std::bit_cast<std::uint32_t>(w[i]);
    if (bits || !sum) return !bits;
    std::uint64_t wide = 0;
    for (std::size_t i = 0; i < n; ++i) wide |= std::bit_cast<std::uint64_t>(sum[i]);
    return !wide;
}

bool is_untouched(const Block& block, std::size_t row) {
    const std::size_t first = row * block.width;
    const double* sum = block.sum.empty() ? nullptr : block.sum.data() + first;
    return block.is_dense() && is_untouched(block.w.data() + first, sum, block.width);
}

// Some rows of a block without their zeros. Places in `begin` count from the first of them.
Block condensed_rows(const Block& from, std::size_t first, std::size_t last) {
    Block to;
    for (std::size_t row = first; row < last; ++row) {
        const auto add = [&](const Block::Entry& one) {
            if (one.w == 0 && !(one.sum && *one.sum != 0)) return;
            to.slots.push_back({one.code, one.w});
            if (one.sum) to.sum.push_back(*one.sum);
        };
        if (!is_untouched(from, row)) from.for_each(row, add);
        if (to.slots.size() > kMost) throw LimitExceeded(kTooMany);
        to.begin.push_back(to_uint32(to.slots.size()));
    }
    return to;
}

// Puts rows that have been condensed after those that `to` has.
void append(const Block& part, Block& to) {
    const std::size_t before = to.slots.size();
    if (before + part.slots.size() > kMost) throw LimitExceeded(kTooMany);
    for (const std::uint32_t end : part.begin) to.begin.push_back(to_uint32(before + end));
    to.slots.insert(to.slots.end(), part.slots.begin(), part.slots.end());
    to.sum.insert(to.sum.end(), part.sum.begin(), part.sum.end());
}

Block condensed(const Block& from, int threads) {
    const std::size_t pieces = threads > 1 ? std::min<std::size_t>(from.rows, kPieces * threads) : 1;
    std::vector<Block> parts(pieces);
    const auto work = [&](std::size_t i) {
        parts[i] = condensed_rows(from, from.rows * i / pieces, from.rows * (i + 1) / pieces);
    };
    parallel_for(pieces, threads, work, 1);
    Block to;
    to.rows = from.rows;
    to.width = from.width;
    to.layout = Layout::kCompact;
    to.begin.assign(1, 0);
    for (const Block& part : parts) append(part, to);
    return to;
}

}  // namespace

Weights Weights::condensed(int threads) const {
    Weights result(L_, false, false);
    for (int b = 0; b < kBlocks; ++b) {
        const Block& from = blocks_[b];
        const bool is_condensed = !is_plain(b) && !from.is_compact() && from.rows;
        result.blocks_[b] = is_condensed ? perceptag::condensed(from, threads) : from;
    }
    result.blocks_[kSpanBlock] = blocks_[kSpanBlock];
    result.tick_ = tick_;
    result.parts_ = parts_;
    result.span_labels_ = span_labels_;
    result.last_ = last_;
    result.preferred_ = preferred_;
    return result;
}

}  // namespace perceptag

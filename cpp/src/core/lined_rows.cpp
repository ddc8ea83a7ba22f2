#include "perceptag/core/lined_rows.hpp"

#include <limits>

#include "perceptag/core/integers.hpp"
#include "perceptag/core/limits.hpp"

namespace perceptag {

void LinedRows::start(std::size_t rows, std::size_t labels, bool has_sums) {
    clear();
    width_ = labels;
    line_ = labels <= kLines * kLanes ? kLanes : 2 * kLanes;
    parts_of_row_ = (labels + kLines * line_ - 1) / (kLines * line_);
    has_sums_ = has_sums;
    parts_.resize(rows * parts_of_row_);
}

// A place for a number of lines that is a power of two.
std::uint32_t LinedRows::take(std::size_t lines) {
    std::vector<std::uint32_t>& left = free_[std::countr_zero(lines)];
    if (!left.empty()) {
        const std::uint32_t place = left.back();
        left.pop_back();
        return place;
    }
    if (used_ + lines > kChunk) {
        if (chunks_.size() * kChunk > std::numeric_limits<std::uint32_t>::max() - kChunk)
            throw LimitExceeded("more weights that are not zero than can be numbered");
        chunks_.push_back({std::vector<float>(kChunk * line_), std::vector<double>(has_sums_ ? kChunk * line_ : 0)});
        used_ = 0;
    }
    used_ += lines;
    return to_uint32((chunks_.size() - 1) * kChunk + used_ - lines);
}

void LinedRows::add_line(Part& part, std::uint64_t bit) {
    const Part old = part;
    const std::size_t n = std::popcount(old.lines);
    const std::size_t before = std::popcount(old.lines & (bit - 1)) * line_;  // weights
    const bool is_full = n == 0 || std::has_single_bit(n);
    if (is_full) part.first = take(std::bit_ceil(n + 1));
    part.lines |= bit;
    const auto move = [&](auto& source, auto& target) {
        auto *from = source.data() + start_of(old), *to = target.data() + start_of(part);
        std::copy_backward(from + before, from + n * line_, to + (n + 1) * line_);
        if (is_full) std::copy_n(from, before, to);
        std::fill_n(to + before, line_, 0);
    };
    move(chunks_[old.first / kChunk].w, chunks_[part.first / kChunk].w);
    if (has_sums_) move(chunks_[old.first / kChunk].sum, chunks_[part.first / kChunk].sum);
    if (n && is_full) free_[std::countr_zero(n)].push_back(old.first);
}

LinedRows LinedRows::without_sums() const {
    LinedRows copy;
    copy.parts_ = parts_;
    copy.parts_of_row_ = parts_of_row_;
    copy.width_ = width_;
    copy.line_ = line_;
    copy.has_sums_ = false;
    for (const Chunk& chunk : chunks_) copy.chunks_.push_back({chunk.w, {}});
    copy.used_ = used_;
    copy.free_ = free_;
    return copy;
}

void LinedRows::clear_sums() {
    has_sums_ = true;
    for (Chunk& chunk : chunks_) chunk.sum.assign(kChunk * line_, 0.0);
}

}  // namespace perceptag

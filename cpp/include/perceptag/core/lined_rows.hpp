// Rows with a weight for each of many labels, most of which never leave zero.
//
// A row is cut into parts of 64 lines, a line has 8 or 16 labels. A line is stored once a weight of it has moved, and a
// word of 64 bits says which lines of a part are there. They stand next to each other, in the order of their labels:
//
//   part      lines         first ──▶ pool   … │ line 3 │ line 17 │ (room) │ …
//             bits 3, 17
//
// A part that needs one line more than it has room for moves to a place of twice the size. Places that parts have left
// are used again. Up to 1,024 labels a row is one part; beyond, lines stay short, so that memory grows with the weights
// that have moved and not with the labels.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "perceptag/core/compiler.hpp"
#include "perceptag/core/dispatch.hpp"

namespace perceptag {

class LinedRows {
  public:
    // Rows of zeros, with or without sums.
    void start(std::size_t rows, std::size_t labels, bool has_sums = true);
    void clear() { *this = {}; }
    bool has_sums() const { return has_sums_; }

    float weight(std::size_t row, std::size_t label) const {
        const Part& p = part_of(row, label);
        return has_line(p, label) ? chunk_of(p).w[place_of(p, label)] : 0.0F;
    }
    double sum(std::size_t row, std::size_t label) const {
        const Part& p = part_of(row, label);
        return has_sums_ && has_line(p, label) ? chunk_of(p).sum[place_of(p, label)] : 0.0;
    }

    // A weight and its sum, or null if there are no sums.
    struct Spot {
        float* w;
        double* sum;
    };
    // The line is made if it is not there; no other thread may read or open lines meanwhile.
    Spot open(std::size_t row, std::size_t label) {
        Part& p = parts_[row * parts_of_row_ + label / (kLines * line_)];
        if (!has_line(p, label)) add_line(p, bit_of(label));
        Chunk& chunk = chunks_[p.first / kChunk];
        const std::size_t i = place_of(p, label);
        return {&chunk.w[i], has_sums_ ? &chunk.sum[i] : nullptr};
    }

    // Calls visit(first, end, w, sum) for the labels of each line of a row; w and sum are those of the first label.
    template <class Visit>
    void for_each_line(std::size_t row, Visit visit) const {
        const Part* p = parts_.data() + row * parts_of_row_;
        for (std::size_t n = 0; n < parts_of_row_; ++n, ++p) {
            if (!p->lines) continue;
            const float* w = chunk_of(*p).w.data() + start_of(*p);
            const double* sum = has_sums_ ? chunk_of(*p).sum.data() + start_of(*p) : nullptr;
            for (std::uint64_t bits = p->lines; bits; bits &= bits - 1) {
                const std::size_t first = (n * kLines + std::countr_zero(bits)) * line_;
                visit(first, std::min(width_, first + line_), w, sum);
                w += line_;
                if (sum) sum += line_;
            }
        }
    }
    // Asks the memory for the weights of a row.
    void prefetch(std::size_t row) const {
        const Part* p = parts_.data() + row * parts_of_row_;
        for (std::size_t n = 0; n < parts_of_row_; ++n, ++p) {
            if (!p->lines) continue;
            const float* w = chunk_of(*p).w.data() + start_of(*p);
            for (int i = std::popcount(p->lines); i > 0; --i, w += line_) fetch_ahead(w);
        }
    }

    LinedRows without_sums() const;
    // All sums become zero; there are sums then.
    void clear_sums();

  private:
    struct Part {
        std::uint64_t lines = 0;
        std::uint32_t first = 0;  // where its lines are, counted in lines
    };
    struct Chunk {
        std::vector<float> w;
        std::vector<double> sum;
    };
    static constexpr std::size_t kLines = 64;       // of a part
    static constexpr std::size_t kChunk = 1 << 13;  // lines

    const Part& part_of(std::size_t row, std::size_t label) const {
        return parts_[row * parts_of_row_ + label / (kLines * line_)];
    }
    std::uint64_t bit_of(std::size_t label) const { return std::uint64_t{1} << label / line_ % kLines; }
    bool has_line(const Part& part, std::size_t label) const { return part.lines & bit_of(label); }
    const Chunk& chunk_of(const Part& part) const { return chunks_[part.first / kChunk]; }
    // Where in its chunk a part begins, and where the weight of a label is.
    std::size_t start_of(const Part& part) const { return part.first % kChunk * line_; }
    std::size_t place_of(const Part& part, std::size_t label) const {
        return start_of(part) + std::popcount(part.lines & (bit_of(label) - 1)) * line_ + label % line_;
    }
    void add_line(Part& part, std::uint64_t bit);
    std::uint32_t take(std::size_t lines);

    std::vector<Part> parts_;  // those of a row after those of the row before it
    std::size_t parts_of_row_ = 1;
    std::size_t width_ = 0;      // labels of a row
    std::size_t line_ = kLanes;  // and of a line
    bool has_sums_ = true;
    std::vector<Chunk> chunks_;
    std::size_t used_ = kChunk;                       // lines of the last chunk
    std::array<std::vector<std::uint32_t>, 7> free_;  // places for 1, 2, 4 … 64 lines
};

}  // namespace perceptag

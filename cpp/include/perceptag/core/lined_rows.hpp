// Rows with a weight for each of many labels, most of which never leave zero.
//
// A row is cut into 64 lines at most. A line is stored once a weight of it has moved, and a word of 64 bits says which
// lines of a row are there. They stand next to each other, in the order of their labels:
//
//   row       lines         first ──▶ pool   … │ line 3 │ line 17 │ (room) │ …
//             bits 3, 17
//
// A row that needs one line more than it has room for moves to a place of twice the size. Places that rows have left
// are used again.
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
    bool is_used() const { return width_ > 0; }
    bool has_sums() const { return has_sums_; }

    float weight(std::size_t row, std::size_t label) const {
        const Row& r = rows_[row];
        return has_line(r, label) ? chunk_of(r).w[place_of(r, label)] : 0.0F;
    }
    double sum(std::size_t row, std::size_t label) const {
        const Row& r = rows_[row];
        return has_sums_ && has_line(r, label) ? chunk_of(r).sum[place_of(r, label)] : 0.0;
    }

    // A weight and its sum, or null if there are no sums.
    struct Spot {
        float* w;
        double* sum;
    };
    // The line is made if it is not there; no other thread may read or open lines meanwhile.
    Spot open(std::size_t row, std::size_t label) {
        Row& r = rows_[row];
        if (!has_line(r, label)) add_line(r, bit_of(label));
        Chunk& chunk = chunks_[r.first / kChunk];
        const std::size_t i = place_of(r, label);
        return {&chunk.w[i], has_sums_ ? &chunk.sum[i] : nullptr};
    }

    // Calls visit(first, end, w, sum) for the labels of each line of a row; w and sum are those of the first label.
    template <class Visit>
    void for_each_line(std::size_t row, Visit visit) const {
        const Row& r = rows_[row];
        if (!r.lines) return;
        const float* w = chunk_of(r).w.data() + start_of(r);
        const double* sum = has_sums_ ? chunk_of(r).sum.data() + start_of(r) : nullptr;
        for (std::uint64_t bits = r.lines; bits; bits &= bits - 1) {
            const std::size_t first = std::countr_zero(bits) * line_;
            visit(first, std::min(width_, first + line_), w, sum);
            w += line_;
            if (sum) sum += line_;
        }
    }
    // Asks the memory for the weights of a row.
    void prefetch(std::size_t row) const {
        const Row& r = rows_[row];
        if (!r.lines) return;
        const float* w = chunk_of(r).w.data() + start_of(r);
        for (int i = std::popcount(r.lines); i > 0; --i, w += line_) fetch_ahead(w);
    }

    LinedRows without_sums() const;
    // All sums become zero; there are sums then.
    void clear_sums();

  private:
    struct Row {
        std::uint64_t lines = 0;
        std::uint32_t first = 0;  // where its lines are, counted in lines
    };
    struct Chunk {
        std::vector<float> w;
        std::vector<double> sum;
    };
    static constexpr std::size_t kChunk = 1 << 13;  // lines

    std::uint64_t bit_of(std::size_t label) const { return std::uint64_t{1} << label / line_; }
    bool has_line(const Row& row, std::size_t label) const { return row.lines & bit_of(label); }
    const Chunk& chunk_of(const Row& row) const { return chunks_[row.first / kChunk]; }
    // Where in its chunk a row begins, and where the weight of a label is.
    std::size_t start_of(const Row& row) const { return row.first % kChunk * line_; }
    std::size_t place_of(const Row& row, std::size_t label) const {
        return start_of(row) + std::popcount(row.lines & (bit_of(label) - 1)) * line_ + label % line_;
    }
    void add_line(Row& row, std::uint64_t bit);
    std::uint32_t take(std::size_t lines);

    std::vector<Row> rows_;
    std::size_t width_ = 0;      // labels of a row
    std::size_t line_ = kLanes;  // and of a line
    bool has_sums_ = true;
    std::vector<Chunk> chunks_;
    std::size_t used_ = kChunk;                       // lines of the last chunk
    std::array<std::vector<std::uint32_t>, 7> free_;  // places for 1, 2, 4 … 64 lines
};

}  // namespace perceptag

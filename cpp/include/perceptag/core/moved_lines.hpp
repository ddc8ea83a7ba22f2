// Where in dense rows weights have moved: with many labels, most weights of a row never leave zero.
//
// A row is cut into 64 lines at most. One bit for each says whether a weight in it may be other than zero, so that
// scores are summed and copies made without a look at the rest.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "perceptag/core/dispatch.hpp"

namespace perceptag {

struct MovedLines {
    std::vector<std::uint64_t> of_row;  // [rows]
    std::size_t width = 0;              // labels of a row
    std::size_t line = kLanes;          // and of a line

    bool is_ready() const { return width > 0; }
    void clear() { width = 0; }
    // Rows of zeros.
    void start(std::size_t rows, std::size_t labels);
    // Rows of any weights, and their sums.
    void find(const float* w, const double* sum, std::size_t rows, std::size_t labels);
    void note(std::size_t row, std::size_t label) { of_row[row] |= std::uint64_t{1} << label / line; }

    // Calls visit(first, end) for the labels of each line of a row.
    template <class Visit>
    void for_each_line(std::size_t row, Visit visit) const {
        for (std::uint64_t bits = of_row[row]; bits; bits &= bits - 1) {
            const std::size_t first = std::countr_zero(bits) * line;
            visit(first, std::min(width, first + line));
        }
    }
};

}  // namespace perceptag

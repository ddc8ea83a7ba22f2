#include "perceptag/core/moved_lines.hpp"

namespace perceptag {
namespace {

PERCEPTAG_CLONES bool any_moved(const float* w, const double* sum, std::size_t n) {
    bool any = false;
    for (std::size_t i = 0; i < n; ++i) any |= (w[i] != 0) | (sum[i] != 0);
    return any;
}

}  // namespace

void MovedLines::start(std::size_t rows, std::size_t labels) {
    const std::size_t least = (labels + 63) / 64;
    width = labels;
    line = (least + kLanes - 1) / kLanes * kLanes;
    of_row.assign(rows, 0);
}

void MovedLines::find(const float* w, const double* sum, std::size_t rows, std::size_t labels) {
    start(rows, labels);
    for (std::size_t row = 0; row < rows; ++row, w += labels, sum += labels)
        for (std::size_t y = 0; y < labels; y += line)
            if (any_moved(w + y, sum + y, std::min(line, labels - y))) note(row, y);
}

}  // namespace perceptag

// Rows of which only some lines are stored, next to rows of which everything is.
#include <random>
#include <vector>

#include "check.hpp"
#include "perceptag/core/lined_rows.hpp"

using namespace perceptag;

namespace {

constexpr std::size_t kRows = 40;

// The weights of all rows, as the lines have them.
std::vector<float> read_lines(const LinedRows& lines, std::size_t labels) {
    std::vector<float> found(kRows * labels);
    for (std::size_t row = 0; row < kRows; ++row)
        lines.for_each_line(row, [&](std::size_t first, std::size_t end, const float* w, const double*) {
            std::copy_n(w, end - first, found.data() + row * labels + first);
        });
    return found;
}

}  // namespace

void test_lined_rows_hold_what_dense_rows_hold() {
    std::mt19937 random(5);
    for (const std::size_t labels : {65, 512, 513, 995, 1024, 1025, 2500}) {
        LinedRows lines;
        lines.start(kRows, labels);
        std::vector<float> w(kRows * labels);
        std::vector<double> sum(kRows * labels);
        for (int step = 0; step < 20000; ++step) {
            const std::size_t row = random() % kRows, label = random() % (step % 2 ? labels : 1 + row);
            const LinedRows::Spot spot = lines.open(row, label);
            *spot.w += static_cast<float>(step), *spot.sum += step * 2.0;
            w[row * labels + label] += static_cast<float>(step), sum[row * labels + label] += step * 2.0;
        }
        CHECK(read_lines(lines, labels) == w);
        CHECK(read_lines(lines.without_sums(), labels) == w);
        LinedRows cleared = lines;
        cleared.clear_sums();
        for (std::size_t i = 0; i < w.size(); ++i) {
            CHECK(lines.weight(i / labels, i % labels) == w[i] && lines.sum(i / labels, i % labels) == sum[i]);
            CHECK(cleared.weight(i / labels, i % labels) == w[i] && cleared.sum(i / labels, i % labels) == 0);
        }
    }
}

#include "perceptag/core/edge_bounds.hpp"

#include <algorithm>

#include "perceptag/core/dispatch.hpp"
#include "perceptag/core/lanes.hpp"

namespace perceptag {
namespace {

PERCEPTAG_CLONES void largest_by_row_and_column(const float* edge, std::size_t L, float* row, float* column) {
    std::copy_n(edge, L, column);
    for (std::size_t v = 0; v < L; ++v, edge += L) {
        row[v] = largest(edge, L);
        for (std::size_t y = 0; y < L; ++y) column[y] = std::max(column[y], edge[y]);
    }
}

}  // namespace

void EdgeBounds::find_bounds(const float* edge, std::size_t L) {
    row.resize(L);
    column.resize(L);
    largest_by_row_and_column(edge, L, row.data(), column.data());
    changes_ = 0;
}

void EdgeBounds::set(const float* edge, std::size_t L) {
    find_bounds(edge, L);
    transposed.resize(L * L);
    constexpr std::size_t kTile = 16;  // a line of the cache is read once for as many columns
    for (std::size_t v0 = 0; v0 < L; v0 += kTile)
        for (std::size_t y = 0; y < L; ++y)
            for (std::size_t v = v0; v < std::min(L, v0 + kTile); ++v) transposed[y * L + v] = edge[v * L + y];
    if (L <= kFewEdgeLabels) gaps.set(edge, L);
}

void EdgeBounds::change(const float* edge, std::size_t L, std::size_t code) {
    const std::size_t v = code / L, y = code % L;
    if (v == L) return;
    transposed[y * L + v] = edge[code];
    row[v] = std::max(row[v], edge[code]);
    column[y] = std::max(column[y], edge[code]);
    if (++changes_ > 2 * L) find_bounds(edge, L);
    if (gaps.is_ready()) gaps.change(edge, transposed.data(), v, y);
}

}  // namespace perceptag

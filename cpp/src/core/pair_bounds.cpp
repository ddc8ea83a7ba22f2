#include "perceptag/core/pair_bounds.hpp"

#include <algorithm>

#include "perceptag/core/dispatch.hpp"
#include "perceptag/core/lanes.hpp"

namespace perceptag {

PERCEPTAG_CLONES void PairBounds::set(const float* edge, const float* trigram, int labels) {
    const std::size_t L = labels, square = L * L, pitch = (L + 1) * L;
    later.resize(square);
    second.assign(trigram + L * pitch, trigram + L * pitch + square);
    const float zero = 0;
    for (std::size_t u = 0; u < L; ++u) max_plus(&zero, 0, trigram + u * L, pitch, L, L, later.data() + u * L);
    narrow = (largest(later.data(), square) - *std::min_element(later.begin(), later.end())) / 4;
    for (auto* bound : {&second, &later})
        for (std::size_t i = 0; i < (edge ? square : 0); ++i) (*bound)[i] += edge[i];
    second_transposed.resize(square);
    later_transposed.resize(square);
    for (std::size_t u = 0; u < L; ++u)
        for (std::size_t y = 0; y < L; ++y) {
            second_transposed[y * L + u] = second[u * L + y];
            later_transposed[y * L + u] = later[u * L + y];
        }
}

}  // namespace perceptag

// Numbers whose sums are exact in double: multiples of 2^-24, as long as no sum is beyond 2^28.
#pragma once

#include <cmath>

#include "perceptag/core/weights.hpp"

namespace perceptag {

inline bool is_on_grid(double x) { return std::abs(x) < 0x1p20 && x * 0x1p24 == std::nearbyint(x * 0x1p24); }

// Whether all weights are such numbers, or minus infinity.
bool has_exact_scores(const Weights& weights);

}  // namespace perceptag

// Numbers whose sums are exact in double: multiples of 2^-24, as long as no sum is beyond 2^28.
#pragma once

#include <cmath>
#include <cstdint>

#include "perceptag/core/weights.hpp"

namespace perceptag {

constexpr double kGridSteps = 0x1p24;      // of the grid between 0 and 1
constexpr double kLargestOnGrid = 0x1p20;  // a single number must be below
constexpr double kLargestExactSum = 0x1p28;

inline bool is_on_grid(double x) {
    if (!(std::abs(x) < kLargestOnGrid)) return false;  // NaN neither
    const double steps = x * kGridSteps;                // below 2^44, so it has a whole part of 64 bits
    return steps == static_cast<double>(static_cast<std::int64_t>(steps));
}

// Whether all weights are such numbers, or minus infinity.
bool has_exact_scores(const Weights& weights);

}  // namespace perceptag

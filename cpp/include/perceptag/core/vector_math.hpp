// Sums and exponentials over arrays, the same bits on every instruction set: no fused multiply-add, a fixed order
// of summation, and no call of a mathematical library whose last bit depends on the machine.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include "perceptag/core/dispatch.hpp"

namespace perceptag {

// e^x for x <= 0, to a few units in the last place; 0 below -708.
inline double exp_nonpositive(double x) {
    // e^x = 2^n e^r with whole n and |r| <= ln 2 / 2. Adding 1.5 * 2^52 rounds to whole numbers in the low bits.
    constexpr double kRound = 0x1.8p52, kLog2E = 0x1.71547652b82fep0;
    constexpr double kLn2High = 0x1.62e42fee00000p-1, kLn2Low = 0x1.a39ef35793c76p-33;
    const double clipped = x < -708.0 ? -708.0 : x;
    const double shifted = clipped * kLog2E + kRound;
    const double n = shifted - kRound;
    const double r = (clipped - n * kLn2High) - n * kLn2Low;
    double p = 1.0 / 6227020800.0;  // the series of e^r up to r^13 / 13!
    p = p * r + 1.0 / 479001600.0;
    p = p * r + 1.0 / 39916800.0;
    p = p * r + 1.0 / 3628800.0;
    p = p * r + 1.0 / 362880.0;
    p = p * r + 1.0 / 40320.0;
    p = p * r + 1.0 / 5040.0;
    p = p * r + 1.0 / 720.0;
    p = p * r + 1.0 / 120.0;
    p = p * r + 1.0 / 24.0;
    p = p * r + 1.0 / 6.0;
    p = p * r + 0.5;
    p = p * r + 1.0;
    p = p * r + 1.0;
    const auto exponent = (std::bit_cast<std::uint64_t>(shifted) + 1023) << 52;
    return x < -708.0 ? 0.0 : p * std::bit_cast<double>(exponent);
}

// Σ a_i b_i, lane by lane.
inline double dot(const double* a, const double* b, std::size_t n) {
    double lanes[kLanes] = {};
    std::size_t i = 0;
    for (; i + kLanes <= n; i += kLanes)
        for (std::size_t k = 0; k < kLanes; ++k) lanes[k] += a[i + k] * b[i + k];
    double rest = 0;
    for (; i < n; ++i) rest += a[i] * b[i];
    return (((lanes[0] + lanes[4]) + (lanes[1] + lanes[5])) + ((lanes[2] + lanes[6]) + (lanes[3] + lanes[7]))) + rest;
}

// out_i += row_i
void add_vector(float* out, const float* row, std::size_t n);
// out_i += amount · row_i
void add_scaled(float* out, const float* row, float amount, std::size_t n);

}  // namespace perceptag

// A few labels at a time: short vectors of scores that the compiler keeps in registers.
//
// Everything here is inlined into functions that are compiled for several instruction sets (dispatch.hpp). Sums and
// maxima are the same in any order, so the width of a vector never shows in a result.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>

#include "perceptag/core/compiler.hpp"
#include "perceptag/core/dispatch.hpp"

namespace perceptag {

#if defined(__GNUC__)
typedef float Lanes __attribute__((vector_size(kLanes * sizeof(float))));

PERCEPTAG_INLINE void keep_larger(Lanes& best, const Lanes& other) { best = best > other ? best : other; }

// Whether any of a + b is at least `wanted`.
PERCEPTAG_INLINE bool any_reaches(const Lanes& a, const Lanes& b, float wanted) {
    const auto enough = a + b >= wanted;
    std::uint64_t any[sizeof enough / sizeof(std::uint64_t)];
    std::memcpy(any, &enough, sizeof enough);
    return (any[0] | any[1] | any[2] | any[3]) != 0;
}
#else
// The same for compilers without such types: loops of a fixed length, which they may turn into vector instructions.
struct Lanes {
    float values[kLanes];
    float operator[](std::size_t k) const { return values[k]; }
};

PERCEPTAG_INLINE Lanes operator+(float a, const Lanes& b) {
    Lanes sum;
    for (std::size_t k = 0; k < kLanes; ++k) sum.values[k] = a + b.values[k];
    return sum;
}

PERCEPTAG_INLINE void keep_larger(Lanes& best, const Lanes& other) {
    for (std::size_t k = 0; k < kLanes; ++k) best.values[k] = std::max(best.values[k], other.values[k]);
}

PERCEPTAG_INLINE bool any_reaches(const Lanes& a, const Lanes& b, float wanted) {
    bool any = false;
    for (std::size_t k = 0; k < kLanes; ++k) any |= a.values[k] + b.values[k] >= wanted;
    return any;
}
#endif

PERCEPTAG_INLINE void load(Lanes& to, const float* from) { std::memcpy(&to, from, sizeof to); }
PERCEPTAG_INLINE void store(float* to, const Lanes& from) { std::memcpy(to, &from, sizeof from); }

// to[y] = max_v  from[v·stride] + rows[v·pitch + y],  for N vectors of labels that stay in registers
template <int N>
PERCEPTAG_INLINE void max_plus_lanes(const float* from, std::size_t stride, const float* rows, std::size_t pitch,
                                     std::size_t count, float* to) {
    Lanes best[N], row;
    for (int k = 0; k < N; ++k) {
        load(row, rows + k * kLanes);
        best[k] = from[0] + row;
    }
    for (std::size_t v = 1; v < count; ++v) {
        const float before = from[v * stride];
        PERCEPTAG_UNROLL
        for (int k = 0; k < N; ++k) {
            load(row, rows + v * pitch + k * kLanes);
            const Lanes sum = before + row;
            keep_larger(best[k], sum);
        }
    }
    for (int k = 0; k < N; ++k) store(to + k * kLanes, best[k]);
}

// to[y] = max_v  from[v·stride] + rows[v·pitch + y]  for y in [0, n) and v in [0, count)
PERCEPTAG_INLINE void max_plus(const float* from, std::size_t stride, const float* rows, std::size_t pitch,
                               std::size_t count, std::size_t n, float* to) {
    if (n < kLanes) {
        for (std::size_t y = 0; y < n; ++y) {
            float best = from[0] + rows[y];
            for (std::size_t v = 1; v < count; ++v) best = std::max(best, from[v * stride] + rows[v * pitch + y]);
            to[y] = best;
        }
        return;
    }
    std::size_t y = 0;
    for (; y + 4 * kLanes <= n; y += 4 * kLanes) max_plus_lanes<4>(from, stride, rows + y, pitch, count, to + y);
    for (; y + 2 * kLanes <= n; y += 2 * kLanes) max_plus_lanes<2>(from, stride, rows + y, pitch, count, to + y);
    for (; y + kLanes <= n; y += kLanes) max_plus_lanes<1>(from, stride, rows + y, pitch, count, to + y);
    if (y < n) {  // the last vector overlaps the one before: the same sums once more are cheaper than single ones
        y = n - kLanes;
        max_plus_lanes<1>(from, stride, rows + y, pitch, count, to + y);
    }
}

// to[y] = max_v  from[v] + edge[v·n + y]  for y in [0, n) and v in rows, of which there is one at least
template <int N>
PERCEPTAG_INLINE void max_plus_rows(const float* from, std::span<const std::uint32_t> rows, const float* edge,
                                    std::size_t n, float* to) {
    Lanes best[N], row;
    for (int k = 0; k < N; ++k) {
        load(row, edge + rows[0] * n + k * kLanes);
        best[k] = from[rows[0]] + row;
    }
    for (const std::size_t v : rows.subspan(1)) {
        const float before = from[v];
        PERCEPTAG_UNROLL
        for (int k = 0; k < N; ++k) {
            load(row, edge + v * n + k * kLanes);
            const Lanes sum = before + row;
            keep_larger(best[k], sum);
        }
    }
    for (int k = 0; k < N; ++k) store(to + k * kLanes, best[k]);
}

// For n ≥ kLanes; the last vector may overlap the one before.
PERCEPTAG_INLINE void max_plus(const float* from, std::span<const std::uint32_t> rows, const float* edge, std::size_t n,
                               float* to) {
    std::size_t y = 0;
    for (; y + 4 * kLanes <= n; y += 4 * kLanes) max_plus_rows<4>(from, rows, edge + y, n, to + y);
    for (; y + 2 * kLanes <= n; y += 2 * kLanes) max_plus_rows<2>(from, rows, edge + y, n, to + y);
    for (; y + kLanes <= n; y += kLanes) max_plus_rows<1>(from, rows, edge + y, n, to + y);
    if (y < n) max_plus_rows<1>(from, rows, edge + n - kLanes, n, to + n - kLanes);
}

// The largest of n scores.
PERCEPTAG_INLINE float largest(const float* scores, std::size_t n) {
    float top = -std::numeric_limits<float>::infinity();
    std::size_t i = 0;
    if (n >= kLanes) {
        Lanes best, some;
        load(best, scores);
        for (i = kLanes; i + kLanes <= n; i += kLanes) {
            load(some, scores + i);
            keep_larger(best, some);
        }
        for (std::size_t k = 0; k < kLanes; ++k) top = std::max(top, best[k]);
    }
    for (; i < n; ++i) top = std::max(top, scores[i]);
    return top;
}

// Subtract the largest of n scores from all of them, and return it; sums then stay small. Where all are minus
// infinity nothing changes.
PERCEPTAG_INLINE float recentre(float* scores, std::size_t n) {
    const float top = largest(scores, n);
    if (top == -std::numeric_limits<float>::infinity()) return 0;
    for (std::size_t i = 0; i < n; ++i) scores[i] -= top;
    return top;
}

}  // namespace perceptag

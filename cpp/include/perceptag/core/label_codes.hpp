// Combinations of labels as numbers. Nothing else knows how they are numbered.
//
//   order 0   y0
//   order 1   y-1 * L + y0
//   order 2   (y-2 * (L+1) + y-1) * L + y0
//
// Where y-1 or y-2 stands before the sequence it is L, the start.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

#include "perceptag/core/integers.hpp"

namespace perceptag {

// One label for each token of a sequence.
using Labelling = std::span<const std::int32_t>;
using LabelsOut = std::span<std::int32_t>;  // where they are written

// What a feature is crossed with: y0, y-1 y0, or y-2 y-1 y0.
constexpr int kOrders = 3;

// How many combinations there are.
constexpr std::size_t combinations(int order, std::size_t L) {
    std::size_t result = L;
    for (; order > 0; --order) result *= L + 1;
    return result;
}

// The largest number of labels whose combinations can be numbered in 32 bits.
constexpr int most_labels(int order) {
    int L = 1;
    while (combinations(order, L + 1) <= std::numeric_limits<std::uint32_t>::max()) ++L;
    return L;
}
constexpr int kMaxLabels = most_labels(1), kMaxTrigramLabels = most_labels(2);

// Throws `LimitExceeded` if there are too many labels for features of this order.
void require_labels(int order, int L);

// The labels before t: 0, y-1, or y-2 * (L+1) + y-1.
inline std::uint32_t history_code(Labelling labels, int t, int order, int L) {
    std::uint32_t code = 0;
    for (int back = order; back > 0; --back) code = code * (L + 1) + (t >= back ? labels[t - back] : L);
    return code;
}

// The labels before t and the one at t.
inline std::uint32_t label_code(Labelling labels, int t, int order, int L) {
    return history_code(labels, t, order, L) * L + labels[t];
}

// The inverse: writes the label k places before t to out[order - k].
inline void read_label_code(std::uint32_t code, int order, int L, std::int32_t* out) {
    out[order] = to_int32(code % L);
    code /= L;
    for (int back = 1; back <= order; ++back, code /= L + 1) out[order - back] = to_int32(code % (L + 1));
}

// Where the combinations begin that are possible at t, of order 1: [1, L] at t = 0, else [L, L].
constexpr std::size_t first_edge(std::size_t t, std::size_t L) { return t == 0 ? L * L : 0; }
// And of order 2 with y-2 = v: [1, L] at t = 0, else [L, L]. At t < 2 there is no v but the start.
constexpr std::size_t first_trigram(std::size_t t, std::size_t v, std::size_t L) {
    if (t == 0) return (L * (L + 1) + L) * L;
    return (t == 1 ? L : v) * (L + 1) * L;
}

}  // namespace perceptag

// Scratch memory of second-order search: see viterbi2.hpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "perceptag/core/pair_bounds.hpp"

namespace perceptag {

struct Pruning {
    struct Pair {
        std::int32_t before;  // the label before; pairs are grouped by their last label
        float score;
    };
    struct Found {
        std::int32_t last, before;
        float score;
    };
    PairBounds bounds;
    std::vector<float> future;          // [T, L]
    std::vector<double> shift;          // [T]
    std::vector<Pair> pairs;            // kept, position after position
    std::vector<std::size_t> begin;     // [T * L + 1] where the pairs of a position and a last label begin
    std::vector<std::int32_t> befores;  // labels before that any pair at the position has
    std::vector<float> scores;          // [befores, L]
    std::vector<float> row;             // [L]
    std::vector<Found> found;           // kept at one position
    std::vector<std::size_t> counts;    // [L + 1]
};

}  // namespace perceptag

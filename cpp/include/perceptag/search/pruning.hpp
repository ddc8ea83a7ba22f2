// Scratch memory of second-order search: see viterbi2.hpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace perceptag {

// The most that plain edges and trigrams can add between two labels. All [L, L].
struct PairBounds {
    std::vector<float> second, later;  // into position 1, and into all others
    std::vector<float> second_transposed, later_transposed;
    float narrow = 0;  // within how much of the best a first, narrow search looks: any number gives the same result

    // edge [L+1, L] or nullptr, trigram [L+1, L+1, L]
    void set(const float* edge, const float* trigram, int labels);
};

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

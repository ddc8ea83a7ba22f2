// The most that plain edges and trigrams can add between two labels; see search/viterbi2.hpp.
#pragma once

#include <vector>

namespace perceptag {

// All [L, L].
struct PairBounds {
    std::vector<float> second, later;  // into position 1, and into all others
    std::vector<float> second_transposed, later_transposed;
    float narrow = 0;  // within how much of the best a first, narrow search looks: any number gives the same result

    // edge [L+1, L] or nullptr, trigram [L+1, L+1, L]
    void set(const float* edge, const float* trigram, int labels);
};

}  // namespace perceptag

// The weights of a bidirectional model, and the actions that they score.
#pragma once

#include "perceptag/core/weights.hpp"
#include "perceptag/guided/contexts.hpp"

namespace perceptag {

// A label for a token, and the known labels next to it.
struct Action {
    int token;
    std::int32_t label;
    Beside beside;
    double score;  // U, as the search saw it
};

// Word features as ordinary weights of order 0, and label contexts.
struct GuidedWeights {
    Weights words;
    ContextWeights contexts;

    // w += scale·f(action)
    void add(const Sequence& x, const Action& action, double scale);
    void tick() { words.tick(); }
    // The averages after every tick, rounded to one grid, so that sums of them are exact in float32.
    // `active`: the largest number of word features at one token.
    GuidedWeights averaged(int active) const;
    GuidedWeights frozen() const;
};

}  // namespace perceptag

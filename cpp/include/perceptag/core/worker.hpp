// Scratch memory of one thread: every search keeps its own here, so that it is made once and not for each sequence.
#pragma once

#include <vector>

#include "perceptag/core/features.hpp"
#include "perceptag/core/lattice.hpp"
#include "perceptag/search/derivations.hpp"
#include "perceptag/search/lazy_scores.hpp"
#include "perceptag/search/pruning.hpp"

namespace perceptag {

struct Worker {
    Sequence sequence;
    LookupScratch lookup;
    std::vector<const float*> sums;  // of Predictor: [T] sums of the types
    std::vector<int> offsets;        // and the offsets that they are seen from
    Lattice lattice;
    std::vector<float> alpha;  // of viterbi: [T, L] or [T, L, L]
    LazyMemory lazy;           // of viterbi and nbest with many labels
    Pruning pruning;           // of viterbi2
    Derivations derivations;   // of nbest
};

}  // namespace perceptag

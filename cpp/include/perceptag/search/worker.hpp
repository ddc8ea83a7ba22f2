// Scratch memory of one thread that searches: it is made once and not for each sequence.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "perceptag/core/features.hpp"
#include "perceptag/core/lattice.hpp"
#include "perceptag/search/derivations.hpp"
#include "perceptag/search/lazy_scores.hpp"
#include "perceptag/search/length_states.hpp"
#include "perceptag/search/pruning.hpp"

namespace perceptag {

// The rows of weights of one type, for Predictor.
struct FoundRows {
    struct Row {
        std::int32_t row;
        float amount;
    };
    std::vector<Row> rows;
    std::vector<std::size_t> ends;     // of the rows of each group
    std::vector<std::int32_t> values;  // of one template

    void clear() {
        rows.clear();
        ends.clear();
    }
};

// Of viterbi1 with gaps: the labels at each position that may come before another one.
struct KeptRows {
    std::vector<std::uint32_t> rows;
    std::vector<std::size_t> begin;  // [T + 1]

    std::span<const std::uint32_t> of(std::size_t t) const {
        return std::span(rows).subspan(begin[t], begin[t + 1] - begin[t]);
    }
};

struct Worker {
    Sequence sequence;
    LookupScratch lookup;
    std::vector<const float*> sums;  // of Predictor: [T] sums of the types
    std::vector<int> offsets;        // and the offsets that they are seen from
    FoundRows found;                 // and the rows of a type without sums
    Lattice lattice;
    std::vector<float> alpha;  // of viterbi: [T, L] or [T, L, L]
    KeptRows kept;
    LazyMemory lazy;          // of viterbi and nbest with many labels
    Pruning pruning;          // of viterbi2
    Derivations derivations;  // of nbest
    LengthStates lengths;     // of all, for scores of whole spans
    Lattice states;           // their lattice
};

}  // namespace perceptag

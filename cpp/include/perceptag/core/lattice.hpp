// The scores of one sequence, and the search for its best labelling.
//
//   score(y) = Σ_t  node[t][y_t] + edge_t[y_{t-1}][y_t] + trigram_t[y_{t-2}][y_{t-1}][y_t]
//
// Before the sequence stands the label "start", written as number L.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "perceptag/core/features.hpp"
#include "perceptag/search/derivations.hpp"

namespace perceptag {

// The most that plain edges and trigrams can add between two labels: see viterbi2.hpp. All [L, L].
struct PairBounds {
    std::vector<float> second, later;  // into position 1, and into all others
    std::vector<float> second_transposed, later_transposed;
    float narrow = 0;  // within how much of the best a first, narrow search looks: any number gives the same result

    // edge [L+1, L] or nullptr, trigram [L+1, L+1, L]
    void set(const float* edge, const float* trigram, int labels);
};

struct Lattice {
    int T = 0, L = 0;
    int order = 0;  // 0: nodes only; 1: edges as well; 2: trigrams as well

    std::vector<float> node;  // [T, L]
    // Edge scores are either the same at every position (not owned: the weights' own, [L+1, L]) …
    const float* plain_edge = nullptr;
    // … or observed: start row [L], then [T-1, L, L].
    std::vector<float> observed_edge;
    // Likewise [L+1, L+1, L], or [L], [L, L], then [T-2, L, L, L].
    const float* plain_trigram = nullptr;
    std::vector<float> observed_trigram;
    // Of the plain edges and trigrams, where somebody has them ready.
    const PairBounds* bounds = nullptr;

    bool has_edges() const { return plain_edge || !observed_edge.empty(); }
    // Edge scores into position t: [1, L] at t = 0, else [L, L].
    const float* edge(int t) const {
        const auto l = static_cast<std::size_t>(L);
        if (!observed_edge.empty())
            return observed_edge.data() + (t == 0 ? 0 : l + static_cast<std::size_t>(t - 1) * l * l);
        return t == 0 ? plain_edge + l * l : plain_edge;
    }
    // Scores of y-2 = v into position t: [1, L] at t = 0 and [L, L] at t = 1 (v = start), else [L, L] for each v.
    const float* trigram(int t, int v) const {
        const auto l = static_cast<std::size_t>(L);
        if (!observed_trigram.empty()) {
            if (t < 2) return observed_trigram.data() + (t == 0 ? 0 : l);
            return observed_trigram.data() + l + l * l + (static_cast<std::size_t>(t - 2) * l + v) * l * l;
        }
        if (t == 0) return plain_trigram + (l * (l + 1) + l) * l;
        return plain_trigram + static_cast<std::size_t>(t == 1 ? L : v) * (l + 1) * l;
    }

    // The score of a labelling, summed in double.
    double score(const std::int32_t* labels) const;
};

// Scratch memory of second-order search.
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

// Scratch memory of one thread.
struct Worker {
    Sequence sequence;
    LookupScratch lookup;
    std::vector<const float*> sums;  // of Predictor: [T] sums of the types
    std::vector<int> offsets;        // and the offsets that they are seen from
    Lattice lattice;
    std::vector<float> alpha;  // [T, L] or [T, L, L]
    Pruning pruning;           // of viterbi
    Derivations derivations;   // of nbest
};

// Writes the best labelling to labels[T] and returns its score. Of equal scores the lower label id wins, seen
// from the end of the sequence. A score of minus infinity means that every labelling is forbidden.
//
// Path scores are kept in float32 relative to the best of each position, so they stay small: exact for whole
// numbers, and for any weights that are multiples of one power of two within the range of `Weights::averaged`.
double viterbi(const Lattice& lattice, Worker& worker, std::int32_t* labels);

}  // namespace perceptag

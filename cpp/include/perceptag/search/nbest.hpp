// The n best labellings of a sequence: exact, in a fixed order.
//
// Order: the higher score first. Of equal scores, the labelling that is smaller when both are read from the
// last label to the first: a lower last label wins, then a lower one before it, and so on. So the first is
// the labelling that `viterbi` finds, and the list for n begins with the list for any smaller n.
//
// Labellings with a score of minus infinity (forbidden ones) are left out; where fewer than n are left, the
// list is shorter. Path scores are sums in double, formed as in Lattice::score: exact for every kind of
// weights for which viterbi is. Where sums do round, each score is still that of Lattice::score and the
// scores never increase, but labellings that only rounding makes equal may come in another order.
#pragma once

#include <cstdint>
#include <vector>

#include "perceptag/core/corpus.hpp"
#include "perceptag/core/lattice.hpp"
#include "perceptag/core/weights.hpp"
#include "perceptag/search/worker.hpp"

namespace perceptag {

struct NBest {
    int T = 0;
    std::vector<std::int32_t> labels;  // [size, T]
    std::vector<double> scores;        // [size]

    std::size_t size() const { return scores.size(); }
    Labelling operator[](std::size_t i) const { return Labelling(labels).subspan(i * T, T); }
};

inline bool is_found(const NBest& list) { return list.size() > 0; }

NBest nbest(const Lattice& lattice, int n, Worker& worker);

// Under the weights. If dictionary and constraints leave no labelling, the dictionary is ignored, as in
// viterbi.
NBest nbest(const Weights& weights, const Sequence& x, const TagDictionary* dictionary, int n, Worker& worker);
// One list for each sequence. They hold 4 bytes for each label: n times the tokens of the corpus.
std::vector<NBest> nbest_batch(const Weights& weights, const Corpus& corpus, const TagDictionary* dictionary, int n,
                               int threads);

}  // namespace perceptag

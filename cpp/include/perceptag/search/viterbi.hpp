// The best labelling of a sequence, and those of many.
#pragma once

#include <cstdint>
#include <vector>

#include "perceptag/core/corpus.hpp"
#include "perceptag/core/lattice.hpp"
#include "perceptag/core/weights.hpp"
#include "perceptag/search/worker.hpp"

namespace perceptag {

// Writes the best labelling to labels[T] and returns its score. Of equal scores the lower label id wins, seen
// from the end of the sequence. A score of minus infinity means that every labelling is forbidden.
//
// Path scores are kept in float32 relative to the best of each position, so they stay small: exact for whole
// numbers, and for any weights that are multiples of one power of two within the range of `Weights::averaged`.
double viterbi(const Lattice& lattice, Worker& worker, LabelsOut labels);

// Best labelling of x under the weights. If dictionary and constraints leave none, the dictionary is ignored.
double viterbi(const Weights& weights, const Sequence& x, const TagDictionary* dictionary, Worker& worker,
               LabelsOut labels);

// Best labellings, one after the other: [tokens].
std::vector<std::int32_t> decode(const Weights& weights, const Corpus& corpus, const TagDictionary* dictionary,
                                 int threads);
std::vector<std::int32_t> tag(const FeatureIndex& index, const Weights& weights, const TagDictionary* dictionary,
                              const Batch& batch, int threads);

}  // namespace perceptag

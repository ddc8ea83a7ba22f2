// Max-marginals: how good the best labelling is that has a given label at a given token.
//
//   μ_t(y) = max { score(y') : y'_t = y }  −  max score(y')
//
// It is 0 for the labels of the best labelling; for any other label −μ is the margin by which it loses. All of them
// together cost one search forwards and one backwards.
#pragma once

#include <vector>

#include "perceptag/core/corpus.hpp"

namespace perceptag {

// Writes μ to out[T, L] and returns the score of the best labelling; minus infinity, and nothing written, if every
// labelling is forbidden. Sums are formed in double.
double max_marginals(const Lattice& lattice, float* out);

// Those of every sequence, one after the other: [tokens, L]. Where dictionary and constraints leave no labelling, the
// dictionary is ignored; where constraints alone leave none, all are 0.
std::vector<float> max_marginals(const Weights& weights, const Corpus& corpus, const TagDictionary* dictionary,
                                 int threads);

}  // namespace perceptag

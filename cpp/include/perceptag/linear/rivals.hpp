// The best labellings that differ from a given one: for each token the best of those with another label there.
//
// The same as `viterbi_without` for every token, but most labels are left out of the search. The best labelling through
// label y at s costs cost[s][y] <= 0 compared with the best of all (max_marginals.hpp). A rival at t costs r_t, the
// highest cost[t][y] of the other labels, so all its labels have cost[s][y] >= r_t, and no other label need be looked
// at. Ties are those of `viterbi`: every labelling as good as the rival stays in the search.
#pragma once

#include <cstdint>
#include <vector>

#include "perceptag/core/weights.hpp"
#include "perceptag/search/worker.hpp"

namespace perceptag {

// For each token a labelling [T], or an empty one if no other label is possible there.
std::vector<std::vector<std::int32_t>> rivals(const Weights& weights, const Sequence& x, Labelling labels,
                                              const TagDictionary* dictionary, Worker& worker);

}  // namespace perceptag

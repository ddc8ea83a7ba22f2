// The rivals of a labelling under weights: for each token the best labelling with another label there, and by how much
// the given one is better. They are the labellings of a search without its label for every token (rival_paths.hpp).
#pragma once

#include "perceptag/core/weights.hpp"
#include "perceptag/search/rival.hpp"
#include "perceptag/search/worker.hpp"

namespace perceptag {

Rivals rivals(const Weights& weights, const Sequence& x, Labelling labels, const TagDictionary* dictionary,
              Worker& worker);

}  // namespace perceptag

// The rivals of a labelling under weights: for each token the best labelling with another label there, and by how much
// the given one is better. They are the labellings of `viterbi_without` for every token (rival_paths.hpp).
#pragma once

#include <cstdint>
#include <vector>

#include "perceptag/core/weights.hpp"
#include "perceptag/search/worker.hpp"

namespace perceptag {

struct Rival {
    std::vector<std::int32_t> labels;  // [T], or empty if no other label is possible
    double margin = 0;
};

std::vector<Rival> rivals(const Weights& weights, const Sequence& x, Labelling labels, const TagDictionary* dictionary,
                          Worker& worker);

}  // namespace perceptag

// Whole passes of the perceptron and the margin perceptron: the loops of learn/perceptron.py and learn/margin.py.
#pragma once

#include <cstdint>
#include <span>

#include "perceptag/core/weights.hpp"
#include "perceptag/search/worker.hpp"

namespace perceptag {

// What was wrong under the weights before each update.
struct Mistakes {
    std::int64_t sequences = 0;
    std::int64_t labels = 0;

    void count(Labelling gold, Labelling guess);
};

// Every sequence has gold labels that the weights know.
using Examples = std::span<const Sequence* const>;

Mistakes perceptron_pass(Weights& weights, Examples examples, const TagDictionary* dictionary, Worker& worker);
// `margin`: how far the gold labelling must be above the second best; `step`: the size of an update.
Mistakes margin_pass(Weights& weights, Examples examples, const TagDictionary* dictionary, double margin, double step,
                     Worker& worker);

}  // namespace perceptag

// One document of the loop of learn/ascent.py: lists of candidates, coordinate ascent, and updates sentence by
// sentence.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "perceptag/core/weights.hpp"
#include "perceptag/document/nonlocal.hpp"
#include "perceptag/linear/passes.hpp"

namespace perceptag {

// How documents are searched, and when weights move.
struct Ascent {
    LabelReading reading;
    Families families;
    bool own;             // only mentions in a candidate's own sentence count
    double scale;         // of all values of non-local features
    int n;                // the length of a list
    double margin;        // C^a
    double margin_local;  // C^l
    double step;          // the size of an update
    int longest = kLongestPhrase;
};

// The weights of non-local features, and their sums for the average.
struct NonLocalWeights {
    std::span<double> w, sum;
};

// `tokens[s]`: ids of the words of sentence s; `joining[id]` is 1 for words such as "and". Where labels are missing,
// `known[s]` is the same sequence, with entries of `known_labels` for the labels that its tokens may have; elsewhere
// it is null. `known` is empty if no label is missing.
struct AscentDocument {
    std::span<const Sequence* const> sequences;
    std::vector<std::vector<std::int32_t>> tokens;
    std::vector<std::uint8_t> joining;
    std::span<const Sequence* const> known = {};
    const TagDictionary* known_labels = nullptr;
};

// Learns from one document; every sequence has gold labels that the weights know, or known labels. All lists are found
// under the same weights, so threads share them out.
Mistakes learn_document(const Ascent& how, Weights& weights, const NonLocalWeights& global,
                        const AscentDocument& document, const TagDictionary* dictionary, int threads);

}  // namespace perceptag

// Probabilities of labels and of events under p(y | x) ∝ exp(scale · score(y)), for any weights. A scale of 1 is the
// distribution that a conditional random field was trained as; 1 / scale is the temperature.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "perceptag/core/corpus.hpp"
#include "perceptag/search/forward_backward.hpp"

namespace perceptag {

// Of every token, one sequence after the other: [tokens, L], or with the label before, [tokens, L+1, L]; the first
// token of a sequence has the start, number L, before it. If dictionary and constraints leave no labelling, the
// dictionary is ignored, as `viterbi` does.
std::vector<double> marginals(const Weights& weights, const Corpus& corpus, const TagDictionary* dictionary,
                              double scale, bool pairs, int threads);

// Events in the sequences of a corpus: event i is in sequence[i], begins at token first[i], and each of its tokens
// k allows the transitions of tables[masks[begin[i] + k]]; a table is [L+1, L].
struct Events {
    std::span<const std::int32_t> sequence, first, begin, masks;
    std::span<const std::uint8_t> tables;
};
// Their probabilities. Events of the same sequence stand together, or the sequence is worked through again.
std::vector<double> event_probabilities(const Weights& weights, const Corpus& corpus, const TagDictionary* dictionary,
                                        double scale, const Events& events, int threads);

}  // namespace perceptag

// Search under rules about spans: the best labellings, the n best, margins and probabilities, all exact.
//
// The lattice of a sequence becomes the lattice of its states (span_states.hpp). The searches for lattices run on that
// one, and what they find is read by labels again. Sequences without rules keep their lattice.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "perceptag/core/corpus.hpp"
#include "perceptag/search/local_search.hpp"
#include "perceptag/search/marginals.hpp"
#include "perceptag/search/nbest.hpp"
#include "perceptag/search/span_states.hpp"

namespace perceptag {

// Rules about the sequences of a corpus, and what else limits their labels.
struct ConstrainedSearch {
    const Weights& weights;
    const TagDictionary* dictionary;  // ignored where, with the rules, it leaves no labelling
    // Of models that are normalised at every token: scores are logarithms of probabilities, found without a beam.
    std::optional<Limits> local;
    ChunkPairs pairs;
    std::vector<SequenceRules> rules;  // of each sequence

    // The best labellings, one after the other: [tokens]; -1 everywhere in a sequence that has none.
    std::vector<std::int32_t> decode(const Corpus& corpus, int threads) const;
    // The n best of each sequence; empty where there is none.
    std::vector<NBest> nbest(const Corpus& corpus, int n, int threads) const;
    // As max_marginals.hpp has them: [tokens, L]; 0 where a sequence has no labelling.
    std::vector<float> max_marginals(const Corpus& corpus, int threads) const;
    // As marginals.hpp has them.
    std::vector<double> marginals(const Corpus& corpus, double scale, bool pairs_of_labels, int threads) const;
    std::vector<double> event_probabilities(const Corpus& corpus, double scale, const Events& events,
                                            int threads) const;
};

}  // namespace perceptag

// Labels of whole documents under local and non-local features, many documents at a time.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "perceptag/document/document_search.hpp"
#include "perceptag/linear/predictor.hpp"

namespace perceptag {

// The words of documents: document d has the sequences [documents[d], documents[d+1]).
struct DocumentWords {
    std::span<const std::int32_t> words;  // [tokens] equal numbers are equal words
    std::size_t known;                    // all numbers of words are below this
    std::span<const std::int32_t> documents;
    std::span<const std::int32_t> joining;  // words such as "and"
};

struct DocumentLabels {
    std::vector<std::int32_t> labels;  // [tokens]
    std::size_t lists = 0;             // how many n-best lists had to be made
    std::size_t steps = 0;             // how many phrases were found and counted
};

class DocumentDecoder {
  public:
    // The predictor must outlive it.
    DocumentDecoder(Predictor& predictor, MentionWeights weights, int n, int longest = kLongestPhrase);

    const Predictor& predictor() const { return predictor_; }
    // Any number of threads may call this at once.
    DocumentLabels tag(const TagDictionary* dictionary, const Batch& sequences, const DocumentWords& words,
                       int threads) const;

  private:
    Predictor& predictor_;
    MentionWeights weights_;
    LabelRoles roles_;
    AscentSettings settings_;
};

// The same for sequences that are encoded, under local weights that need not be those of a model.
DocumentLabels decode_documents(const Weights& local, const MentionWeights& weights, int n, const Corpus& corpus,
                                const TagDictionary* dictionary, const DocumentWords& words, int threads,
                                int longest = kLongestPhrase);

}  // namespace perceptag

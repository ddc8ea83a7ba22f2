// Many sequences at once: encoding on several threads.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "perceptag/core/features.hpp"
#include "perceptag/core/weights.hpp"

namespace perceptag {

struct Corpus {
    std::vector<Sequence> sequences;

    // The largest number of features, of all orders together, at one token. If features have amounts: the largest sum
    // of these, and of plain transitions, in units of kAmountUnit. A score is then a multiple of a weight's unit times
    // that.
    int active() const;
    bool has_amounts() const;
    // Where each sequence begins in an array with `width` numbers for each token, and where the last one ends.
    std::vector<std::size_t> starts(std::size_t width = 1) const;
};

// Type ids of a batch of sequences: columns[c][0 .. tokens), sequence i is [begin[i], begin[i+1]).
struct Batch {
    std::vector<const TypeTable*> tables;
    std::vector<const std::int32_t*> columns;
    std::span<const std::int32_t> begin;
    std::span<const std::int32_t> labels;  // [tokens] or empty
    std::span<const std::int32_t> closed;  // [tokens] or empty

    std::size_t size() const { return begin.size() - 1; }
    void attach(std::size_t i, Sequence& x) const;
    // The labels of one sequence among those of all tokens.
    LabelsOut part(LabelsOut all, std::size_t i) const { return all.subspan(begin[i], begin[i + 1] - begin[i]); }
};

// Encode and add new features to the index.
Corpus encode_new(FeatureIndex& index, const Batch& batch, int threads);
// Make features of whole spans from the gold labels of a corpus, in the order of its sequences, and add those of all
// its spans.
void encode_spans(FeatureIndex& index, const Batch& batch, const SpanLabels& labels, Corpus& corpus, int threads);
// Encode with the features that the index has.
Corpus encode(const FeatureIndex& index, const Batch& batch, int threads);

}  // namespace perceptag

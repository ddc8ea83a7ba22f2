// Some of many sequences, whose type ids may be in a file that is mapped into memory.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "perceptag/core/corpus.hpp"

namespace perceptag {

// The tokens of one sequence.
struct TokenRange {
    std::size_t first;
    int T;
};

// Type ids, labels and entries of closed words of all tokens.
struct TokenArrays {
    std::vector<const TypeTable*> tables;
    std::vector<const std::int32_t*> columns;
    std::span<const std::int32_t> labels;  // or empty
    std::span<const std::int32_t> closed;  // or empty
};

// Encode the chosen sequences, with the features that the index has.
Corpus encode_some(const FeatureIndex& index, const TokenArrays& tokens, std::span<const TokenRange> chosen);

}  // namespace perceptag

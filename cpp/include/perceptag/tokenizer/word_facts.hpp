// What plain text and lists tell of words: whether they are abbreviations, and how they are written inside sentences.
#pragma once

#include <cstdint>
#include <vector>

#include "perceptag/core/features.hpp"

namespace perceptag {

// Python counts, and decides what the numbers mean; features only compare them.
struct WordFact {
    std::uint8_t abbreviation = 0, usage = 0;  // 0: not known
};

class WordFacts {
  public:
    WordFacts() = default;
    // Throws std::invalid_argument if a fingerprint is there twice.
    WordFacts(const std::vector<std::uint64_t>& keys, std::vector<WordFact> facts);

    WordFact at(std::uint64_t key) const {
        const std::int32_t number = map_.find(key);
        return number < 0 ? WordFact{} : facts_[number];
    }

  private:
    KeyMap map_;
    std::vector<WordFact> facts_;
};

}  // namespace perceptag

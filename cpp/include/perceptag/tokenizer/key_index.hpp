// Numbers for the features of characters, and texts as sequences of them: what learners over a lattice start from.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "perceptag/core/corpus.hpp"
#include "perceptag/core/features.hpp"
#include "perceptag/tokenizer/character_features.hpp"

namespace perceptag {

// What a character that is not white space may be.
enum class CharacterLabel : std::uint8_t { Inside, Sentence, Token, Word };
inline constexpr int kCharacterLabels = 4;
// The label of white space in an array for a whole text.
inline constexpr std::uint8_t kBetween = kCharacterLabels;

class CharacterKeys {
  public:
    // Throws std::invalid_argument if a fingerprint is there twice.
    explicit CharacterKeys(std::vector<std::uint64_t> keys);

    std::int32_t find(std::uint64_t key) const { return map_.find(key); }
    void prefetch(std::uint64_t key) const { map_.prefetch(key); }
    const std::vector<std::uint64_t>& keys() const { return keys_; }
    std::size_t size() const { return keys_.size(); }

  private:
    std::vector<std::uint64_t> keys_;
    KeyMap map_;
};

// The fingerprints `first`, and those of the text that occur `cutoff` times or more, in the order of the text.
CharacterKeys find_keys(const RunText& text, std::uint32_t cutoff, std::vector<std::uint64_t> first);

// The characters that are not white space. Sequence i has those in [begin[i], begin[i+1]) of the text. `labels`: of
// all characters of the text, or empty.
Corpus encode(const RunText& text, const CharacterKeys& index, std::span<const std::int64_t> begin,
              std::span<const std::uint8_t> labels);

// Calls visit(i, features) for each character i that is not white space, in order.
template <class Visit>
void for_each_character(const RunText& text, Visit visit) {
    RunParts parts;
    CharacterFeatures features;
    std::vector<std::uint64_t> keys;
    for (std::size_t r = 0; r < text.runs.size(); ++r) {
        const Run& run = text.runs[r];
        const Neighbours around = neighbours(text, r);
        find_parts(text, run, parts);
        for (std::int64_t t = 0; t < run.end - run.begin; ++t) {
            const auto inner = features.inner(text, run, parts, around, t);
            keys.assign(inner.begin(), inner.end());
            if (t == 0) {
                const auto outer = features.outer(text, r);
                keys.insert(keys.end(), outer.begin(), outer.end());
            }
            const auto unit = features.unit(text, run.begin + t);
            keys.insert(keys.end(), unit.begin(), unit.end());
            visit(run.begin + t, std::span<const std::uint64_t>(keys));
        }
    }
}

}  // namespace perceptag

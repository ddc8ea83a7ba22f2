// Tokens, words and sentences of a text, under the weights of a model.
//
// The label of a character is the one with the highest sum of weights. What inner features say of a run is kept for
// runs that were seen lately, since most runs of a text come again and again; only the outer features of its first
// character are looked up each time. Where weights are multiples of a power of two (Weights::averaged) sums are exact,
// and labels are those of `decode` in corpus.hpp.
#pragma once

#include <array>
#include <cstdint>
#include <mutex>
#include <vector>

#include "perceptag/core/pages.hpp"
#include "perceptag/tokenizer/key_index.hpp"

namespace perceptag {

enum class Start : std::uint8_t { Token, Sentence, Paragraph };

// Text [begin[i], end[i]) is a token.
struct Tokens {
    std::vector<std::int64_t> begin, end;
    std::vector<std::uint8_t> start;  // what begins with the token: `Start`
    std::vector<std::int64_t> cuts;   // where words begin inside tokens, in order
};

class Segmenter {
  public:
    using Scores = std::array<float, kCharacterLabels>;

    // weights: those of feature i of the index are weights[i]. `joins`: whether tokens may have white space inside.
    Segmenter(CharacterKeys index, std::vector<Scores> weights, bool joins);

    // A label for every character of the text; white space is `kBetween`. The first character of a paragraph begins a
    // sentence; that of a run begins a token, unless something else has a higher score. Calls may overlap: one of them
    // uses what is kept, the others begin with nothing.
    std::vector<std::uint8_t> labels(const RunText& text);

  private:
    static constexpr std::size_t kKept = 1 << 16, kLongest = 24;
    struct Entry {
        std::uint64_t exact = 0;
        std::uint8_t previous = 0, next = 0, size = 0;  // size 0: nothing is kept here
        std::array<std::uint8_t, kLongest> labels;      // but for the first character
        std::array<std::uint32_t, kLongest> codes;
        Scores first;
    };
    struct Memory {
        PagedArray<Entry> kept{kKept, false};  // zeros: a short text does not touch most of them
        RunParts parts;
        CharacterFeatures features;
    };

    std::vector<std::uint8_t> labels(const RunText& text, Memory& memory) const;
    std::uint8_t best_of_first(const Scores& scores) const;
    // Sums of weights of some features.
    Scores score(std::span<const std::uint64_t> keys) const;
    // Labels of all characters of a run but the first; returns the scores of the first by its inner features.
    Scores label_inside(const RunText& text, const Run& run, const Neighbours& around, Memory& memory,
                        std::uint8_t* out) const;
    Scores compute(const RunText& text, const Run& run, const Neighbours& around, Memory& memory,
                   std::uint8_t* out) const;

    CharacterKeys index_;
    std::vector<Scores> weights_;
    bool joins_;
    std::mutex lock_;  // of the memory
    Memory memory_;
};

Tokens find_tokens(const RunText& text, const std::vector<std::uint8_t>& labels);

}  // namespace perceptag

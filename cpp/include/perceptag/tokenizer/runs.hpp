// A text as runs of characters without white space, in paragraphs. All that features look at is prepared here.
//
//   "Hello, world.\n\nBye!"   ──▶   [Hello,] [world.]   |   [Bye!]
//
// A gap of white space with two line ends or more, that is with a blank line, separates paragraphs.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "perceptag/tokenizer/alphabet.hpp"
#include "perceptag/tokenizer/run_kinds.hpp"
#include "perceptag/tokenizer/units.hpp"
#include "perceptag/tokenizer/word_facts.hpp"

namespace perceptag {

// Features look at no more runs than this before and after their own, and never at another paragraph.
inline constexpr int kFarthest = 40;

// One more value in a fingerprint. For a given h different values give different results, and for a given value
// different h do.
constexpr std::uint64_t mix(std::uint64_t h, std::uint64_t value) {
    h = (h ^ value) * 0x9FB21C651E98DF25u;
    return h ^ (h >> 32);
}

// The nearest run, before or after, that ends in a mark: neither a letter nor a digit.
struct Mark {
    int distance = kFarthest;  // in runs; kFarthest: there is none so near
    std::uint32_t code = 0;    // 0: none
};

struct Run {
    std::int64_t begin, end;            // in the text
    std::uint64_t exact, lower, shape;  // fingerprints
    std::uint64_t gap;                  // of the white space before it; of the first in a paragraph: 0
    int before = 0, after = 0;          // how many runs the paragraph has before and after it, kFarthest at most
    std::uint32_t farthest_end = 0;     // the last character of the run `after` places on
    Mark last{}, next{};
    // Of an informed text only:
    RunShape form{};
    WordFact word{};
    std::uint8_t open = 0;  // brackets and quotes that are open before it: twice the number of brackets, and the quote
};

struct RunText {
    std::vector<std::uint32_t> codes;
    std::vector<Character> characters;  // as codes
    std::vector<Run> runs;
    bool informed = false;  // whether features also look at kinds, words, brackets and quotes
    // Of a text with known words only:
    std::vector<Unit> units{};
    std::vector<std::int32_t> unit_at{};  // for each character the number of the unit that begins there, or -1

    bool starts_paragraph(std::size_t run) const { return runs[run].before == 0; }
    CharacterClass kind(std::int64_t i) const { return characters[i].kind; }
    std::uint64_t kind_number(std::int64_t i) const { return static_cast<std::uint64_t>(kind(i)); }
    bool is_lexical() const { return !unit_at.empty(); }
    // What stands for a character in shapes: classes for what words are made of, all others are themselves.
    std::uint64_t outline(std::int64_t i) const {
        return is_of_words(kind(i)) ? kind_number(i) : kCharacterClasses + codes[i];
    }
};

// With the facts of words, which may be empty, the text is an informed one. `starts`: places, in increasing order,
// where further paragraphs begin if a run begins there. With a lexicon, features also look at its words. `characters`:
// as codes.
RunText make_runs(std::vector<std::uint32_t> codes, std::vector<Character> characters, const WordFacts* facts = nullptr,
                  std::span<const std::int64_t> starts = {}, const KnownWords* lexicon = nullptr);

}  // namespace perceptag

// The units that words consist of where spaces do not separate words, and the known words that they may form.
//
//   看似简单，       ──▶   [看] [似] [简] [单] [，]            Chinese: words of several characters
//   chủ tịch xã      ──▶   [chủ] [tịch] [xã]                 Vietnamese: words of several syllables
//
// No word begins between two letters of a script with case, between two digits, or before a combining mark; everything
// else begins a unit.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "perceptag/core/features.hpp"
#include "perceptag/tokenizer/alphabet.hpp"

namespace perceptag {

struct RunText;

// Known words, by fingerprints of their small letters.
class KnownWords {
  public:
    // Throws std::invalid_argument if a fingerprint is there twice.
    explicit KnownWords(std::span<const std::uint64_t> keys);
    bool has(std::uint64_t key) const { return map_.find(key) >= 0; }

  private:
    KeyMap map_;
};

// The longest known word in some place; size 0: there is none.
struct Match {
    int size = 0;   // in units
    int place = 0;  // how many of them are before the unit
    std::uint64_t word = 0;
};

struct Unit {
    std::int64_t begin, end;           // in the text
    std::uint64_t lower;               // fingerprint of its small letters
    bool is_spaced = false;            // whether white space is before it
    bool is_first = false;             // whether it begins a paragraph
    bool is_word = false;              // whether it is a known word by itself
    Match before{}, from{}, across{};  // words that end before the unit, begin with it, begin before it and contain it
};

// The units of a text, whose runs are known; no words are.
void find_units(RunText& text);
// Find the known words in the part [begin, end) of the text, and forget others there.
void match_words(RunText& text, const KnownWords& lexicon, std::int64_t begin, std::int64_t end);

}  // namespace perceptag

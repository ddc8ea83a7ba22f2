// The phrases that a document has more than once, and where they begin.
//
// A phrase is a run of at most `longest` words within one sequence. A phrase that occurs once has no kin, so it needs
// no number. If a phrase is repeated, so are its beginnings: the repeated phrases that begin at one place are those of
// 1, 2, …, up to some number of words.
//
// Cost: phrases of n + 1 words are found by sorting the places of each phrase of n words by the next word, with
// counters for words and without comparisons or hashing. That is one step for each place of a repeated phrase, so
// reading a document of T words takes at most T · (longest + 1) steps and as many numbers, whatever the words are.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace perceptag {

// Longer phrases are not compared with each other. The longest name in the corpora of CoNLL-2002, CoNLL-2003, BTC,
// Universal NER and Wikigold has 17 words.
constexpr int kSweeps = 4;  // coordinate ascent goes over a document at most this often
constexpr int kLongestPhrase = 32;

class RepeatedPhrases {
  public:
    RepeatedPhrases() = default;
    // Of sentences, whose words have numbers below `known`.
    RepeatedPhrases(const std::vector<std::vector<std::int32_t>>& sentences, std::size_t known, int longest);

    // Sequence s is [begin[s], begin[s+1]) of the words, whose numbers are below `known`.
    void read(std::span<const std::int32_t> words, std::span<const std::int32_t> begin, std::size_t known,
              int longest = kLongestPhrase);

    std::size_t size() const { return size_; }              // how many different ones there are
    int longest() const { return longest_; }                // how many words the longest one has
    std::size_t places() const { return numbers_.size(); }  // at how many places they begin, for each length

    // The numbers of those that begin at t: the phrase of one word, of two words, and so on.
    std::span<const std::int32_t> at(std::int32_t t) const {
        return std::span(numbers_).subspan(row_[t], row_[t + 1] - row_[t]);
    }
    // … and end before `end`.
    std::span<const std::int32_t> within(std::int32_t t, std::int32_t end) const {
        const auto here = at(t);
        return here.first(std::min<std::size_t>(here.size(), end - t));
    }
    // The number of the phrase [start, end), or -1 if it is not repeated.
    std::int32_t number(std::int32_t start, std::int32_t end) const {
        const auto here = at(start);
        const std::size_t length = end - start;
        return length <= here.size() ? here[length - 1] : -1;
    }

  private:
    // The repeated phrases of one length: their places phrase by phrase, and where the places of each end.
    struct Level {
        std::vector<std::int32_t> places;
        std::vector<std::size_t> ends;
        void clear() { places.clear(), ends.clear(); }
    };

    void number_words(std::span<const std::int32_t> words, std::span<const std::int32_t> begin, std::size_t known);
    void extend(const Level& from, int length, Level& to);
    void sort_by_word(std::span<const std::int32_t> places, int length, Level& to);
    void keep(const Level& level);
    void make_rows(std::size_t words);

    std::size_t size_ = 0;
    int longest_ = 0;
    std::vector<std::size_t> row_;       // [words + 1]
    std::vector<std::int32_t> numbers_;  // of the phrases at each place

    // Scratch memory, kept from document to document.
    struct Kept {
        std::int32_t place, number;
    };
    std::vector<Kept> kept_;           // by length
    std::vector<std::int32_t> names_;  // [known] the number of a word in this document, or -1
    std::vector<std::int32_t> word_;   // [words] its number
    std::vector<std::int32_t> stop_;   // [words] where its sequence ends
    std::vector<std::int32_t> count_;  // [different words]
    std::vector<std::size_t> next_;    // [different words] where the next place goes
    std::vector<std::int32_t> seen_;   // words
    std::vector<std::int32_t> all_;    // places
    Level level_, longer_;
};

}  // namespace perceptag

// Counts the words and bigrams of a text of any length in bounded memory.
//
// When there are more different bigrams than allowed, the rarest are forgotten until half of them are left. When there
// are more different words than allowed, the rarest become rare words, which share one number, until half of them are
// left; if such a word comes again, it is counted from 1. Below these limits all counts are exact.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "perceptag/classes/bigram_counts.hpp"
#include "perceptag/classes/pair_table.hpp"
#include "perceptag/classes/word_table.hpp"

namespace perceptag {

class BigramCounter {
  public:
    BigramCounter(std::size_t most_words, std::size_t most_bigrams);

    // Sentences on lines; words are separated by spaces or tabs. The last line may lack its end.
    void add_text(std::string_view text);
    // One sentence.
    void add_sentence(std::span<const std::string_view> words);

    // The counts so far, of the words that were seen `least` times or more; all others are rare words. The counter is
    // empty afterwards.
    BigramCounts finish(std::uint32_t least);

    std::uint64_t tokens() const { return tokens_; }
    std::uint64_t sentences() const { return sentences_; }
    std::size_t types() const { return words_.size() - kSpecial; }
    std::size_t bigrams() const { return pairs_.size(); }
    // What the limits have cost: words that were counted as rare words, and bigrams that were forgotten.
    std::size_t dropped_words() const { return dropped_words_; }
    std::size_t dropped_bigrams() const { return dropped_bigrams_; }

  private:
    static constexpr std::uint32_t kRare = 0, kBorder = 1, kSpecial = 2;

    void add_word(std::string_view word);
    void end_sentence();
    void keep_limits();
    void drop_words();
    void drop_bigrams();
    // Moves the words that were seen so often to `found`; returns the new number of each word.
    std::vector<std::uint32_t> take_words(std::uint32_t least, BigramCounts& found);

    std::size_t most_words_, most_bigrams_;
    WordTable words_;  // the first two numbers are not words
    PairTable pairs_;
    std::uint32_t last_ = kBorder;
    std::uint64_t tokens_ = 0, sentences_ = 0;
    std::size_t dropped_words_ = 0, dropped_bigrams_ = 0;
};

}  // namespace perceptag

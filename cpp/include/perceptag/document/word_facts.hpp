// The words of documents, each with what columns that are computed from documents need to know about it.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "perceptag/core/types.hpp"
#include "perceptag/text/column_text.hpp"

namespace perceptag {

class WordFacts {
  public:
    // What is known of a word: the number of the word in lower case, whether it begins with a capital, its numbers in
    // the two lists of phrases (as it is; in lower case), and for each column that has words as values its type there.
    enum Fact { kLowerCase, kCapital, kPhraseWord, kPhraseWordInLowerCase, kFacts };

    explicit WordFacts(int columns) : facts_(kFacts + columns) {}

    // The number of a word, or -1.
    std::int32_t find(std::string_view text) const { return texts_.find(text); }
    // Gives a new word the next number. A lower case of -1 stands for the word itself. One writer at a time.
    std::int32_t add(std::string_view text, std::span<const std::int32_t> facts);

    std::int32_t size() const { return facts_.size(); }
    // Threads may read while another one adds.
    std::int32_t lower(std::int32_t word) const {
        const std::int32_t other = facts_.row(word)[kLowerCase];
        return other < 0 ? word : other;
    }
    bool is_capital(std::int32_t word) const { return facts_.row(word)[kCapital] > 0; }
    std::int32_t phrase_word(std::int32_t word) const { return facts_.row(word)[kPhraseWord]; }
    std::int32_t phrase_word_in_lower_case(std::int32_t word) const { return facts_.row(word)[kPhraseWordInLowerCase]; }
    std::int32_t type(std::int32_t word, std::size_t column) const { return facts_.row(word)[kFacts + column]; }

  private:
    TextLexicon texts_;
    TypeTable facts_;
};

}  // namespace perceptag

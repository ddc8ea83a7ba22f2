// Numbers for the words of documents. A new word gets the next number, and its facts are found once.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "perceptag/document/spelling.hpp"
#include "perceptag/document/word_facts.hpp"

namespace perceptag {

class WordNumbers {
  public:
    // Appends the facts of a new word from `WordFacts::kPhraseWord` on: its numbers in the lists of phrases, and its
    // types in the columns that have words as values.
    using Describe =
        std::function<void(std::string_view word, std::string_view lower, std::vector<std::int32_t>& facts)>;

    // `columns`: how many columns have words as values.
    WordNumbers(int columns, SpellUnicode spell_unicode, Describe describe);

    // The number of a word in UTF-8. One caller at a time; the functions given may let another one in.
    std::int32_t number(std::string_view word);
    // Threads may read these while a word is added.
    const WordFacts& facts() const { return facts_; }

  private:
    std::int32_t add(std::string_view word);

    WordFacts facts_;
    SpellUnicode spell_unicode_;
    Describe describe_;
};

}  // namespace perceptag

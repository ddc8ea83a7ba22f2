// The classes of words, as perceptag/features/class_table.py defines them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "perceptag/text/column_text.hpp"

namespace perceptag {

// The words of a text and their classes, as a file has them.
struct ListedClasses {
    std::string_view words;                  // with line ends between them, the most frequent first
    std::span<const std::uint32_t> counts;   // of each word
    std::span<const std::uint16_t> numbers;  // [words, sizes]
    std::vector<std::int32_t> sizes;
    bool in_any_case;  // whether lower case stands for the most frequent spelling
};

// The classes of words, in several sizes. A word is looked up in several spellings: as it is written, with its digits
// as 0, the same in lower case, and if it is in capitals, with a capital at its beginning only.
class ClassTable {
  public:
    // How a word with other letters than ASCII looks with its digits as 0, and in lower case: Python knows Unicode.
    using Forms = std::function<std::pair<std::string, std::string>(std::string_view)>;
    // Throws if a word is empty or there twice, or a class is not below its size.
    ClassTable(const ListedClasses& listed, const Forms& forms);

    // The place of an attribute such as "class256" among the sizes, or nothing.
    std::optional<std::size_t> place_of(std::string_view name) const;
    // The class of an ASCII word among the classes of one size, or kNone.
    std::int32_t find(std::string_view word, std::size_t place) const;
    // The place of the word that stands for a spelling, or -1.
    std::int32_t row(std::string_view spelling) const { return rows_.find(spelling); }
    // All words in lower case.
    const std::shared_ptr<const TextLexicon>& lowered() const { return lowered_; }

  private:
    std::int32_t row_of(std::string_view word) const;

    TextLexicon rows_;
    std::shared_ptr<const TextLexicon> lowered_;  // with the place of the most frequent of them
    std::vector<std::uint16_t> numbers_;
    std::vector<std::int32_t> sizes_;
};

}  // namespace perceptag

// The classes of ASCII words, as perceptag/features/class_table.py finds them for all words.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "perceptag/text/column_text.hpp"

namespace perceptag {

// The classes of words, in several sizes. A word is looked up in several spellings: as it is written, with its digits
// as 0, the same in lower case, and if it is in capitals, with a capital at its beginning only.
class ClassTable {
  public:
    // `rows` has the row of every spelling that is known; `numbers` the classes of each row, one for each size.
    ClassTable(TextLexicon rows, std::vector<std::int32_t> numbers, std::vector<std::int32_t> sizes);

    // The place of an attribute such as "class256" among the sizes, or nothing.
    std::optional<std::size_t> place_of(std::string_view name) const;
    // The class of an ASCII word among the classes of one size, or kNone.
    std::int32_t find(std::string_view word, std::size_t place) const;

  private:
    std::int32_t row_of(std::string_view word) const;

    TextLexicon rows_;
    std::vector<std::int32_t> numbers_;
    std::vector<std::int32_t> sizes_;
};

}  // namespace perceptag

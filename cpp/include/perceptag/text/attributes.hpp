// Attributes of ASCII words, as perceptag/features/attributes.py defines them for all words.
//
// Tagging meets new words all the time, and a dozen Python functions for each would take longer than the tagging
// itself. Words with other letters, and attributes that are not here, are left to Python, which knows Unicode.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "perceptag/text/class_table.hpp"
#include "perceptag/text/column_text.hpp"

namespace perceptag {

// A chain of attributes, from left to right: {"lower", "suffix3"}. No name: the word itself.
class AttributeChain {
  public:
    // Nothing if there is a name that is not known here. `classes` may be null.
    static std::optional<AttributeChain> make(const std::vector<std::string>& names,
                                              std::shared_ptr<const ClassTable> classes);
    // The value of an ASCII word in `value`, or false if it has none.
    bool apply(std::string_view word, std::string& value) const;

  private:
    enum class Kind { kLower, kShape, kShortShape, kDigit, kUpper, kHyphen, kCapital, kPrefix, kSuffix, kClass };
    struct Step {
        Kind kind;
        std::size_t number;  // the length of a prefix or suffix; the place of a size of classes
    };
    bool apply(const Step& step, std::string& value) const;

    std::vector<Step> steps_;
    std::shared_ptr<const ClassTable> classes_;
};

// Attribute chains of one column with the numbers of their values.
class AttributeReader {
  public:
    AttributeReader(std::vector<AttributeChain> chains, std::vector<TextLexicon> vocabularies);

    // The numbers of all attributes of a word, kNone where it has none or an unknown one; false if it is not ASCII.
    bool read(std::string_view word, std::vector<std::int32_t>& row) const;

  private:
    std::vector<AttributeChain> chains_;
    std::vector<TextLexicon> vocabularies_;
};

}  // namespace perceptag

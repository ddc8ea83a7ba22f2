// Attributes of words, as perceptag/features/attributes.py defines them.
//
// Tagging meets new words all the time, and a dozen Python functions for each would take longer than the tagging
// itself. Attributes that are not here are left to Python, and so are classes and endings of words with other letters
// than ASCII, and the few words whose small letters depend on more than each letter.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "perceptag/core/types.hpp"
#include "perceptag/text/class_table.hpp"
#include "perceptag/text/column_text.hpp"
#include "perceptag/text/ending_table.hpp"
#include "perceptag/text/feature_lists.hpp"

namespace perceptag {

// What was learned from plain text; either may be null.
struct LearnedTables {
    std::shared_ptr<const ClassTable> classes;
    std::shared_ptr<const EndingTable> endings;
};

// A chain of attributes, from left to right: {"lower", "suffix3"}. No name: the word itself.
class AttributeChain {
  public:
    // Nothing if there is a name that is not known here. Endings are known at the end of a chain.
    static std::optional<AttributeChain> make(const std::vector<std::string>& names, LearnedTables learned);
    // The value of a word, before endings are looked up, or nothing if it has none. It may be a part of the word, or in
    // `memory`.
    std::optional<std::string_view> apply(std::string_view word, bool word_is_ascii, std::string& memory) const;
    // The number of that value and its hash: kNone, one, or that of a bag of several in the table.
    std::int32_t number(std::string_view value, std::uint64_t hash, const TextLexicon& vocabulary,
                        TypeTable& table) const {
        return ends_in_endings_ ? read_endings(value, vocabulary, table) : vocabulary.find(value, hash);
    }
    // Whether the chain takes lists of features apart, which it does for any letters; and whether these have amounts.
    bool is_list() const { return is_list_; }
    bool has_amounts() const { return has_amounts_; }
    // Whether it takes words with other letters than ASCII.
    bool takes_all_letters() const;
    // Both at once, for an ASCII word.
    std::int32_t read(std::string_view word, const TextLexicon& vocabulary, TypeTable& table) const;

  private:
    enum class Kind {
        kLower,
        kShape,
        kShortShape,
        kDigit,
        kUpper,
        kHyphen,
        kCapital,
        kAllCaps,
        kNumber,
        kPrefix,
        kSuffix,
        kClass
    };
    struct Step {
        Kind kind;
        std::size_t number;  // the length of a prefix or suffix; the place of a size of classes
    };
    bool apply(const Step& step, std::string_view& value, std::string& memory) const;  // to an ASCII word
    static bool apply_to_letters(const Step& step, std::string_view& value, std::string& memory);
    std::int32_t read_endings(std::string_view word, const TextLexicon& vocabulary, TypeTable& table) const;

    std::vector<Step> steps_;
    LearnedTables learned_;
    bool ends_in_endings_ = false;
    bool is_list_ = false;
    bool has_amounts_ = false;
};

// The attributes of a word, and the memory in which they are read.
struct AttributeScratch {
    // The value of an attribute, on its way to a number.
    struct Value {
        std::string memory;
        std::string_view text;  // in the word or in the memory
        std::uint64_t hash;
    };
    std::vector<std::int32_t> row;  // the numbers of all attributes
    std::vector<Value> values;
    ListScratch list;
};

// Whether chains take a word: any ASCII word, one of other letters if all chains take those, and any list of features.
class ReadableWords {
  public:
    explicit ReadableWords(const std::vector<AttributeChain>& chains);
    bool has(std::string_view word, bool word_is_ascii) const;

  private:
    bool are_lists_;
    bool have_all_letters_;
};

// Attribute chains of one column with the numbers of their values.
class AttributeReader {
  public:
    AttributeReader(std::vector<AttributeChain> chains, std::vector<std::shared_ptr<const TextLexicon>> vocabularies);

    // Writes the numbers of all attributes of a word to `scratch.row`, kNone where it has none or an unknown one; false
    // if Python must find them: those of words that are not readable here, and of lists with something wrong. A word
    // with several values of an attribute gets a bag of them in the table.
    bool read(std::string_view word, TypeTable& table, AttributeScratch& scratch) const;

  private:
    std::vector<AttributeChain> chains_;
    std::vector<std::shared_ptr<const TextLexicon>> vocabularies_;  // readers may share them
    ReadableWords readable_;
};

}  // namespace perceptag

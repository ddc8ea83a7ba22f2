// Reads the columns of a model that are computed from documents: numbers the words, and keeps their types.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "perceptag/core/types.hpp"
#include "perceptag/document/document_columns.hpp"
#include "perceptag/document/phrase_table.hpp"
#include "perceptag/document/word_numbers.hpp"
#include "perceptag/text/attributes.hpp"

namespace perceptag {

// Phrases by class. Classes come in the order in which their marks are listed.
struct NamedPhrases {
    PhraseTable table;
    std::vector<std::string> kinds;
};

// The types of one column's values: found natively if the reader can, else by the caller.
struct ColumnValues {
    TypeTable* table;
    const AttributeReader* reader;                              // or null
    std::function<std::int32_t(std::string_view value)> ask{};  // for the type of tokens with this value and no other

    std::int32_t type(std::string_view value) const;
};

struct DocumentColumnValues {
    DocumentColumn kind;
    ColumnValues values;
};

class DocumentReader {
  public:
    // All pointers must outlive the reader; the lists of phrases may be null.
    DocumentReader(std::vector<DocumentColumnValues> columns, const NamedPhrases* as_written,
                   const NamedPhrases* in_lower_case, SpellUnicode spell_unicode);
    DocumentReader(const DocumentReader&) = delete;
    DocumentReader& operator=(const DocumentReader&) = delete;

    // The number of a word in UTF-8. One caller at a time; `ask` and `spell_unicode` may let another one in.
    std::int32_t number(std::string_view word) { return words_.number(word); }
    // The number of words so far.
    std::int32_t size() const { return words_.facts().size(); }
    // All columns of some tokens, whose words have numbers. Other threads may number words meanwhile.
    std::vector<ComputedColumn> compute(const DocumentTokens& tokens) const {
        return compute_columns(words_.facts(), borders_, columns_, phrases_, tokens);
    }

  private:
    void describe(std::string_view word, std::string_view lower, std::vector<std::int32_t>& facts) const;

    std::vector<ColumnValues> word_values_;  // of the columns that have words as values
    WordNumbers words_;
    std::vector<ValueColumn> columns_;
    Phrases phrases_;
    Borders borders_{};
};

}  // namespace perceptag

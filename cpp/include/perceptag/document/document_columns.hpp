// Columns that are computed from the documents that tokens are in, without any labels.
//
// As perceptag/features/document_columns.py and gazetteer.py define them. A token may have several values in such a
// column; all its values together are a type of a table that is made for one batch. Type 0 has no values.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "perceptag/core/types.hpp"
#include "perceptag/document/phrase_table.hpp"
#include "perceptag/document/word_facts.hpp"

namespace perceptag {

enum class DocumentColumn {
    kRecurs,
    kLower,
    kInside,
    kBefore,
    kAfter,
    kNameBefore,
    kNameAfter,
    kPhrases,
    kPhrasePositions
};

std::optional<DocumentColumn> document_column(std::string_view name);

// Whether the values of a column are words, and not flags or marks.
constexpr bool has_words(DocumentColumn kind) {
    return kind >= DocumentColumn::kBefore && kind <= DocumentColumn::kNameAfter;
}

// Whether the values of a column are marks of phrases.
constexpr bool has_phrases(DocumentColumn kind) { return kind >= DocumentColumn::kPhrases; }

// One column: its types by single values are in the table of its lexicon.
struct ValueColumn {
    DocumentColumn kind;
    const TypeTable* singles;         // types with one value
    std::vector<std::int32_t> types;  // there: of the flag, or of the marks of phrases
};

struct ComputedColumn {
    std::vector<std::int32_t> ids;  // [tokens]
    std::unique_ptr<TypeTable> table;
};

struct Phrases {
    const PhraseTable* as_written = nullptr;
    const PhraseTable* in_lower_case = nullptr;
    // The number of a mark among the types of the column, for each mark of the table.
    std::vector<std::int32_t> marks_as_written, marks_in_lower_case;
};

// Tokens of documents: sentence i is [begin[i], begin[i+1]), document d has the sentences [documents[d],
// documents[d+1]).
struct DocumentTokens {
    std::span<const std::int32_t> words;
    std::span<const std::int32_t> begin;
    std::span<const std::int32_t> documents;
};

// The words "<s>" and "</s>" stand for the borders of a sentence.
struct Borders {
    std::int32_t start, end;
};

// `columns`: those with words come in the order in which the word table has their types.
std::vector<ComputedColumn> compute_columns(const WordFacts& words, Borders borders,
                                            std::span<const ValueColumn> columns, const Phrases& phrases,
                                            const DocumentTokens& tokens);

}  // namespace perceptag

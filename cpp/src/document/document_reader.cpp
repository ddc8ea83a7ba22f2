#include "perceptag/document/document_reader.hpp"

#include <algorithm>
#include <utility>

#include "perceptag/core/integers.hpp"

namespace perceptag {
namespace {

std::vector<ColumnValues> values_that_are_words(const std::vector<DocumentColumnValues>& columns) {
    std::vector<ColumnValues> found;
    for (const DocumentColumnValues& column : columns)
        if (has_words(column.kind)) found.push_back(column.values);
    return found;
}

// The marks of a list of phrases as places in a list of all marks, which grows.
std::vector<std::int32_t> places_of(const NamedPhrases& phrases, std::vector<std::string>& all) {
    std::vector<std::int32_t> places;
    for (const std::string& kind : phrases.kinds)
        for (const char* start : {"B-", "I-", "L-", "U-"}) {  // in the order of PhraseTable::Position
            const auto place = std::ranges::find(all, start + kind) - all.begin();
            if (place == std::ssize(all)) all.push_back(start + kind);
            places.push_back(to_int32(place));
        }
    return places;
}

// A mark as the column `gazetteer` has it, which only says whether a word is the first of a match.
std::string plain_mark(std::string mark) {
    mark[0] = mark[0] == 'B' || mark[0] == 'U' ? 'B' : 'I';
    return mark;
}

// The types of the values that a column has besides words: a flag, or the marks of phrases.
std::vector<std::int32_t> fixed_types(const DocumentColumnValues& column, const std::vector<std::string>& marks) {
    std::vector<std::string> values;
    if (!has_words(column.kind)) values = has_phrases(column.kind) ? marks : std::vector<std::string>{"1"};
    if (column.kind == DocumentColumn::kPhrases) std::ranges::transform(values, values.begin(), plain_mark);
    std::vector<std::int32_t> types;
    for (const std::string& value : values) types.push_back(column.values.type(value));
    return types;
}

}  // namespace

std::int32_t ColumnValues::type(std::string_view value) const {
    AttributeScratch found;
    return reader && reader->read(value, *table, found) ? table->add(found.row) : ask(value);
}

DocumentReader::DocumentReader(std::vector<DocumentColumnValues> columns, const NamedPhrases* as_written,
                               const NamedPhrases* in_lower_case, SpellUnicode spell_unicode)
    : word_values_(values_that_are_words(columns)),
      words_(to_int32(word_values_.size()), std::move(spell_unicode),
             [this](auto word, auto lower, auto& facts) { describe(word, lower, facts); }) {
    std::vector<std::string> marks;
    if (as_written) {
        phrases_.as_written = &as_written->table;
        phrases_.marks_as_written = places_of(*as_written, marks);
    }
    if (in_lower_case) {
        phrases_.in_lower_case = &in_lower_case->table;
        phrases_.marks_in_lower_case = places_of(*in_lower_case, marks);
    }
    for (const DocumentColumnValues& column : columns)
        columns_.push_back({column.kind, column.values.table, fixed_types(column, marks)});
    borders_ = {number("<s>"), number("</s>")};
}

void DocumentReader::describe(std::string_view word, std::string_view lower, std::vector<std::int32_t>& facts) const {
    facts.push_back(phrases_.as_written ? phrases_.as_written->word(word) : -1);
    facts.push_back(phrases_.in_lower_case ? phrases_.in_lower_case->word(lower) : -1);
    for (const ColumnValues& values : word_values_) facts.push_back(values.type(word));
}

}  // namespace perceptag

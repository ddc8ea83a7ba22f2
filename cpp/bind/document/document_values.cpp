// The values of columns that are computed from documents, as strings: training gives them numbers of its own.
#include <nanobind/stl/string.h>

#include <algorithm>

#include "core/arrays.hpp"
#include "core/vectors.hpp"
#include "document/spelling.hpp"
#include "perceptag/document/document_columns.hpp"

namespace perceptag {
namespace {

// The words of some documents. Each is a type whose only value is its own number.
class NumberedWords {
  public:
    explicit NumberedWords(std::size_t columns) : facts(static_cast<int>(columns)), columns_(columns) {}

    std::int32_t number(const nb::object& word) {
        const std::string_view text = bytes_of(word);
        const std::int32_t known = facts.find(text);
        return known >= 0 ? known : add(text, word);
    }

    WordFacts facts;
    TypeTable types{1};
    std::vector<nb::object> words;

  private:
    std::int32_t add(std::string_view text, const nb::object& word) {
        const Spelling spelling = spelling_of(text, word);
        const bool is_lower = spelling.lower == text;
        const std::int32_t lower = is_lower ? -1 : number(nb::str(spelling.lower.data(), spelling.lower.size()));
        const std::int32_t own = facts.size();
        std::vector<std::int32_t> known{lower, spelling.is_capital, -1, -1};
        known.resize(known.size() + columns_, own);
        types.add({&own, 1});
        words.push_back(word);
        return facts.add(text, known);
    }

    std::size_t columns_;
};

nb::tuple values_of(const ComputedColumn& column, std::int32_t type, const NumberedWords& words) {
    const std::int32_t value = column.table->row(type)[0];
    if (value == kNone) return nb::make_tuple();
    if (value > kNone) return nb::make_tuple(words.words[value]);
    nb::list several;
    for (const std::int32_t one : column.table->bag(value).values) several.append(words.words[one]);
    return nb::tuple(several);
}

// The number of each token's values among those of the column, and these in the order in which they come.
nb::tuple numbered(ComputedColumn& column, const NumberedWords& words) {
    std::vector<std::int32_t> numbers(column.table->size(), -1);
    nb::list values;
    for (std::int32_t& type : column.ids) {
        if (numbers[type] < 0) {
            numbers[type] = static_cast<std::int32_t>(values.size());
            values.append(values_of(column, type, words));
        }
        type = numbers[type];
    }
    return nb::make_tuple(to_numpy(std::move(column.ids)), values);
}

using Sentences = nb::typed<nb::sequence, nb::typed<nb::sequence, nb::str>>;

nb::list document_values(const std::vector<std::string>& names, Sentences sentences, Array1<std::int32_t> documents) {
    std::vector<DocumentColumn> kinds;
    for (const std::string& name : names) {
        const auto kind = document_column(name);
        if (!kind || kind == DocumentColumn::kPhrases) throw nb::value_error("expected columns of documents");
        kinds.push_back(*kind);
    }
    NumberedWords words(std::ranges::count_if(kinds, has_words));
    const Borders borders{words.number(nb::str("<s>")), words.number(nb::str("</s>"))};
    const std::int32_t flag = words.number(nb::str("1"));
    std::vector<ValueColumn> columns;
    for (const DocumentColumn kind : kinds)
        columns.push_back({kind, &words.types, has_words(kind) ? std::vector<std::int32_t>{} : std::vector{flag}});
    std::vector<std::int32_t> numbers, begin{0};
    for (nb::handle sentence : sentences) {
        for (nb::handle word : sentence) numbers.push_back(words.number(nb::borrow(word)));
        begin.push_back(static_cast<std::int32_t>(numbers.size()));
    }
    const DocumentTokens tokens{numbers, begin, view(documents)};
    if (!is_cut(tokens.documents, begin.size() - 1)) throw nb::value_error("expected the offsets of documents");
    std::vector<ComputedColumn> made;
    {
        const nb::gil_scoped_release unlocked;
        made = compute_columns(words.facts, borders, columns, {}, tokens);
    }
    nb::list found;
    for (ComputedColumn& column : made) found.append(numbered(column, words));
    return found;
}

}  // namespace

void bind_document_values(nb::module_& m) {
    m.def("document_values", &document_values, "names"_a, "sentences"_a, "documents"_a.noconvert(),
          nb::sig("def document_values(names: collections.abc.Sequence[str], sentences: "
                  "collections.abc.Sequence[collections.abc.Sequence[str]], documents: NDArray[numpy.int32]) -> "
                  "list[tuple[NDArray[numpy.int32], list[tuple[str, ...]]]]"),
          "The values of columns that are computed from documents. Of each column the number of each token's values, "
          "and all different values in the order of their numbers.");
}

}  // namespace perceptag

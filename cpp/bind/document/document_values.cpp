// The values of columns that are computed from documents, as strings: training gives them numbers of its own.
#include <nanobind/stl/string.h>

#include <algorithm>

#include "core/arrays.hpp"
#include "core/vectors.hpp"
#include "document/spelling.hpp"
#include "perceptag/core/integers.hpp"
#include "perceptag/document/document_columns.hpp"
#include "perceptag/document/word_numbers.hpp"

namespace perceptag {
namespace {

// The words of some documents. Each is a type whose only value is its own number.
struct OwnWords {
    TypeTable types{1};
    std::vector<nb::object> words;

    void describe(std::string_view word, std::size_t columns, std::vector<std::int32_t>& facts) {
        const auto own = to_int32(words.size());
        facts.insert(facts.end(), 2, -1);  // there are no lists of phrases
        facts.insert(facts.end(), columns, own);
        types.add({&own, 1});
        words.push_back(nb::str(word.data(), word.size()));
    }
};

nb::tuple values_of(const ComputedColumn& column, std::int32_t type, const OwnWords& words) {
    const std::int32_t value = column.table->row(type)[0];
    if (value == kNone) return nb::make_tuple();
    if (value > kNone) return nb::make_tuple(words.words[value]);
    nb::list several;
    for (const std::int32_t one : column.table->bag(value).values) several.append(words.words[one]);
    return nb::tuple(several);
}

// The number of each token's values among those of the column, and these in the order in which they come.
nb::tuple numbered(ComputedColumn& column, const OwnWords& words) {
    std::vector<std::int32_t> numbers(column.table->size(), -1);
    nb::list values;
    for (std::int32_t& type : column.ids) {
        if (numbers[type] < 0) {
            numbers[type] = to_int32(values.size());
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
        if (!kind || has_phrases(*kind)) throw nb::value_error("expected columns of documents");
        kinds.push_back(*kind);
    }
    const auto columns_of_words = std::ranges::count_if(kinds, has_words);
    OwnWords words;
    WordNumbers known(to_int32(columns_of_words), spell_in_python,
                      [&](auto word, auto, auto& facts) { words.describe(word, columns_of_words, facts); });
    const Borders borders{known.number("<s>"), known.number("</s>")};
    const std::int32_t flag = known.number("1");
    std::vector<ValueColumn> columns;
    for (const DocumentColumn kind : kinds)
        columns.push_back({kind, &words.types, has_words(kind) ? std::vector<std::int32_t>{} : std::vector{flag}});
    std::vector<std::int32_t> numbers, begin{0};
    for (nb::handle sentence : sentences) {
        for (nb::handle word : sentence) numbers.push_back(known.number(bytes_of(word)));
        begin.push_back(to_int32(numbers.size()));
    }
    const DocumentTokens tokens{numbers, begin, view(documents)};
    if (!is_cut(tokens.documents, begin.size() - 1)) throw nb::value_error("expected the offsets of documents");
    std::vector<ComputedColumn> made;
    {
        const nb::gil_scoped_release unlocked;
        made = compute_columns(known.facts(), borders, columns, {}, tokens);
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

#include <nanobind/stl/string.h>

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

#include "core/arrays.hpp"
#include "core/memory_views.hpp"
#include "core/vectors.hpp"
#include "document/spelling.hpp"
#include "perceptag/core/integers.hpp"
#include "perceptag/document/document_reader.hpp"
#include "text/numbers.hpp"
#include "text/own_text.hpp"

namespace perceptag {
namespace {

// The type that a lexicon in Python has for tokens with this value and no other.
std::int32_t single_type(const nb::object& lexicon, const TypeTable& table, std::string_view value) {
    return type_in(lexicon, nb::make_tuple(nb::str(value.data(), value.size())), table);
}

DocumentColumnValues column_of(nb::handle name, nb::handle lexicon, nb::handle reader) {
    const auto kind = document_column(bytes_of(name));
    if (!kind) throw nb::value_error("expected the name of a column that is computed");
    auto* table = nb::cast<TypeTable*>(lexicon.attr("table"));
    const auto ask = [owner = nb::borrow(lexicon), table](std::string_view value) {
        return single_type(owner, *table, value);
    };
    return {*kind, {table, reader.is_none() ? nullptr : nb::cast<const AttributeReader*>(reader), ask}};
}

using Lexicons = nb::typed<nb::list, nb::typed<nb::tuple, nb::str, nb::any, nb::any>>;

void make_reader(DocumentReader* self, Lexicons columns, const NamedPhrases* as_written,
                 const NamedPhrases* in_lower_case) {
    std::vector<DocumentColumnValues> all;
    for (nb::handle column : columns) all.push_back(column_of(column[0], column[1], column[2]));
    new (self) DocumentReader(std::move(all), as_written, in_lower_case, spell_in_python);
}

DocumentTokens checked(const DocumentReader& self, const Array1<std::int32_t>& words, const Array1<std::int32_t>& begin,
                       const Array1<std::int32_t>& documents) {
    const DocumentTokens tokens{view(words), view(begin), view(documents)};
    if (!is_cut(tokens.begin, tokens.words.size())) throw nb::value_error("expected the offsets of sentences");
    if (!is_cut(tokens.documents, tokens.begin.size() - 1)) throw nb::value_error("expected the offsets of documents");
    for (const std::int32_t word : tokens.words)
        if (!is_index(word, self.size())) throw nb::value_error("a word is out of range");
    return tokens;
}

constexpr std::size_t kPhrases = 16;  // whose words are fetched from memory together

void add_lines(PhraseTable& table, std::string_view text, int kind) {
    std::vector<PhraseTable::HashedWord> words;
    std::vector<std::size_t> begin;  // where phrases begin among the words
    while (!text.empty()) {
        words.clear();
        begin.assign(1, 0);
        while (!text.empty() && begin.size() <= kPhrases) {
            const std::string_view line = text.substr(0, text.find('\n'));
            text.remove_prefix(std::min(line.size() + 1, text.size()));
            for (std::size_t first = 0; first <= line.size();) {
                const std::size_t last = std::min(line.find(' ', first), line.size());
                if (last == first) throw std::invalid_argument("expected words separated by single spaces");
                const std::string_view word = line.substr(first, last - first);
                words.push_back({word, TextLexicon::hash(word)});
                table.prefetch(words.back().hash);
                first = last + 1;
            }
            begin.push_back(words.size());
        }
        for (const PhraseTable::HashedWord& word : words) table.prefetch_entry(word.hash);
        for (std::size_t i = 0; i + 1 < begin.size(); ++i)
            table.add(std::span(words).subspan(begin[i], begin[i + 1] - begin[i]), kind);
    }
}

void bind_phrases(nb::module_& m) {
    nb::class_<NamedPhrases>(m, "PhraseTable", "Lists of phrases, by class.")
        .def(nb::init<>())
        .def(
            "add",
            [](NamedPhrases& self, const std::string& kind,
               nb::typed<nb::iterable, nb::typed<nb::sequence, nb::str>> phrases) {
                self.kinds.push_back(kind);
                std::vector<std::string_view> words;
                for (nb::handle phrase : phrases) {
                    words.clear();
                    for (nb::handle word : phrase) words.push_back(bytes_of(word));
                    self.table.add(words, to_int32(self.kinds.size()) - 1);
                }
            },
            "kind"_a, "phrases"_a, "Add the phrases of one more class. Its marks are listed after those of the others.")
        .def(
            "reserve",
            [](NamedPhrases& self, std::size_t phrases, std::size_t words) { self.table.reserve(phrases, words); },
            "phrases"_a, "words"_a, "Make room for a number of phrases, with this number of words in total.")
        .def(
            "add_text",
            [](NamedPhrases& self, const std::string& kind, nb::str text) {
                const std::string_view bytes = bytes_of(text);
                const nb::gil_scoped_release unlocked;
                self.kinds.push_back(kind);
                add_lines(self.table, bytes, static_cast<int>(self.kinds.size()) - 1);
            },
            "kind"_a, "text"_a, "The same for phrases on lines, their words separated by single spaces.");
}

}  // namespace

void bind_document_columns(nb::module_& m) {
    bind_phrases(m);
    nb::class_<DocumentReader>(m, "DocumentReader", "Columns that are computed from documents.")
        .def("__init__", &make_reader, "columns"_a, "as_written"_a.none(), "in_lower_case"_a.none(),
             nb::keep_alive<1, 2>(), nb::keep_alive<1, 3>(), nb::keep_alive<1, 4>())
        .def("__len__", &DocumentReader::size)
        .def(
            "words",
            [](DocumentReader& self, nb::typed<nb::sequence, nb::typed<nb::sequence, nb::str>> sentences) {
                std::vector<std::int32_t> numbers;
                for (nb::handle sentence : sentences)
                    for (nb::handle word : sentence) numbers.push_back(self.number(bytes_of(word)));
                return to_view(std::move(numbers));
            },
            "sentences"_a, "The numbers of all words of some sentences, one after the other.")
        .def(
            "words_of_text",
            [](DocumentReader& self, const OwnText& text, std::size_t column) {
                if (column >= text.width) throw nb::index_error();
                std::vector<std::int32_t> numbers(text.columns.tokens());
                for (std::size_t t = 0; t < numbers.size(); ++t)
                    numbers[t] = self.number(text.columns.field(t, column));
                return to_view(std::move(numbers));
            },
            "text"_a, "column"_a, "The same for a column of a text.")
        .def(
            "columns",
            [](const DocumentReader& self, Array1<std::int32_t> words, Array1<std::int32_t> begin,
               Array1<std::int32_t> documents) {
                const DocumentTokens tokens = checked(self, words, begin, documents);
                std::vector<ComputedColumn> made;
                {
                    const nb::gil_scoped_release unlocked;
                    made = self.compute(tokens);
                }
                nb::list found;
                for (ComputedColumn& column : made)
                    found.append(nb::make_tuple(to_view(std::move(column.ids)),
                                                nb::cast(column.table.release(), nb::rv_policy::take_ownership)));
                return found;
            },
            "words"_a.noconvert(), "begin"_a.noconvert(), "documents"_a.noconvert(),
            nb::sig("def columns(self, words: NDArray[numpy.int32], begin: NDArray[numpy.int32], documents: "
                    "NDArray[numpy.int32]) -> list[tuple[NDArray[numpy.int32], TypeTable]]"),
            "Type ids and table of each column. Offsets say where sentences begin, and which sentences documents "
            "have.");
}

}  // namespace perceptag

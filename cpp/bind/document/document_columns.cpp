#include "perceptag/document/document_columns.hpp"

#include <nanobind/stl/string.h>

#include <string>
#include <utility>

#include "core/arrays.hpp"
#include "core/vectors.hpp"
#include "document/spelling.hpp"
#include "text/numbers.hpp"
#include "text/own_text.hpp"

namespace perceptag {
namespace {

// A column with what its words need to get their types: as in `type_of`, natively where that is possible.
struct WordColumn {
    nb::object lexicon;
    TypeTable* table;
    const AttributeReader* reader;  // or null
};

// Phrases by class; classes come in the order in which their marks are listed.
struct NamedPhrases {
    PhraseTable table;
    std::vector<std::string> kinds;
};

// The columns of a model that are computed, and the words that it has seen.
struct DocumentReader {
    WordFacts words;
    std::vector<ValueColumn> columns;
    std::vector<WordColumn> of_words;
    Phrases phrases;
    Borders borders{};
    nb::object kept;  // what the pointers above point into

    explicit DocumentReader(int n) : words(n) {}
};

// The type of a column for tokens with this value and no other.
std::int32_t single_type(const WordColumn& column, std::string_view text, nb::handle value) {
    AttributeScratch found;
    if (column.reader && column.reader->read(text, *column.table, found)) return column.table->add(found.row);
    const nb::object number = nb::steal(PyObject_GetItem(column.lexicon.ptr(), nb::make_tuple(value).ptr()));
    if (!number.is_valid()) throw nb::python_error();
    const auto type = nb::cast<std::int32_t>(number);
    if (!is_index(type, column.table->size())) throw nb::value_error("a type id is out of range");
    return type;
}

std::int32_t number_of(DocumentReader& self, std::string_view text, nb::handle given);

std::int32_t add_word(DocumentReader& self, std::string_view text, nb::handle value) {
    const Spelling spelling = spelling_of(text, value);
    const Phrases& phrases = self.phrases;
    std::vector<std::int32_t> facts{spelling.lower == text ? -1 : number_of(self, spelling.lower, {}),
                                    spelling.is_capital, phrases.as_written ? phrases.as_written->word(text) : -1,
                                    phrases.in_lower_case ? phrases.in_lower_case->word(spelling.lower) : -1};
    for (const WordColumn& column : self.of_words) facts.push_back(single_type(column, text, value));
    // Code in Python may have let another thread add the same word.
    const std::int32_t known = self.words.find(text);
    return known >= 0 ? known : self.words.add(text, facts);
}

std::int32_t number_of(DocumentReader& self, std::string_view text, nb::handle given) {
    const std::int32_t known = self.words.find(text);
    if (known >= 0) return known;
    return add_word(self, text, given.is_valid() ? nb::borrow(given) : nb::object(nb::str(text.data(), text.size())));
}

// The marks of a list of phrases as places in a list of all marks, which grows.
std::vector<std::int32_t> places_of(const NamedPhrases& phrases, std::vector<std::string>& all) {
    std::vector<std::int32_t> places;
    for (const std::string& kind : phrases.kinds)
        for (const char* start : {"B-", "I-"}) {
            const auto place = std::ranges::find(all, start + kind) - all.begin();
            if (place == std::ssize(all)) all.push_back(start + kind);
            places.push_back(static_cast<std::int32_t>(place));
        }
    return places;
}

// The types of the values that a column has besides words: a flag, or the marks of phrases.
std::vector<std::int32_t> fixed_types(DocumentColumn kind, const WordColumn& column,
                                      const std::vector<std::string>& marks) {
    std::vector<std::string> values;
    if (!has_words(kind)) values = kind == DocumentColumn::kPhrases ? marks : std::vector<std::string>{"1"};
    std::vector<std::int32_t> types;
    for (const std::string& value : values)
        types.push_back(single_type(column, value, nb::str(value.data(), value.size())));
    return types;
}

struct NamedColumn {
    DocumentColumn kind;
    WordColumn values;
};

NamedColumn column_of(nb::handle name, nb::handle lexicon, nb::handle reader) {
    const auto kind = document_column(bytes_of(name));
    if (!kind) throw nb::value_error("expected the name of a column that is computed");
    const AttributeReader* native = reader.is_none() ? nullptr : nb::cast<const AttributeReader*>(reader);
    return {*kind, {nb::borrow(lexicon), nb::cast<TypeTable*>(lexicon.attr("table")), native}};
}

using Lexicons = nb::typed<nb::list, nb::typed<nb::tuple, nb::str, nb::any, nb::any>>;

void make_reader(DocumentReader* self, Lexicons columns, nb::object as_written, nb::object in_lower_case) {
    std::vector<NamedColumn> all;
    for (nb::handle column : columns) all.push_back(column_of(column[0], column[1], column[2]));
    const auto words = std::ranges::count_if(all, [](const NamedColumn& c) { return has_words(c.kind); });
    new (self) DocumentReader(static_cast<int>(words));
    self->kept = nb::make_tuple(columns, as_written, in_lower_case);
    std::vector<std::string> marks;
    Phrases& phrases = self->phrases;
    if (!as_written.is_none()) {
        phrases.as_written = &nb::cast<NamedPhrases&>(as_written).table;
        phrases.marks_as_written = places_of(nb::cast<NamedPhrases&>(as_written), marks);
    }
    if (!in_lower_case.is_none()) {
        phrases.in_lower_case = &nb::cast<NamedPhrases&>(in_lower_case).table;
        phrases.marks_in_lower_case = places_of(nb::cast<NamedPhrases&>(in_lower_case), marks);
    }
    for (const auto& [kind, values] : all) {
        if (has_words(kind)) self->of_words.push_back(values);
        self->columns.push_back({kind, values.table, fixed_types(kind, values, marks)});
    }
    self->borders = {number_of(*self, "<s>", {}), number_of(*self, "</s>", {})};
}

DocumentTokens checked(const DocumentReader& self, const Array1<std::int32_t>& words, const Array1<std::int32_t>& begin,
                       const Array1<std::int32_t>& documents) {
    const DocumentTokens tokens{view(words), view(begin), view(documents)};
    if (!is_cut(tokens.begin, tokens.words.size())) throw nb::value_error("expected the offsets of sentences");
    if (!is_cut(tokens.documents, tokens.begin.size() - 1)) throw nb::value_error("expected the offsets of documents");
    for (const std::int32_t word : tokens.words)
        if (!is_index(word, self.words.size())) throw nb::value_error("a word is out of range");
    return tokens;
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
                    self.table.add(words, static_cast<int>(self.kinds.size()) - 1);
                }
            },
            "kind"_a, "phrases"_a,
            "Add the phrases of one more class. Its marks are listed after those of the others.");
}

}  // namespace

void bind_document_columns(nb::module_& m) {
    bind_phrases(m);
    nb::class_<DocumentReader>(m, "DocumentReader", "Columns that are computed from documents.")
        .def("__init__", &make_reader, "columns"_a, "as_written"_a.none(), "in_lower_case"_a.none())
        .def("__len__", [](const DocumentReader& self) { return self.words.size(); })
        .def(
            "words",
            [](DocumentReader& self, nb::typed<nb::sequence, nb::typed<nb::sequence, nb::str>> sentences) {
                std::vector<std::int32_t> numbers;
                for (nb::handle sentence : sentences)
                    for (nb::handle word : sentence) numbers.push_back(number_of(self, bytes_of(word), word));
                return to_numpy(std::move(numbers));
            },
            "sentences"_a, "The numbers of all words of some sentences, one after the other.")
        .def(
            "words_of_text",
            [](DocumentReader& self, const OwnText& text, std::size_t column) {
                if (column >= text.width) throw nb::index_error();
                std::vector<std::int32_t> numbers(text.columns.tokens());
                for (std::size_t t = 0; t < numbers.size(); ++t)
                    numbers[t] = number_of(self, text.columns.field(t, column), {});
                return to_numpy(std::move(numbers));
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
                    made = compute_columns(self.words, self.borders, self.columns, self.phrases, tokens);
                }
                nb::list found;
                for (ComputedColumn& column : made)
                    found.append(nb::make_tuple(to_numpy(std::move(column.ids)),
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

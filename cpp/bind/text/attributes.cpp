#include "perceptag/text/attributes.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/variant.h>

#include <stdexcept>

#include "core/arrays.hpp"
#include "core/vectors.hpp"
#include "perceptag/text/letters.hpp"
#include "perceptag/text/value_table.hpp"
#include "text/numbers.hpp"

namespace perceptag {
namespace {

using Numbers = nb::typed<nb::dict, nb::str, int>;
using Vocabulary = std::variant<const ValueTable*, Numbers>;

TextLexicon lexicon_of(const Numbers& numbers) {
    TextLexicon lexicon;
    lexicon.reserve(numbers.size());
    for (const auto& [value, number] : numbers) lexicon.add(bytes_of(value), nb::cast<std::int32_t>(number));
    return lexicon;
}

// The values of a model file as they are, or a copy of those of a dictionary.
std::shared_ptr<const TextLexicon> vocabulary_of(const Vocabulary& vocabulary) {
    if (const auto* table = std::get_if<const ValueTable*>(&vocabulary)) return (*table)->values();
    return std::make_shared<TextLexicon>(lexicon_of(std::get<Numbers>(vocabulary)));
}

// The UTF-8 of a string; nothing for other objects and for lone surrogates.
std::optional<std::string_view> text_of(nb::handle value) {
    Py_ssize_t size = 0;
    const char* data = PyUnicode_Check(value.ptr()) ? PyUnicode_AsUTF8AndSize(value.ptr(), &size) : nullptr;
    if (data) return std::string_view(data, static_cast<std::size_t>(size));
    PyErr_Clear();
    return std::nullopt;
}

// A number that `find` has for a text, if it is not negative.
template <class Find>
std::optional<std::int32_t> number_by(Find find, nb::handle value) {
    const auto text = text_of(value);
    const std::int32_t number = text ? find(*text) : -1;
    return number < 0 ? std::nullopt : std::optional(number);
}

std::optional<std::int32_t> number_in(const ValueTable& table, nb::handle value) {
    return number_by([&](std::string_view text) { return table.values()->find(text); }, value);
}

// What str.lower(), str.isupper(), str.isalpha() and str.isdigit() say of a character.
Letter letter_of(std::uint32_t code) {
    const auto character = static_cast<Py_UCS4>(code);
    return {code, Py_UNICODE_TOLOWER(character), Py_UNICODE_ISUPPER(character) != 0, Py_UNICODE_ISALPHA(character) != 0,
            Py_UNICODE_ISDIGIT(character) != 0};
}

using Chains = std::vector<std::vector<std::string>>;

std::vector<AttributeChain> chains_of(const Chains& chains, const LearnedTables& learned) {
    std::vector<AttributeChain> made;
    for (const auto& names : chains) {
        const auto chain = AttributeChain::make(names, learned);
        if (!chain) throw nb::value_error("expected attributes of the core, found one that only Python knows");
        made.push_back(*chain);
    }
    return made;
}

}  // namespace

void bind_attributes(nb::module_& m) {
    letter_source = letter_of;
    nb::class_<ClassTable>(m, "ClassTable", "The classes of words, in several sizes.")
        .def(
            "__init__",
            [](ClassTable* self, nb::bytes words, Array1<std::uint32_t> counts, Array1<std::uint16_t> numbers,
               std::vector<std::int32_t> sizes, bool in_any_case,
               const nb::typed<nb::callable, nb::typed<nb::tuple, nb::str, nb::str>(nb::str)>& forms) {
                const auto of_others = [&](std::string_view word) {
                    const nb::gil_scoped_acquire locked;
                    const nb::object found = forms(nb::str(word.data(), word.size()));
                    return nb::cast<std::pair<std::string, std::string>>(found);
                };
                const std::string_view text(words.c_str(), words.size());
                const nb::gil_scoped_release unlocked;
                new (self) ClassTable({text, view(counts), view(numbers), std::move(sizes), in_any_case}, of_others);
            },
            "words"_a, "counts"_a.noconvert(), "numbers"_a.noconvert(), "sizes"_a, "in_any_case"_a, "forms"_a,
            "Words with line ends between them, the most frequent first; `forms` gives a word with other letters than "
            "ASCII with its digits as 0, and in lower case.")
        .def(
            "row",
            [](const ClassTable& self, nb::str spelling) {
                return number_by([&](std::string_view text) { return self.row(text); }, spelling);
            },
            "spelling"_a, "The place of the word that stands for a spelling, or None.")
        .def(
            "has_lowered",
            [](const ClassTable& self, nb::str word) {
                return number_by([&](std::string_view text) { return self.lowered()->find(text); }, word).has_value();
            },
            "word"_a, "Whether a text in lower case is a word in lower case.");

    nb::class_<EndingTable>(m, "EndingTable", "The endings with which words also occur in a text.")
        .def(
            "__init__",
            [](EndingTable* self, const ClassTable& words, std::vector<std::pair<std::string, std::string>> changes,
               std::size_t stem) { new (self) EndingTable(words.lowered(), std::move(changes), stem); },
            "words"_a, "changes"_a, "stem"_a);

    nb::class_<ValueTable>(m, "ValueTable", "The values of an attribute and their numbers, as a model file lists them.",
                           nb::is_weak_referenceable())
        .def(
            "__init__",
            [](ValueTable* self, nb::bytes text, std::int32_t reserved) {
                const std::string_view values(text.c_str(), text.size());
                const nb::gil_scoped_release unlocked;
                new (self) ValueTable(values, reserved);
            },
            "text"_a, "reserved"_a, "Number values, each of which ends with NUL, from `reserved` on.")
        .def_prop_ro("reserved", &ValueTable::reserved, "How many numbers stand for padding.")
        .def_prop_ro(
            "size", [](const ValueTable& self) { return self.values()->size() + self.reserved(); },
            "The number of ids in use, padding included.")
        .def(
            "get", [](const ValueTable& self, nb::str value) { return number_in(self, value); }, "value"_a,
            "The number of a value, or None.")
        .def("__len__", [](const ValueTable& self) { return self.values()->size(); })
        .def("__contains__",
             [](const ValueTable& self, nb::handle value) { return number_in(self, value).has_value(); })
        .def(
            "__iter__",
            [](const ValueTable& self) {
                nb::list values;
                for (std::size_t i = 0; i < self.values()->size(); ++i) {
                    const std::string_view text = self.values()->text(i);
                    values.append(nb::str(text.data(), text.size()));
                }
                return nb::iter(values);
            },
            nb::sig("def __iter__(self) -> collections.abc.Iterator[str]"),
            "The values in the order of their numbers.");

    nb::class_<AttributeReader>(m, "AttributeReader", "Numbers of the attribute values of the words of one column.")
        .def(
            "__init__",
            [](AttributeReader* self, const Chains& chains, const std::vector<Vocabulary>& vocabularies,
               std::shared_ptr<ClassTable> classes, std::shared_ptr<EndingTable> endings) {
                std::vector<std::shared_ptr<const TextLexicon>> numbers;
                for (const Vocabulary& vocabulary : vocabularies) numbers.push_back(vocabulary_of(vocabulary));
                new (self) AttributeReader(chains_of(chains, {classes, endings}), std::move(numbers));
            },
            "chains"_a, "vocabularies"_a, "classes"_a.none() = nb::none(), "endings"_a.none() = nb::none())
        .def_static(
            "knows",
            [](const std::vector<std::string>& chain, std::shared_ptr<ClassTable> classes,
               std::shared_ptr<EndingTable> endings) {
                return AttributeChain::make(chain, {classes, endings}).has_value();
            },
            "chain"_a, "classes"_a.none() = nb::none(), "endings"_a.none() = nb::none(),
            "Whether all attributes of a chain are known here.");

    nb::class_<GrowingReader>(m, "GrowingReader",
                              "The same in training: new values get the next numbers of their vocabularies.")
        .def(
            "__init__",
            [](GrowingReader* self, const Chains& chains, const std::vector<Numbers>& vocabularies, long reserved,
               std::shared_ptr<ClassTable> classes) {
                if (chains.size() != vocabularies.size())
                    throw nb::value_error("expected one vocabulary for each attribute");
                new (self) GrowingReader(chains_of(chains, {classes, nullptr}),
                                         {vocabularies.begin(), vocabularies.end()}, reserved);
            },
            "chains"_a, "vocabularies"_a, "reserved"_a, "classes"_a.none() = nb::none());
}

}  // namespace perceptag

#include "perceptag/text/attributes.hpp"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>

#include <stdexcept>

#include "core/arrays.hpp"
#include "core/vectors.hpp"
#include "text/numbers.hpp"

namespace perceptag {
namespace {

using Numbers = nb::typed<nb::dict, nb::str, int>;

TextLexicon lexicon_of(const Numbers& numbers) {
    TextLexicon lexicon;
    lexicon.reserve(numbers.size());
    for (const auto& [value, number] : numbers) lexicon.add(bytes_of(value), nb::cast<std::int32_t>(number));
    return lexicon;
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
    nb::class_<ClassTable>(m, "ClassTable", "The classes of words, in several sizes.")
        .def(
            "__init__",
            [](ClassTable* self, const Numbers& rows, Array1<std::int32_t> numbers, std::vector<std::int32_t> sizes) {
                const auto all = view(numbers);
                new (self) ClassTable(lexicon_of(rows), {all.begin(), all.end()}, std::move(sizes));
            },
            "rows"_a, "numbers"_a.noconvert(), "sizes"_a);

    nb::class_<EndingTable>(m, "EndingTable", "The endings with which words also occur in a text.")
        .def(
            "__init__",
            [](EndingTable* self, const nb::typed<nb::frozenset, nb::str>& words,
               std::vector<std::pair<std::string, std::string>> changes, std::size_t stem) {
                TextLexicon lexicon;
                lexicon.reserve(nb::len(words));
                for (nb::handle word : words) lexicon.add(bytes_of(word), 0);
                new (self) EndingTable(std::move(lexicon), std::move(changes), stem);
            },
            "words"_a, "changes"_a, "stem"_a);

    nb::class_<AttributeReader>(m, "AttributeReader", "Numbers of the attribute values of ASCII words of one column.")
        .def(
            "__init__",
            [](AttributeReader* self, const Chains& chains, const std::vector<Numbers>& vocabularies,
               std::shared_ptr<ClassTable> classes, std::shared_ptr<EndingTable> endings) {
                std::vector<TextLexicon> numbers;
                for (const auto& vocabulary : vocabularies) numbers.push_back(lexicon_of(vocabulary));
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
                new (self) GrowingReader{
                    chains_of(chains, {classes, nullptr}), {vocabularies.begin(), vocabularies.end()}, reserved};
            },
            "chains"_a, "vocabularies"_a, "reserved"_a, "classes"_a.none() = nb::none());
}

}  // namespace perceptag

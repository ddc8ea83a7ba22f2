#include "perceptag/text/attributes.hpp"

#include <nanobind/stl/string.h>

#include <stdexcept>

#include "core/arrays.hpp"
#include "core/vectors.hpp"
#include "text/numbers.hpp"

namespace perceptag {

void bind_attributes(nb::module_& m) {
    nb::class_<AttributeReader>(m, "AttributeReader", "Numbers of the attribute values of ASCII words of one column.")
        .def(
            "__init__",
            [](AttributeReader* self, const std::vector<std::vector<std::string>>& chains,
               const std::vector<nb::typed<nb::dict, nb::str, int>>& vocabularies) {
                std::vector<AttributeChain> made;
                for (const auto& names : chains) {
                    const auto chain = AttributeChain::make(names);
                    if (!chain)
                        throw nb::value_error("expected attributes of the core, found one that only Python knows");
                    made.push_back(*chain);
                }
                std::vector<TextLexicon> numbers;
                for (const auto& vocabulary : vocabularies) {
                    TextLexicon lexicon;
                    lexicon.reserve(vocabulary.size());
                    for (const auto& [value, number] : vocabulary)
                        lexicon.add(bytes_of(value), nb::cast<std::int32_t>(number));
                    numbers.push_back(std::move(lexicon));
                }
                new (self) AttributeReader(std::move(made), std::move(numbers));
            },
            "chains"_a, "vocabularies"_a)
        .def_static(
            "knows", [](const std::vector<std::string>& chain) { return AttributeChain::make(chain).has_value(); },
            "chain"_a, "Whether all attributes of a chain are known here.");
}

}  // namespace perceptag

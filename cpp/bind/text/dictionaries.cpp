// Tokens as dictionaries of features to lists of features: the quick way of perceptag/sklearn.py.
#include "core/arrays.hpp"
#include "text/feature_joiner.hpp"

namespace perceptag {

void bind_dictionaries(nb::module_& m) {
    m.def(
        "join_features",
        [](const nb::list& tokens, bool take_numbers) -> nb::object {
            FeatureJoiner joiner(take_numbers);
            nb::list values;
            for (nb::handle token : tokens) {
                const auto value = joiner.join(token.ptr());
                if (!value) return nb::none();
                values.append(nb::str(value->data(), value->size()));
            }
            return values;
        },
        "tokens"_a, "take_numbers"_a,
        nb::sig("def join_features(tokens: list[typing.Any], take_numbers: bool) -> list[str] | None"),
        "The features of each token as one value; None if Python must look at the tokens.");
}

}  // namespace perceptag

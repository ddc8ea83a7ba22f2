#include "perceptag/linear/rivals.hpp"

#include "core/checks.hpp"
#include "search/rivals.hpp"

namespace perceptag {

void bind_rivals(nb::module_& m) {
    m.def(
        "rivals",
        [](const Weights& weights, const Sequence& x, const Labels& labels, const TagDictionary* dictionary) {
            check(weights, x, dictionary);
            const Labelling chosen = labels.checked(x, weights.L());
            Rivals found;
            {
                const nb::gil_scoped_release unlocked;
                Worker worker;
                found = rivals(weights, x, chosen, dictionary, worker);
            }
            return to_python(std::move(found));
        },
        "weights"_a, "x"_a, "labels"_a, "dictionary"_a.none() = nb::none(),
        nb::sig("def rivals(weights: Weights, x: Sequence, labels: Labels, dictionary: TagDictionary | None = None) "
                "-> " PERCEPTAG_RIVALS),
        "For each token the best labelling with another label there, by how much it is worse, the first token where it "
        "differs and the one after the last, or None; and the steps in which they were traced.");
}

}  // namespace perceptag

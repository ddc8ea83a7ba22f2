#include "perceptag/linear/rivals.hpp"

#include "core/arrays.hpp"
#include "core/checks.hpp"
#include "core/labels.hpp"

namespace perceptag {

void bind_rivals(nb::module_& m) {
    m.def(
        "rivals",
        [](const Weights& weights, const Sequence& x, const Labels& labels, const TagDictionary* dictionary) {
            check(weights, x, dictionary);
            const Labelling chosen = labels.checked(x, weights.L());
            std::vector<Rival> found;
            {
                const nb::gil_scoped_release unlocked;
                Worker worker;
                found = rivals(weights, x, chosen, dictionary, worker);
            }
            nb::list list;
            for (Rival& rival : found)
                list.append(rival.labels.empty()
                                ? nb::none()
                                : nb::object(nb::make_tuple(nb::cast(Labels{std::move(rival.labels)}), rival.margin)));
            return list;
        },
        "weights"_a, "x"_a, "labels"_a, "dictionary"_a.none() = nb::none(),
        nb::sig("def rivals(weights: Weights, x: Sequence, labels: Labels, dictionary: TagDictionary | None = None) -> "
                "list[tuple[Labels, float] | None]"),
        "For each token the best labelling with another label there and by how much it is worse, or None.");
}

}  // namespace perceptag

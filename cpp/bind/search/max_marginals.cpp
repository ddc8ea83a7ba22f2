#include "perceptag/search/max_marginals.hpp"

#include "core/arrays.hpp"
#include "core/checks.hpp"

namespace perceptag {

void bind_max_marginals(nb::module_& m) {
    m.def(
        "max_marginals",
        [](const Weights& weights, const Corpus& corpus, const TagDictionary* dictionary, int threads) {
            check(weights, corpus, dictionary);
            std::vector<float> found;
            {
                const nb::gil_scoped_release unlocked;
                found = max_marginals(weights, corpus, dictionary, threads);
            }
            return to_numpy(std::move(found));
        },
        "weights"_a, "corpus"_a, "dictionary"_a.none() = nb::none(), "threads"_a = 1,
        "How far the best labelling with a label at a token is behind the best of all: flat [tokens, L], at most 0.");
}

}  // namespace perceptag

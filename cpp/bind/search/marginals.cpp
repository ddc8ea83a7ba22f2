#include "perceptag/search/marginals.hpp"

#include "core/arrays.hpp"
#include "core/checks.hpp"
#include "search/event_checks.hpp"

namespace perceptag {
void bind_marginals(nb::module_& m) {
    m.def(
        "marginals",
        [](const Weights& weights, const Corpus& corpus, const TagDictionary* dictionary, double scale, bool pairs,
           int threads) {
            check(weights, corpus, dictionary);
            check_scale(scale);
            std::vector<double> found;
            {
                const nb::gil_scoped_release unlocked;
                found = marginals(weights, corpus, dictionary, scale, pairs, threads);
            }
            return to_numpy(std::move(found));
        },
        "weights"_a, "corpus"_a, "dictionary"_a.none() = nb::none(), "scale"_a = 1.0, "pairs"_a = false,
        "threads"_a = 1,
        "p(label) of every token, [tokens, L] flat, or with the label before it, [tokens, L+1, L] flat, where "
        "p(labelling) is proportional to exp(scale * score).");
    m.def(
        "event_probabilities",
        [](const Weights& weights, const Corpus& corpus, Array1<std::int32_t> sequence, Array1<std::int32_t> first,
           Array1<std::int32_t> begin, Array1<std::int32_t> masks, Array1<std::uint8_t> tables,
           const TagDictionary* dictionary, double scale, int threads) {
            check(weights, corpus, dictionary);
            check_scale(scale);
            const Events events{view(sequence), view(first), view(begin), view(masks), view(tables)};
            check_events(corpus, events, tables.shape(0) / combinations(1, weights.L()));
            std::vector<double> found;
            {
                const nb::gil_scoped_release unlocked;
                found = event_probabilities(weights, corpus, dictionary, scale, events, threads);
            }
            return to_numpy(std::move(found));
        },
        "weights"_a, "corpus"_a, "sequence"_a.noconvert(), "first"_a.noconvert(), "begin"_a.noconvert(),
        "masks"_a.noconvert(), "tables"_a.noconvert(), "dictionary"_a.none() = nb::none(), "scale"_a = 1.0,
        "threads"_a = 1,
        "The probabilities of events: event i allows from token first[i] of a sequence on the transitions of the "
        "tables masks[begin[i]:begin[i+1]], one for each token; a table is [L+1, L] flat.");
}

}  // namespace perceptag

#include "perceptag/search/local_search.hpp"

#include <nanobind/stl/optional.h>

#include <algorithm>
#include <optional>
#include <stdexcept>

#include "core/arrays.hpp"
#include "core/checks.hpp"
#include "core/labels.hpp"
#include "core/vectors.hpp"
#include "perceptag/core/parallel.hpp"
#include "perceptag/search/worker.hpp"
#include "search/rivals.hpp"

namespace perceptag {
namespace {

Limits with_dictionary(const Weights& weights, const Limits& limits, const TagDictionary* dictionary) {
    const auto fits = [&](const std::vector<std::uint8_t>& flags, int order) {
        return flags.empty() || flags.size() == combinations(order, weights.L());
    };
    if (!fits(limits.allowed, 1) || !fits(limits.last, 0))
        throw std::invalid_argument("limits: expected the size of the label set");
    Limits result = limits;
    result.dictionary = dictionary;
    return result;
}

void check_search(int beam, int n) {
    if (beam < 0 || n < 1) throw std::invalid_argument("beam and n: expected numbers from 0 and from 1");
}

std::vector<NBest> nbest_of(const Weights& weights, const Corpus& corpus, const Limits& limits, int beam, int n,
                            int threads) {
    std::vector<NBest> lists(corpus.sequences.size());
    parallel_for(lists.size(), threads, [&](std::size_t i, Worker& worker) {
        weights.lattice(corpus.sequences[i], nullptr, worker.lattice);
        lists[i] = local_nbest(worker.lattice, corpus.sequences[i], limits, beam, n);
    });
    return lists;
}

}  // namespace

void bind_local_search(nb::module_& m) {
    nb::class_<Limits>(m, "Limits", "Transitions [L+1, L] and last labels [L] that may be chosen; empty: all.")
        .def(
            "__init__",
            [](Limits* self, Array1<std::uint8_t> allowed, Array1<std::uint8_t> last) {
                new (self) Limits{{view(allowed).begin(), view(allowed).end()}, {view(last).begin(), view(last).end()}};
            },
            "allowed"_a.noconvert(), "last"_a.noconvert());
    m.def(
        "local_nbest",
        [](const Weights& weights, const Corpus& corpus, const Limits& limits, const TagDictionary* dictionary,
           int beam, int n, int threads) {
            check(weights, corpus, dictionary);
            check_search(beam, n);
            const Limits all = with_dictionary(weights, limits, dictionary);
            const nb::gil_scoped_release unlocked;
            return nbest_of(weights, corpus, all, beam, n, threads);
        },
        "weights"_a, "corpus"_a, "limits"_a, "dictionary"_a.none(), "beam"_a, "n"_a = 1, "threads"_a = 1,
        "The n best labellings of every sequence with the logarithms of their probabilities.");
    m.def(
        "local_rivals",
        [](const Weights& weights, const Sequence& x, const Labels& labels, const Limits& limits,
           const TagDictionary* dictionary, int beam) {
            check(weights, x, dictionary);
            check_search(beam, 1);
            const Labelling chosen = labels.checked(x, weights.L());
            const Limits all = with_dictionary(weights, limits, dictionary);
            Rivals found;
            {
                const nb::gil_scoped_release unlocked;
                Worker worker;
                weights.lattice(x, nullptr, worker.lattice);
                found = local_rivals(worker.lattice, x, all, beam, chosen);
            }
            return to_python(std::move(found));
        },
        "weights"_a, "x"_a, "labels"_a, "limits"_a, "dictionary"_a.none(), "beam"_a,
        nb::sig("def local_rivals(weights: Weights, x: Sequence, labels: Labels, limits: Limits, dictionary: "
                "TagDictionary | None, beam: int) -> " PERCEPTAG_RIVALS),
        "What `rivals` returns, in a lattice that is normalised at every token; steps are columns of the search.");
    m.def(
        "local_score",
        [](const Weights& weights, const Sequence& x, const Labels& labels) {
            check(weights, x);
            const Labelling ids = labels.checked(x, weights.L());
            Worker worker;
            weights.lattice(x, nullptr, worker.lattice);
            return local_score(worker.lattice, ids);
        },
        "weights"_a, "x"_a, "labels"_a, "The logarithm of the probability of a labelling.");
    m.def(
        "local_pairs",
        [](const Weights& weights, const Corpus& corpus, int beam, int threads) {
            check(weights, corpus, nullptr);
            check_search(beam, 1);
            const std::vector<std::size_t> begin = corpus.starts(combinations(1, weights.L()));
            std::vector<double> pairs(begin.back());
            {
                const nb::gil_scoped_release unlocked;
                parallel_for(corpus.sequences.size(), threads, [&](std::size_t i, Worker& worker) {
                    weights.lattice(corpus.sequences[i], nullptr, worker.lattice);
                    std::ranges::copy(local_pairs(worker.lattice, beam), pairs.begin() + begin[i]);
                });
            }
            return to_numpy(std::move(pairs));
        },
        "weights"_a, "corpus"_a, "beam"_a, "threads"_a = 1,
        "The probability of each pair of labels at each token and the one before: float64[tokens * (L+1) * L].");
}

}  // namespace perceptag

#include "perceptag/search/nbest.hpp"

#include "core/arrays.hpp"
#include "core/checks.hpp"
#include "core/labels.hpp"
#include "core/vectors.hpp"
#include "perceptag/core/scratch.hpp"
#include "perceptag/search/worker.hpp"

namespace perceptag {
namespace {

// Arrays are views: the list lives as long as one of them does.
void bind_list(nb::module_& m) {
    nb::class_<NBest>(m, "NBest", "The best labellings of one sequence with their scores, the best first.")
        .def("__len__", &NBest::size)
        .def(
            "__getitem__",
            [](const NBest& self, std::size_t i) {
                if (i >= self.size()) throw nb::index_error();
                return Labels{{self[i].begin(), self[i].end()}};
            },
            "i"_a)
        .def(
            "score",
            [](const NBest& self, std::size_t i) {
                if (i >= self.size()) throw nb::index_error();
                return self.scores[i];
            },
            "i"_a, "The score of the i-th labelling.")
        .def_prop_ro(
            "labels",
            [](const NBest& self) {
                const std::size_t T = self.T;
                return nb::ndarray<nb::numpy, const std::int32_t, nb::ndim<2>>(self.labels.data(), {self.size(), T},
                                                                               nb::find(self));
            },
            "All labellings: int32[n, T], read-only.")
        .def_prop_ro(
            "scores",
            [](const NBest& self) {
                return nb::ndarray<nb::numpy, const double, nb::ndim<1>>(self.scores.data(), {self.size()},
                                                                         nb::find(self));
            },
            "All scores: float64[n], read-only, never increasing.");
}

}  // namespace

void bind_nbest(nb::module_& m) {
    bind_list(m);
    m.def(
        "nbest",
        [](const Weights& weights, const Sequence& x, int n, const TagDictionary* dictionary) {
            check(weights, x, dictionary);
            Worker& worker = thread_scratch<Worker>();
            const nb::gil_scoped_release unlocked;
            return nbest(weights, x, dictionary, n, worker);
        },
        "weights"_a, "x"_a, "n"_a, "dictionary"_a.none() = nb::none(), "The n best labellings of x.");
    m.def(
        "rescore",
        [](const Weights& weights, const Sequence& x, const std::vector<const Labels*>& candidates,
           const TagDictionary* dictionary) {
            check(weights, x, dictionary);
            Worker& worker = thread_scratch<Worker>();
            weights.lattice(x, dictionary, worker.lattice);
            std::vector<double> scores;
            for (const Labels* labels : candidates)
                scores.push_back(worker.lattice.score(labels->checked(x, weights.L())));
            return to_numpy(std::move(scores));
        },
        "weights"_a, "x"_a, "candidates"_a, "dictionary"_a.none() = nb::none(), "The scores of given labellings of x.");
    m.def(
        "nbest_batch",
        [](const Weights& weights, const Corpus& corpus, int n, const TagDictionary* dictionary, int threads) {
            check(weights, corpus, dictionary);
            const nb::gil_scoped_release unlocked;
            return nbest_batch(weights, corpus, dictionary, n, threads);
        },
        "weights"_a, "corpus"_a, "n"_a, "dictionary"_a.none() = nb::none(), "threads"_a = 1,
        "The n best labellings of every sequence.");
}

}  // namespace perceptag

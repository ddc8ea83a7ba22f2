#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>

#include <string>
#include <tuple>

#include "core/arrays.hpp"
#include "core/checks.hpp"
#include "core/vectors.hpp"
#include "perceptag/core/vector_math.hpp"
#include "perceptag/linear/likelihood.hpp"

namespace perceptag {
namespace {

void check_training(const Weights& weights, const Corpus& corpus) {
    check_gold(corpus, weights.L());
    for (int b = 0; b < kBlocks; ++b)
        if (weights.block(b).sum.size() != weights.block(b).size())
            throw std::invalid_argument("averaged weights cannot be trained");
}

void check_shards(const Corpus& corpus, const std::vector<std::int64_t>& shards) {
    for (std::size_t k = 0; k < shards.size(); ++k)
        if (shards[k] < (k ? shards[k - 1] : 0) || shards[k] > std::ssize(corpus.sequences))
            throw std::invalid_argument("shards: expected ascending numbers of sequences");
}

void bind_likelihood(nb::module_& m) {
    nb::class_<Likelihood>(m, "Likelihood", "The log-likelihood of a corpus under a conditional random field.")
        .def(
            "__init__",
            [](Likelihood* self, const Weights& weights, const Corpus& corpus, const TagDictionary* dictionary,
               std::size_t held, const std::vector<std::int64_t>& shards) {
                check(weights, corpus, dictionary);
                check_training(weights, corpus);
                check_shards(corpus, shards);
                const nb::gil_scoped_release unlocked;
                new (self) Likelihood(weights, corpus, dictionary, held, shards);
            },
            "weights"_a, "corpus"_a, "dictionary"_a.none() = nb::none(), "held"_a = 1UL << 22,
            "shards"_a = std::vector<std::int64_t>(), nb::keep_alive<1, 3>(), nb::keep_alive<1, 4>(),
            "At most `held` marginals are in memory at a time, or those of one sequence. `shards`: the first sequence "
            "of "
            "each shard but the first one.")
        .def(
            "gold", [](const Likelihood& self) { return to_numpy(std::vector<double>(self.gold())); },
            "How often each weight counts in the gold labellings; 0 for weights that never move.")
        .def_prop_ro("size", &Likelihood::size, "The number of weights.")
        .def(
            "evaluate",
            [](Likelihood& self, const Weights& weights, int threads, bool gold) {
                if (!self.fits(weights)) throw std::invalid_argument("the weights belong to another model");
                std::vector<double> gradient = gold ? self.gold() : std::vector<double>(self.size());
                LogLikelihood found;
                {
                    const nb::gil_scoped_release unlocked;
                    found = self.evaluate(weights, threads, gradient);
                }
                return std::tuple(found.value, found.wrong, to_numpy(std::move(gradient)));
            },
            "weights"_a, "threads"_a = 1, "gold"_a = true,
            "The log-likelihood, the number of sequences that are wrong token by token, and the gradient: that of the "
            "weights of all blocks, one block after the other. Without `gold`, only what the shards here subtract from "
            "the gold counts. Not for several threads of Python at once.");
}

}  // namespace

void bind_crf(nb::module_& m) {
    bind_likelihood(m);
    m.def(
        "dot",
        [](Array1<double> a, Array1<double> b) {
            if (a.shape(0) != b.shape(0)) throw std::invalid_argument("expected vectors of the same length");
            return dot(a.data(), b.data(), a.shape(0));
        },
        "a"_a.noconvert(), "b"_a.noconvert(), "The inner product, the same bits on every machine.");
}

}  // namespace perceptag

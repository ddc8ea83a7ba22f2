#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>

#include <cmath>
#include <optional>
#include <string>
#include <tuple>

#include "core/arrays.hpp"
#include "core/checks.hpp"
#include "perceptag/core/vector_math.hpp"
#include "perceptag/linear/adagrad.hpp"
#include "perceptag/linear/likelihood.hpp"
#include "perceptag/search/marginals.hpp"

namespace perceptag {
namespace {

using OwnArray = nb::ndarray<double, nb::numpy, nb::ndim<1>, nb::c_contig>;

void check_corpus(const Weights& weights, const Corpus& corpus, const TagDictionary* dictionary) {
    for (const Sequence& x : corpus.sequences) check(weights, x, dictionary);
}

void check_gold(const Weights& weights, const Corpus& corpus) {
    for (const Sequence& x : corpus.sequences) {
        if (x.labels.size() != static_cast<std::size_t>(x.T)) throw std::invalid_argument("a sequence has no labels");
        for (const std::int32_t y : x.labels)
            if (y < 0 || y >= weights.L()) throw std::invalid_argument("a label is out of range");
    }
    for (int b = 0; b < kBlocks; ++b)
        if (weights.block(b).sum.size() != weights.block(b).size())
            throw std::invalid_argument("averaged weights cannot be trained");
}

void check_scale(double scale) {
    if (!(scale > 0) || !std::isfinite(scale)) throw std::invalid_argument("scale: expected a number above 0");
}

void check_events(const Corpus& corpus, const Events& events, std::size_t tables) {
    const std::size_t n = events.sequence.size();
    const auto wrong = [] { throw std::invalid_argument("an event is out of range"); };
    if (events.first.size() != n || events.begin.size() != n + 1 || events.begin[0] != 0 ||
        static_cast<std::size_t>(events.begin[n]) != events.masks.size())
        wrong();
    for (std::size_t i = 0; i < n; ++i) {
        if (events.sequence[i] < 0 || static_cast<std::size_t>(events.sequence[i]) >= corpus.sequences.size()) wrong();
        const std::int32_t length = events.begin[i + 1] - events.begin[i];
        const int T = corpus.sequences[static_cast<std::size_t>(events.sequence[i])].T;
        if (length < 1 || events.first[i] < 0 || events.first[i] > T - length) wrong();
    }
    for (const std::int32_t table : events.masks)
        if (table < 0 || static_cast<std::size_t>(table) >= tables) wrong();
}

void bind_likelihood(nb::module_& m) {
    nb::class_<Likelihood>(m, "Likelihood", "The log-likelihood of a corpus under a conditional random field.")
        .def(
            "__init__",
            [](Likelihood* self, const Weights& weights, const Corpus& corpus, const TagDictionary* dictionary,
               std::size_t held) {
                check_corpus(weights, corpus, dictionary);
                check_gold(weights, corpus);
                const nb::gil_scoped_release unlocked;
                new (self) Likelihood(weights, corpus, dictionary, held);
            },
            "weights"_a, "corpus"_a, "dictionary"_a.none() = nb::none(), "held"_a = 1UL << 22, nb::keep_alive<1, 3>(),
            nb::keep_alive<1, 4>(), "At most `held` marginals are in memory at a time, or those of one sequence.")
        .def_prop_ro("size", &Likelihood::size, "The number of weights.")
        .def(
            "evaluate",
            [](Likelihood& self, const Weights& weights, int threads) {
                if (!self.fits(weights)) throw std::invalid_argument("the weights are of another model");
                std::vector<double> gradient(self.size());
                LogLikelihood found;
                {
                    const nb::gil_scoped_release unlocked;
                    found = self.evaluate(weights, threads, gradient);
                }
                return std::tuple(found.value, found.wrong, to_numpy(std::move(gradient)));
            },
            "weights"_a, "threads"_a = 1,
            "The log-likelihood, the number of sequences that are wrong token by token, and the gradient: that of the "
            "weights of all blocks, one block after the other. Not for several threads of Python at once.");
}

void bind_adagrad(nb::module_& m) {
    m.def(
        "count_touches",
        [](const Weights& weights, const Corpus& corpus) {
            check_corpus(weights, corpus, nullptr);
            return to_numpy(count_touches(weights, corpus));
        },
        "weights"_a, "corpus"_a, "For each weight of all blocks, the number of sequences that touch it.");
    m.def(
        "adagrad_pass",
        [](Weights& weights, const Corpus& corpus, Array1<std::int32_t> order, Array1<double> touches, OwnArray squares,
           double rate, double precision, double l1, const TagDictionary* dictionary) {
            check_corpus(weights, corpus, dictionary);
            check_gold(weights, corpus);
            for (const std::int32_t n : view(order))
                if (n < 0 || static_cast<std::size_t>(n) >= corpus.sequences.size()) throw nb::index_error();
            const std::size_t size = block_offsets(weights).back();
            if (touches.shape(0) != size || squares.shape(0) != size)
                throw std::invalid_argument("expected " + std::to_string(size) + " numbers");
            const nb::gil_scoped_release unlocked;
            const LogLikelihood found = adagrad_pass(weights, corpus, dictionary, view(order), {rate, precision, l1},
                                                     view(touches), {squares.data(), size});
            return std::pair(found.value, found.wrong);
        },
        "weights"_a, "corpus"_a, "order"_a.noconvert(), "touches"_a.noconvert(), "squares"_a.noconvert(), "rate"_a,
        "precision"_a, "l1"_a, "dictionary"_a.none() = nb::none(),
        "One pass of AdaGrad: the log-likelihood and the number of wrong sequences met on the way.");
}

void bind_marginals(nb::module_& m) {
    m.def(
        "marginals",
        [](const Weights& weights, const Corpus& corpus, const TagDictionary* dictionary, double scale, bool pairs,
           int threads) {
            check_corpus(weights, corpus, dictionary);
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
            check_corpus(weights, corpus, dictionary);
            check_scale(scale);
            const auto L = static_cast<std::size_t>(weights.L());
            const Events events{view(sequence), view(first), view(begin), view(masks), view(tables)};
            check_events(corpus, events, tables.shape(0) / ((L + 1) * L));
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

}  // namespace

void bind_crf(nb::module_& m) {
    bind_likelihood(m);
    bind_adagrad(m);
    bind_marginals(m);
    m.def(
        "dot",
        [](Array1<double> a, Array1<double> b) {
            if (a.shape(0) != b.shape(0)) throw std::invalid_argument("expected vectors of the same length");
            return dot(a.data(), b.data(), a.shape(0));
        },
        "a"_a.noconvert(), "b"_a.noconvert(), "The inner product, the same bits on every machine.");
}

}  // namespace perceptag

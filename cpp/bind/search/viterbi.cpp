#include "perceptag/search/viterbi.hpp"

#include <nanobind/stl/optional.h>

#include <cmath>
#include <optional>

#include "core/arrays.hpp"
#include "core/batch.hpp"
#include "core/checks.hpp"
#include "core/labels.hpp"
#include "core/vectors.hpp"
#include "perceptag/core/scratch.hpp"
#include "perceptag/search/viterbi1.hpp"

namespace perceptag {

void bind_viterbi(nb::module_& m) {
    m.def(
        "viterbi",
        [](const Weights& weights, const Sequence& x, const TagDictionary* dictionary) {
            check(weights, x, dictionary);
            Worker& worker = thread_scratch<Worker>();
            Labels labels{std::vector<std::int32_t>(x.T)};
            const nb::gil_scoped_release unlocked;
            viterbi(weights, x, dictionary, worker, labels.y);
            return labels;
        },
        "weights"_a, "x"_a, "dictionary"_a.none() = nb::none(), "The best labelling of x.");
    m.def(
        "viterbi_over_all_pairs",
        [](const Weights& weights, const Sequence& x) {
            check(weights, x);
            if (weights.order() != 1) throw nb::value_error("expected weights of first order");
            Worker& worker = thread_scratch<Worker>();
            Labels labels{std::vector<std::int32_t>(x.T)};
            const nb::gil_scoped_release unlocked;
            weights.lattice(x, nullptr, worker.lattice);
            if (x.T > 0) full_viterbi1(worker.lattice, worker, labels.y);
            return labels;
        },
        "weights"_a, "x"_a,
        "The best labelling of x, found by the search for few labels: what the search for many is compared with.");
    m.def(
        "viterbi_without",
        [](const Weights& weights, const Sequence& x, int t, int label, const TagDictionary* dictionary) {
            check(weights, x, dictionary);
            if (t < 0 || t >= x.T || label < 0 || label >= weights.L()) throw nb::index_error();
            Worker worker;
            Labels labels{std::vector<std::int32_t>(x.T)};
            const double score = viterbi_without(weights, x, t, label, dictionary, worker, labels.y);
            return std::isinf(score) ? std::nullopt : std::optional(labels);
        },
        "weights"_a, "x"_a, "t"_a, "label"_a, "dictionary"_a.none() = nb::none(),
        "The best labelling of x that has another label at t, or None if nothing else is allowed.");
    m.def(
        "decode",
        [](const Weights& weights, const Corpus& corpus, const TagDictionary* dictionary, int threads) {
            check(weights, corpus, dictionary);
            std::vector<std::int32_t> labels;
            {
                const nb::gil_scoped_release unlocked;
                labels = decode(weights, corpus, dictionary, threads);
            }
            return to_numpy(std::move(labels));
        },
        "weights"_a, "corpus"_a, "dictionary"_a.none() = nb::none(), "threads"_a = 1);
    m.def(
        "tag",
        [](const FeatureIndex& index, const Weights& weights, const TagDictionary* dictionary,
           const std::vector<const TypeTable*>& tables, const std::vector<Ids>& columns, Ids begin, Ids closed,
           int threads) {
            index.check(tables);
            check_rows(weights, index);
            const Batch batch = make_batch(tables, columns, view(begin), {}, view(closed));
            check(weights, batch.closed, dictionary);
            std::vector<std::int32_t> labels;
            {
                const nb::gil_scoped_release unlocked;
                labels = tag(index, weights, dictionary, batch, threads);
            }
            return to_numpy(std::move(labels));
        },
        "index"_a, "weights"_a, "dictionary"_a.none(), "tables"_a, "columns"_a, "begin"_a, "closed"_a, "threads"_a = 1,
        "Labels of a batch, one after the other.");
}

}  // namespace perceptag

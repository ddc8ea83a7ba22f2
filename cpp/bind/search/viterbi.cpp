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
#include "perceptag/search/lazy_scores.hpp"

namespace perceptag {

void bind_viterbi(nb::module_& m) {
    m.def("look_at_all_pairs", &look_at_all_pairs, "all"_a,
          "Whether first-order search looks at all pairs of labels, in the whole process. Results are the same; for "
          "tests and benchmarks.");
    m.def(
        "viterbi",
        [](const Weights& weights, const Sequence& x, const TagDictionary* dictionary) {
            check(weights, x, dictionary);
            Worker& worker = thread_scratch<Worker>();
            Labels labels{std::vector<std::int32_t>(x.T)};
            const nb::gil_scoped_release unlocked;
            viterbi(weights, x, dictionary, worker, labels.y.data());
            return labels;
        },
        "weights"_a, "x"_a, "dictionary"_a.none() = nb::none(), "The best labelling of x.");
    m.def(
        "viterbi_without",
        [](const Weights& weights, const Sequence& x, int t, int label, const TagDictionary* dictionary) {
            check(weights, x, dictionary);
            if (t < 0 || t >= x.T || label < 0 || label >= weights.L()) throw nb::index_error();
            Worker worker;
            Labels labels{std::vector<std::int32_t>(x.T)};
            const double score = viterbi_without(weights, x, t, label, dictionary, worker, labels.y.data());
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

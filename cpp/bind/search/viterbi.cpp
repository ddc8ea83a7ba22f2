#include "perceptag/search/viterbi.hpp"

#include "core/arrays.hpp"
#include "core/batch.hpp"
#include "core/checks.hpp"
#include "core/labels.hpp"
#include "core/vectors.hpp"
#include "perceptag/core/scratch.hpp"

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

#include "perceptag/search/constrained_search.hpp"

#include <nanobind/stl/optional.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "core/arrays.hpp"
#include "core/checks.hpp"
#include "core/vectors.hpp"
#include "perceptag/core/integers.hpp"
#include "search/event_checks.hpp"

namespace perceptag {
namespace {

using Numbers = Array1<std::int32_t>;
using Flags = Array1<std::uint8_t>;

template <class T>
std::vector<T> copied(const Array1<T>& array) {
    return {view(array).begin(), view(array).end()};
}

ChunkPairs make_pairs(const Weights& weights, const Numbers& kind, const Flags& begins, const Flags& joined,
                      bool are_chunks) {
    const std::size_t L = weights.L();
    if (kind.shape(0) != L || begins.shape(0) != (L + 1) * L || joined.shape(0) != (L + 1) * L)
        throw std::invalid_argument("pairs of labels: expected the size of the label set");
    return {copied(kind), copied(begins), copied(joined), are_chunks};
}

// `spans`: sequence, start, end, type and saying of each; `starts`: sequence and token of each start of a sentence.
std::vector<SequenceRules> make_rules(std::size_t sequences, const ChunkPairs& pairs, const Array2<std::int32_t>& spans,
                                      const Array1<float>& amounts, const Array2<std::int32_t>& starts) {
    const auto wrong = [] { throw std::invalid_argument("a span of a rule is out of range"); };
    std::vector<SequenceRules> rules(sequences);
    if (spans.shape(1) != 5 || starts.shape(1) != 2 || amounts.shape(0) != spans.shape(0)) wrong();
    const std::int32_t kinds = pairs.kind.empty() ? 0 : *std::ranges::max_element(pairs.kind) + 1;
    for (std::size_t i = 0; i < spans.shape(0); ++i) {
        const std::int32_t* row = spans.data() + i * 5;
        if (!is_index(row[0], sequences) || row[1] < 0 || row[2] <= row[1] || !is_index(row[3], kinds)) wrong();
        if (!is_index(row[4], 3) || !std::isfinite(amounts.data()[i])) wrong();
        rules[row[0]].spans.push_back({row[1], row[2], row[3], static_cast<Say>(row[4]), amounts.data()[i]});
    }
    for (std::size_t i = 0; i < starts.shape(0); ++i) {
        const std::int32_t* row = starts.data() + i * 2;
        if (!is_index(row[0], sequences) || row[1] < 0) wrong();
        rules[row[0]].sentences.push_back(row[1]);
    }
    return rules;
}

void check(const ConstrainedSearch& search, const Corpus& corpus) {
    check(search.weights, corpus, search.dictionary);
    if (search.rules.size() != corpus.sequences.size())
        throw std::invalid_argument("expected the rules of each sequence");
    for (std::size_t i = 0; i < search.rules.size(); ++i) {
        const int T = corpus.sequences[i].T;
        for (const SpanRule& rule : search.rules[i].spans)
            if (rule.end > T) throw std::invalid_argument("a span of a rule is out of range");
        for (const std::int32_t t : search.rules[i].sentences)
            if (t >= T) throw std::invalid_argument("the start of a sentence is out of range");
    }
}

}  // namespace

void bind_constrained_search(nb::module_& m) {
    nb::class_<ConstrainedSearch>(m, "ConstrainedSearch",
                                  "Search under rules about spans of the sequences of a corpus.")
        .def(
            "__init__",
            [](ConstrainedSearch* self, const Weights& weights, const TagDictionary* dictionary,
               const std::optional<Limits>& local, Numbers kind, Flags begins, Flags joined, bool are_chunks,
               int sequences, Array2<std::int32_t> spans, Array1<float> amounts, Array2<std::int32_t> starts) {
                ChunkPairs pairs = make_pairs(weights, kind, begins, joined, are_chunks);
                std::vector<SequenceRules> rules = make_rules(sequences, pairs, spans, amounts, starts);
                new (self) ConstrainedSearch{weights, dictionary, local, std::move(pairs), std::move(rules)};
            },
            nb::keep_alive<1, 2>(), nb::keep_alive<1, 3>(), "weights"_a, "dictionary"_a.none(), "local"_a.none(),
            "kind"_a.noconvert(), "begins"_a.noconvert(), "joined"_a.noconvert(), "are_chunks"_a, "sequences"_a,
            "spans"_a.noconvert(), "amounts"_a.noconvert(), "starts"_a.noconvert())
        .def(
            "decode",
            [](const ConstrainedSearch& self, const Corpus& corpus, int threads) {
                check(self, corpus);
                std::vector<std::int32_t> found;
                {
                    const nb::gil_scoped_release unlocked;
                    found = self.decode(corpus, threads);
                }
                return to_numpy(std::move(found));
            },
            "corpus"_a, "threads"_a = 1, "The best labellings; -1 in a sequence for which the rules leave none.")
        .def(
            "nbest",
            [](const ConstrainedSearch& self, const Corpus& corpus, int n, int threads) {
                check(self, corpus);
                const nb::gil_scoped_release unlocked;
                return self.nbest(corpus, n, threads);
            },
            "corpus"_a, "n"_a, "threads"_a = 1, "The n best labellings of every sequence.")
        .def(
            "max_marginals",
            [](const ConstrainedSearch& self, const Corpus& corpus, int threads) {
                check(self, corpus);
                std::vector<float> found;
                {
                    const nb::gil_scoped_release unlocked;
                    found = self.max_marginals(corpus, threads);
                }
                return to_numpy(std::move(found));
            },
            "corpus"_a, "threads"_a = 1,
            "How far the best labelling with a label at a token is behind the best of all: flat [tokens, L].")
        .def(
            "marginals",
            [](const ConstrainedSearch& self, const Corpus& corpus, double scale, bool pairs, int threads) {
                check(self, corpus);
                check_scale(scale);
                std::vector<double> found;
                {
                    const nb::gil_scoped_release unlocked;
                    found = self.marginals(corpus, scale, pairs, threads);
                }
                return to_numpy(std::move(found));
            },
            "corpus"_a, "scale"_a = 1.0, "pairs"_a = false, "threads"_a = 1,
            "p(label) of every token, or with the label before it, as `marginals` has them.")
        .def(
            "event_probabilities",
            [](const ConstrainedSearch& self, const Corpus& corpus, Numbers sequence, Numbers first, Numbers begin,
               Numbers masks, Flags tables, double scale, int threads) {
                check(self, corpus);
                check_scale(scale);
                const Events events{view(sequence), view(first), view(begin), view(masks), view(tables)};
                check_events(corpus, events, tables.shape(0) / combinations(1, self.weights.L()));
                std::vector<double> found;
                {
                    const nb::gil_scoped_release unlocked;
                    found = self.event_probabilities(corpus, scale, events, threads);
                }
                return to_numpy(std::move(found));
            },
            "corpus"_a, "sequence"_a.noconvert(), "first"_a.noconvert(), "begin"_a.noconvert(), "masks"_a.noconvert(),
            "tables"_a.noconvert(), "scale"_a = 1.0, "threads"_a = 1, "The probabilities of events.");
}

}  // namespace perceptag

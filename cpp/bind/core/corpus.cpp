#include "perceptag/core/corpus.hpp"

#include <nanobind/stl/optional.h>

#include <optional>
#include <stdexcept>

#include "core/arrays.hpp"
#include "core/batch.hpp"
#include "core/checks.hpp"
#include "core/labels.hpp"
#include "core/span_labels.hpp"
#include "core/vectors.hpp"
#include "perceptag/core/thinning.hpp"

namespace perceptag {

Batch make_batch(const std::vector<const TypeTable*>& tables, const std::vector<Ids>& columns,
                 std::span<const std::int32_t> begin, std::span<const std::int32_t> labels,
                 std::span<const std::int32_t> closed) {
    Batch batch{tables, {}, begin, labels, closed};
    if (tables.size() != columns.size()) throw std::invalid_argument("expected one column for each table");
    if (batch.begin.empty() || batch.begin.front() != 0) throw std::invalid_argument("sequences start at 0");
    for (std::size_t i = 0; i + 1 < batch.begin.size(); ++i)
        if (batch.begin[i] > batch.begin[i + 1]) throw std::invalid_argument("sequences overlap");
    const std::size_t tokens = batch.begin.back();
    for (std::size_t c = 0; c < columns.size(); ++c) {
        if (columns[c].shape(0) != tokens)
            throw std::invalid_argument("expected columns with the same number of tokens");
        for (const std::int32_t type : view(columns[c]))
            if (type < 0 || type >= tables[c]->size()) throw std::invalid_argument("a type id is out of range");
        batch.columns.push_back(columns[c].data());
    }
    for (const auto& numbers : {batch.labels, batch.closed})
        if (!numbers.empty() && numbers.size() != tokens)
            throw std::invalid_argument("expected one label for each token");
    return batch;
}

void bind_corpus(nb::module_& m) {
    nb::class_<Sequence>(m, "Sequence", "One sequence as rows of weights.")
        .def("__len__", [](const Sequence& self) { return self.T; })
        .def_prop_ro("labels", [](const Sequence& self) { return Labels{self.labels}; })
        .def(
            "rows",
            [](const Sequence& self, int order, int t) {
                if (order < 0 || order >= kOrders || t < 0 || t >= self.T) throw nb::index_error();
                if (self.begin[order].empty()) return to_numpy(std::vector<std::int32_t>());
                const auto rows = self.at(order, t);
                return to_numpy(std::vector<std::int32_t>(rows.begin(), rows.end()));
            },
            "order"_a, "t"_a)
        .def(
            "span_rows",
            [](const Sequence& self, int start, int length) {
                if (start < 0 || length < 1 || length > self.spans.longest || start + length > self.T)
                    throw nb::index_error();
                const auto rows = self.spans.at(start, length);
                return to_numpy(std::vector<std::int32_t>(rows.begin(), rows.end()));
            },
            "start"_a, "length"_a, "The rows of the features of a span.")
        .def(
            "amounts",
            [](const Sequence& self, int order, int t) {
                if (order < 0 || order >= kOrders || t < 0 || t >= self.T) throw nb::index_error();
                std::vector<float> found;
                self.for_each(order, t, [&](std::int32_t, float amount) { found.push_back(amount); });
                return to_numpy(std::move(found));
            },
            "order"_a, "t"_a, "What each of the rows counts.");

    nb::class_<Corpus>(m, "Corpus", "Encoded sequences.")
        .def("__len__", [](const Corpus& self) { return self.sequences.size(); })
        .def(
            "__getitem__",
            [](const Corpus& self, std::size_t i) -> const Sequence& {
                if (i >= self.sequences.size()) throw nb::index_error();
                return self.sequences[i];
            },
            nb::rv_policy::reference_internal)
        .def_prop_ro("active", &Corpus::active)
        .def_prop_ro("has_amounts", &Corpus::has_amounts)
        .def(
            "thinned",
            [](const Corpus& self, double rate, std::uint64_t seed, int threads,
               std::optional<Array1<std::int64_t>> numbers) {
                if (!(rate >= 0 && rate < 1)) throw std::invalid_argument("rate: expected 0 or more, and less than 1");
                const auto given = numbers ? view(*numbers) : std::span<const std::int64_t>{};
                if (numbers && given.size() != self.sequences.size())
                    throw std::invalid_argument("numbers: expected one for each sequence");
                const nb::gil_scoped_release unlocked;
                return thinned(self, rate, seed, threads, given);
            },
            "rate"_a, "seed"_a, "threads"_a = 1, "numbers"_a = nb::none(),
            "A copy in which some features are left out at random. `numbers`: of the sequences in all of the data.");

    m.def(
        "encode_new",
        [](FeatureIndex& index, const std::vector<const TypeTable*>& tables, const std::vector<Ids>& columns, Ids begin,
           Ids labels, Ids closed, int threads) {
            index.check(tables);
            const Batch batch = make_batch(tables, columns, view(begin), view(labels), view(closed));
            const nb::gil_scoped_release unlocked;
            return encode_new(index, batch, threads);
        },
        "index"_a, "tables"_a, "columns"_a, "begin"_a, "labels"_a, "closed"_a, "threads"_a = 1);
    m.def(
        "encode_spans",
        [](FeatureIndex& index, const std::vector<const TypeTable*>& tables, const std::vector<Ids>& columns, Ids begin,
           Corpus& corpus, std::vector<std::int32_t> kind, const std::vector<int>& letter, int classes, int longest,
           int threads) {
            index.check(tables);
            const Batch batch = make_batch(tables, columns, view(begin), {}, {});
            const SpanLabels labels = make_span_labels(std::move(kind), letter, classes, longest);
            check_gold(corpus, static_cast<int>(labels.kind.size()));
            if (!index.spans() || corpus.sequences.size() != batch.size())
                throw std::invalid_argument("expected the corpus of these columns, and an index of spans");
            for (std::size_t i = 0; i < batch.size(); ++i)
                if (corpus.sequences[i].T != batch.begin[i + 1] - batch.begin[i])
                    throw std::invalid_argument("expected the corpus of these columns");
            const nb::gil_scoped_release unlocked;
            encode_spans(index, batch, labels, corpus, threads);
        },
        "index"_a, "tables"_a, "columns"_a, "begin"_a, "corpus"_a, "kind"_a, "letter"_a, "classes"_a, "longest"_a,
        "threads"_a = 1, "Make features from the gold spans of an encoded corpus, and find those of all spans.");
    m.def(
        "encode",
        [](const FeatureIndex& index, const std::vector<const TypeTable*>& tables, const std::vector<Ids>& columns,
           Ids begin, Ids labels, Ids closed, int threads) {
            index.check(tables);
            const Batch batch = make_batch(tables, columns, view(begin), view(labels), view(closed));
            const nb::gil_scoped_release unlocked;
            return encode(index, batch, threads);
        },
        "index"_a, "tables"_a, "columns"_a, "begin"_a, "labels"_a, "closed"_a, "threads"_a = 1);
}

}  // namespace perceptag

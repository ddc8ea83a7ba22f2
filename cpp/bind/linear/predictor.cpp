#include "perceptag/linear/predictor.hpp"

#include <stdexcept>

#include "core/arrays.hpp"
#include "core/batch.hpp"
#include "core/checks.hpp"
#include "core/memory_views.hpp"
#include "core/vectors.hpp"
#include "linear/predictor_batch.hpp"

namespace perceptag {

Batch checked_batch(const Predictor& predictor, const TagDictionary* dictionary,
                    const std::vector<const TypeTable*>& tables, const std::vector<Ids>& columns, const Ids& begin,
                    const Ids& closed) {
    if (tables.size() != predictor.tables().size()) throw nb::value_error("expected a table for each column");
    for (std::size_t c = 0; c < tables.size(); ++c)
        if (predictor.is_computed(c) ? tables[c]->attributes() != predictor.tables()[c]->attributes()
                                     : tables[c] != predictor.tables()[c])
            throw nb::value_error("expected the tables of the predictor");
    Batch batch = make_batch(tables, columns, view(begin), {},
                             closed.is_valid() ? view(closed) : std::span<const std::int32_t>());
    check(predictor.weights(), batch.closed, dictionary);
    return batch;
}

namespace {

std::vector<std::int32_t> tag(Predictor& predictor, const TagDictionary* dictionary, const Batch& batch, int threads) {
    const nb::gil_scoped_release unlocked;
    return predictor.tag(dictionary, batch, threads);
}

}  // namespace

void bind_predictor(nb::module_& m) {
    nb::class_<Predictor>(m, "Predictor", "A linear model made ready to tag.")
        .def(
            "__init__",
            [](Predictor* self, const FeatureIndex& index, const Weights& weights, std::vector<const TypeTable*> tables,
               std::size_t memory, std::vector<std::size_t> computed) {
                index.check(tables);
                check_rows(weights, index);
                for (const std::size_t c : computed)
                    if (c >= tables.size()) throw nb::value_error("expected numbers of columns");
                new (self) Predictor(index, weights, std::move(tables), memory, std::move(computed));
            },
            "index"_a, "weights"_a, "tables"_a, "memory"_a, "computed"_a = std::vector<std::size_t>(),
            nb::keep_alive<1, 2>(), nb::keep_alive<1, 3>(), nb::keep_alive<1, 4>())
        .def(
            "tag",
            [](Predictor& self, const TagDictionary* dictionary, const std::vector<const TypeTable*>& tables,
               const std::vector<Ids>& columns, Ids begin, Ids closed, int threads) {
                const Batch batch = checked_batch(self, dictionary, tables, columns, begin, closed);
                return to_view(tag(self, dictionary, batch, threads));
            },
            "dictionary"_a.none(), "tables"_a, "columns"_a, "begin"_a, "closed"_a, "threads"_a = 1,
            "Labels of a batch, one after the other.");
}

}  // namespace perceptag

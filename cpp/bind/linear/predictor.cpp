#include "perceptag/linear/predictor.hpp"

#include <stdexcept>

#include "core/arrays.hpp"
#include "core/batch.hpp"
#include "core/checks.hpp"
#include "core/vectors.hpp"

namespace perceptag {

void bind_predictor(nb::module_& m) {
    nb::class_<Predictor>(m, "Predictor", "A linear model made ready to tag.")
        .def(
            "__init__",
            [](Predictor* self, const FeatureIndex& index, const Weights& weights, std::vector<const TypeTable*> tables,
               std::size_t memory) {
                index.check(tables);
                check_rows(weights, index);
                new (self) Predictor(index, weights, std::move(tables), memory);
            },
            "index"_a, "weights"_a, "tables"_a, "memory"_a, nb::keep_alive<1, 2>(), nb::keep_alive<1, 3>(),
            nb::keep_alive<1, 4>())
        .def(
            "tag",
            [](Predictor& self, const TagDictionary* dictionary, const std::vector<Ids>& columns, Ids begin, Ids closed,
               int threads) {
                const Batch batch = make_batch(self.tables(), columns, view(begin), {}, view(closed));
                check(self.weights(), batch.closed, dictionary);
                std::vector<std::int32_t> labels;
                {
                    const nb::gil_scoped_release unlocked;
                    labels = self.tag(dictionary, batch, threads);
                }
                return to_numpy(std::move(labels));
            },
            "dictionary"_a.none(), "columns"_a, "begin"_a, "closed"_a, "threads"_a = 1,
            "Labels of a batch, one after the other.");
}

}  // namespace perceptag

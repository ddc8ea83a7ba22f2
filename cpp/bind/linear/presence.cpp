#include "perceptag/linear/presence.hpp"

#include <stdexcept>

#include "core/arrays.hpp"
#include "core/checks.hpp"
#include "core/vectors.hpp"

namespace perceptag {
namespace {

Presence from_counts(const std::vector<Array1<std::uint32_t>>& counts) {
    if (counts.size() != kOrders) throw std::invalid_argument("expected one array for each of the three orders");
    Presence made;
    for (int order = 0; order < kOrders; ++order) {
        made[order].assign(view(counts[order]).begin(), view(counts[order]).end());
    }
    return made;
}

}  // namespace

void bind_presence(nb::module_& m) {
    nb::class_<Presence>(m, "Presence", "In how many shards each feature occurs.")
        .def(
            "__init__",
            [](Presence* self, const Weights& weights, const Corpus& corpus, Array1<std::int32_t> shard_of,
               int shards) {
                check(weights, corpus, nullptr);
                if (shards < 1 || shard_of.shape(0) != corpus.sequences.size())
                    throw std::invalid_argument("expected a shard for each sequence");
                for (const std::int32_t shard : view(shard_of))
                    if (shard < 0 || shard >= shards) throw std::invalid_argument("a shard is out of range");
                new (self) Presence(count_presence(weights, corpus, view(shard_of), shards));
            },
            "weights"_a, "corpus"_a, "shard_of"_a.noconvert(), "shards"_a)
        .def(
            "__init__",
            [](Presence* self, const std::vector<Array1<std::uint32_t>>& counts) {
                new (self) Presence(from_counts(counts));
            },
            "counts"_a, "From the counts of each order.");
}

}  // namespace perceptag

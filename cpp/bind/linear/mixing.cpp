#include "perceptag/linear/mixing.hpp"

#include <nanobind/stl/pair.h>

#include <algorithm>
#include <stdexcept>

#include "core/arrays.hpp"
#include "core/vectors.hpp"
#include "linear/layout.hpp"
#include "linear/places.hpp"

namespace perceptag {
namespace {

using Shards = std::vector<const ShardChanges*>;
using Values = std::vector<std::pair<AnyPlaces, Array1<float>>>;

void check_presence(const Weights& weights, const Presence& presence) {
    for (int order = 0; order < kOrders; ++order) {
        if (presence[order].size() != weights.block(order).rows)
            throw std::invalid_argument("the shards belong to other weights");
    }
}

void check_workers(const Weights& weights, const std::vector<Weights*>& own) {
    for (const Weights* one : own) {
        if (!one || one == &weights) throw std::invalid_argument("own: expected weights of workers");
        check_layout(*one, weights);
    }
}

// All of it is checked before anything is set.
void put_values(Weights& own, const Values& values) {
    if (values.size() != kBlocks) throw std::invalid_argument("expected two arrays for each of the five blocks");
    std::vector<std::vector<std::uint64_t>> places;
    for (int b = 0; b < kBlocks; ++b) {
        if (values[b].first.shape(0) != values[b].second.shape(0))
            throw std::invalid_argument("expected a weight for each place");
        places.push_back(read_places(values[b].first));
        check_places(own.block(b), places[b]);
    }
    for (int b = 0; b < kBlocks; ++b)
        for (std::size_t i = 0; i < places[b].size(); ++i) own.block(b).set(places[b][i], values[b].second.data()[i]);
}

void bind_values(nb::module_& m) {
    m.def(
        "mixed_values",
        [](const Weights& weights, const Shards& changes) {
            check_changes(weights, changes);
            std::vector<MixedValues> found(kBlocks);
            {
                const nb::gil_scoped_release unlocked;
                for (int b = 0; b < kBlocks; ++b) found[b] = mixed_values(weights, changes, b);
            }
            nb::list arrays;
            for (MixedValues& block : found)
                arrays.append(nb::make_tuple(places_to_numpy(block.places), to_numpy(std::move(block.w))));
            return arrays;
        },
        nb::sig("def mixed_values(weights: Weights, changes: _Sequence[ShardChanges]) -> "
                "list[tuple[NDArray[Any], NDArray[numpy.float32]]]"),
        "weights"_a, "changes"_a, "For each block: the places that changes have moved, and their weights now.");
    m.def(
        "put_values", &put_values,
        nb::sig("def put_values(own: Weights, values: _Sequence[tuple[NDArray[Any], NDArray[numpy.float32]]]) -> None"),
        "own"_a, "values"_a, "Set the weights that `mixed_values` of another process gives.");
}

}  // namespace

void bind_mixing(nb::module_& m) {
    m.def(
        "mix",
        [](Weights& weights, const Shards& changes, int shards, double unit, const Presence* presence,
           const std::vector<Weights*>& own, int threads) {
            check_sums(weights);
            check_changes(weights, changes);
            check_workers(weights, own);
            if (shards < 1 || !(unit > 0)) throw std::invalid_argument("expected shards and a unit above 0");
            if (presence) check_presence(weights, *presence);
            const nb::gil_scoped_release unlocked;
            mix(weights, changes, {shards, unit, presence}, own, threads);
        },
        "weights"_a, "changes"_a, "shards"_a, "unit"_a, "presence"_a.none() = nb::none(),
        "own"_a = std::vector<Weights*>(), "threads"_a = 1,
        "Move the weights by the changes of all shards, each sum divided by a number of shards. The weights of workers "
        "(own) become the same.");
    bind_values(m);
}

}  // namespace perceptag

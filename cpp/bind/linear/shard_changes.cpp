#include "perceptag/linear/shard_changes.hpp"

#include <nanobind/stl/tuple.h>

#include <cmath>
#include <stdexcept>
#include <tuple>

#include "core/arrays.hpp"
#include "core/vectors.hpp"
#include "linear/layout.hpp"
#include "linear/places.hpp"

namespace perceptag {
namespace {

using Arrays = std::tuple<AnyPlaces, Array1<double>, Array1<double>>;

ShardChanges from_arrays(const std::vector<Arrays>& arrays, double ticks) {
    if (arrays.size() != kBlocks) throw std::invalid_argument("expected three arrays for each of the five blocks");
    if (!std::isfinite(ticks) || ticks < 0) throw std::invalid_argument("ticks: expected a number from 0");
    ShardChanges made;
    made.ticks = ticks;
    for (int b = 0; b < kBlocks; ++b) {
        const auto& [places, change, visited] = arrays[b];
        if (change.shape(0) != places.shape(0) || visited.shape(0) != places.shape(0))
            throw std::invalid_argument("expected a change and a sum for each place");
        BlockChanges& to = made.blocks[b];
        to.places = read_places(places);
        to.change.assign(view(change).begin(), view(change).end());
        to.visited.assign(view(visited).begin(), view(visited).end());
    }
    return made;
}

nb::list to_arrays(const ShardChanges& changes) {
    nb::list found;
    for (const BlockChanges& block : changes.blocks)
        found.append(nb::make_tuple(places_to_numpy(block.places), to_numpy(std::vector<double>(block.change)),
                                    to_numpy(std::vector<double>(block.visited))));
    return found;
}

void bind_changes(nb::module_& m) {
    nb::class_<ShardChanges>(m, "ShardChanges", "What one shard did to the weights in a part of a pass.")
        .def(
            "__init__",
            [](ShardChanges* self, const std::vector<Arrays>& arrays, double ticks) {
                new (self) ShardChanges(from_arrays(arrays, ticks));
            },
            nb::sig("def __init__(self, arrays: _Sequence[tuple[NDArray[Any], NDArray[numpy.float64], "
                    "NDArray[numpy.float64]]], ticks: float) -> None"),
            "arrays"_a, "ticks"_a, "From what `arrays` gives, perhaps in another process.")
        .def_ro("ticks", &ShardChanges::ticks)
        .def("arrays", &to_arrays,
             nb::sig("def arrays(self) -> list[tuple[NDArray[Any], "
                     "NDArray[numpy.float64], NDArray[numpy.float64]]]"),
             "For each block: the places that were moved, in ascending order, by how much, and what this adds to the "
             "sum "
             "of all vectors that were visited.")
        .def(
            "__reduce__",
            [](nb::handle self) {
                const auto& changes = nb::cast<const ShardChanges&>(self);
                return nb::make_tuple(self.type(), nb::make_tuple(to_arrays(changes), changes.ticks));
            },
            nb::sig("def __reduce__(self) -> tuple[Any, ...]"))
        .def("__len__", [](const ShardChanges& self) {
            std::size_t total = 0;
            for (const BlockChanges& block : self.blocks) total += block.places.size();
            return total;
        });
}

}  // namespace

void bind_shard_changes(nb::module_& m) {
    bind_changes(m);
    m.def("worker_weights", &worker_weights, "weights"_a, "The same weights, for one shard after the other to move.",
          nb::call_guard<nb::gil_scoped_release>());
    m.def("start_part", &start_part, "own"_a, "Get ready for a part of a pass, which moves weights of its own.");
    m.def(
        "take_changes",
        [](Weights& own, const Weights& start) {
            check_layout(own, start);
            check_sums(own);
            const nb::gil_scoped_release unlocked;
            return take_changes(own, start);
        },
        "own"_a, "start"_a,
        "What a part has changed since it started; own becomes start again. Start may be frozen weights.");
}

}  // namespace perceptag

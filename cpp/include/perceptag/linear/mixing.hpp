// Learning by shards: a part of the data moves weights of its own, and what all parts did is mixed into one change.
//
//     own = worker_weights(w)       weights of a worker, which serves one shard after the other
//     start_part(own)               the clock of the part begins at 0
//     a part of a pass              moves own
//     changes = take_changes(own, w)   what has moved; own is w again
//     mix(w, changes of all shards, own of all workers)
//                                   w + D;  D = the sum of the changes of a weight, divided by a number of shards
//
// The average stays exact. In a part of n examples a shard visits n vectors, whose sum is n·w + n·Δ − Σ tick·Δ. So with
// N examples in all shards, E = Σ (n·Δ − Σ tick·Δ), and a clock that goes from T to T + N, the sum Σ tick·Δ that the
// average needs grows by (T + N)·D − E.
//
// Changes are whole numbers of a unit, and so is every sum: the order in which shards arrive does not matter.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "perceptag/core/weights.hpp"
#include "perceptag/linear/presence.hpp"
#include "perceptag/linear/shard_changes.hpp"

namespace perceptag {

struct Mixing {
    int shards;
    double unit;  // the changed weights become multiples of it
    // The sum of the changes of a weight is divided by the number of shards in whose data the feature occurs; without
    // it by the number of those that have changed the weight.
    const Presence* presence;
};
// `own`: the weights of workers, which become the new weights too.
void mix(Weights& weights, Changes changes, const Mixing& how, std::span<Weights* const> own, int threads);

// The weights of a block that changes have moved, for a worker that is elsewhere.
struct MixedValues {
    std::vector<std::uint64_t> places;  // ascending
    std::vector<float> w;
};
MixedValues mixed_values(const Weights& weights, Changes changes, int block);

}  // namespace perceptag

// Learning by shards: a part of the data moves weights of its own, and what all parts did is mixed into one change.
//
//     own = worker_weights(w)       weights of a worker, which serves one shard after the other
//     start_part(own)               the clock of the part begins at 0
//     a part of a pass              moves own
//     changes = take(own, w)        what has moved; own is w again
//     mix(w, changes of all shards) w + D;  D = the sum of the changes of a weight, divided by a number of shards
//     follow(own, w, changes)       own is the new w
//
// The average stays exact. In a part of n examples a shard visits n vectors, whose sum is n·w + n·Δ − Σ tick·Δ. So with
// N examples in all shards, E = Σ (n·Δ − Σ tick·Δ), and a clock that goes from T to T + N, the sum Σ tick·Δ that the
// average needs grows by (T + N)·D − E.
//
// Changes are whole numbers of a unit, and so is every sum: the order in which shards arrive does not matter.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "perceptag/core/corpus.hpp"
#include "perceptag/core/weights.hpp"

namespace perceptag {

// One weight that a shard has moved.
struct Moved {
    std::size_t place;
    double change;   // Δ
    double visited;  // n·Δ − Σ tick·Δ: what it adds to the sum of the vectors that were visited
};

struct ShardChanges {
    std::array<std::vector<Moved>, kBlocks> blocks;  // sorted by place
    double ticks = 0;                                // n
};

// By which number of shards the sum of the changes of a weight is divided.
enum class MixRule {
    kUniform,  // all
    kPresent,  // those in whose data the feature occurs
    kTouched,  // those that have changed the weight
};

// In how many shards each feature occurs: [rows] for each order. Plain transitions occur in all of them.
using Presence = std::array<std::vector<std::uint32_t>, kOrders>;
// `shard_of`: the shard of each sequence.
Presence count_presence(const Weights& weights, const Corpus& corpus, std::span<const std::int32_t> shard_of,
                        int shards);

// The same weights with an average of their own, which begins with the first part.
Weights worker_weights(const Weights& weights);
void start_part(Weights& own);
ShardChanges take_changes(Weights& own, const Weights& start);
// `unit`: the changed weights become multiples of it. `presence` is needed for MixRule::kPresent only.
void mix(Weights& weights, std::span<const ShardChanges* const> changes, MixRule rule, int shards, double unit,
         const Presence& presence);
void follow(Weights& own, const Weights& weights, std::span<const ShardChanges* const> changes);

}  // namespace perceptag

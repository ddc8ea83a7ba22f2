// What a shard did to the weights in a part of a pass: a sparse vector that may travel to another machine.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "perceptag/core/weights.hpp"

namespace perceptag {

// The weights of one block that a shard has moved, in three arrays of the same length.
struct BlockChanges {
    std::vector<std::uint64_t> places;  // ascending
    std::vector<double> change;         // Δ
    std::vector<double> visited;        // n·Δ − Σ tick·Δ: what it adds to the sum of the vectors that were visited
};

struct ShardChanges {
    std::array<BlockChanges, kBlocks> blocks;
    double ticks = 0;  // n
};

using Changes = std::span<const ShardChanges* const>;  // of several shards

// The same weights with an average of their own, which begins with the first part.
Weights worker_weights(const Weights& weights);
void start_part(Weights& own);
// What has moved since the start of the part; `own` becomes `start` again. `start` needs no sums.
ShardChanges take_changes(Weights& own, const Weights& start);

}  // namespace perceptag

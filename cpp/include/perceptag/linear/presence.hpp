// In how many shards each feature occurs.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "perceptag/core/corpus.hpp"
#include "perceptag/core/weights.hpp"

namespace perceptag {

// [rows] for each order. Plain transitions occur in all shards.
using Presence = std::array<std::vector<std::uint32_t>, kOrders>;
// `shard_of`: the shard of each sequence.
Presence count_presence(const Weights& weights, const Corpus& corpus, std::span<const std::int32_t> shard_of,
                        int shards);

}  // namespace perceptag

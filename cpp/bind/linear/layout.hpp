// Weights and changes that must belong together.
#pragma once

#include <stdexcept>
#include <vector>

#include "perceptag/linear/shard_changes.hpp"

namespace perceptag {

// Both were made from the same weights.
inline void check_layout(const Weights& a, const Weights& b) {
    for (int i = 0; i < kBlocks; ++i) {
        const Block &one = a.block(i), &other = b.block(i);
        if (one.size() != other.size() || one.rows != other.rows || one.layout != other.layout)
            throw std::invalid_argument("the weights have another layout");
    }
}

inline void check_sums(const Weights& weights) {
    for (int i = 0; i < kBlocks; ++i)
        if (!weights.block(i).has_sums()) throw std::invalid_argument("averaged weights cannot be trained");
}

// `places` ascend.
inline void check_places(const Block& block, const std::vector<std::uint64_t>& places) {
    if (!places.empty() && places.back() >= block.size())
        throw std::invalid_argument("the changes belong to other weights");
}

inline void check_changes(const Weights& weights, const std::vector<const ShardChanges*>& changes) {
    for (const ShardChanges* shard : changes) {
        if (!shard) throw std::invalid_argument("expected changes, found None");
        for (int b = 0; b < kBlocks; ++b) check_places(weights.block(b), shard->blocks[b].places);
    }
}

}  // namespace perceptag

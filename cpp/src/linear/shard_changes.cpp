#include "perceptag/linear/shard_changes.hpp"

#include <algorithm>

namespace perceptag {

Weights worker_weights(const Weights& weights) {
    Weights own(weights);
    for (int b = 0; b < kBlocks; ++b) own.block(b).sum.assign(own.block(b).size(), 0.0);
    return own;
}

void start_part(Weights& own) {
    for (int b = 0; b < kBlocks; ++b) {
        Block& block = own.block(b);
        block.is_noting = true;
        block.moved.clear();
    }
    own.set_ticks(0);
}

ShardChanges take_changes(Weights& own, const Weights& start) {
    ShardChanges found;
    found.ticks = own.ticks();
    for (int b = 0; b < kBlocks; ++b) {
        Block& block = own.block(b);
        const Block& from = start.block(b);
        BlockChanges& to = found.blocks[b];
        std::sort(block.moved.begin(), block.moved.end());
        block.moved.erase(std::unique(block.moved.begin(), block.moved.end()), block.moved.end());
        for (const std::size_t place : block.moved) {
            const double change = static_cast<double>(block.get(place)) - from.get(place);
            const double visited = found.ticks * change - block.sum[place];
            block.set(place, from.get(place));
            block.sum[place] = 0;
            if (change == 0 && visited == 0) continue;
            to.places.push_back(place);
            to.change.push_back(change);
            to.visited.push_back(visited);
        }
        block.moved.clear();
    }
    own.set_ticks(0);
    return found;
}

}  // namespace perceptag

#include "perceptag/linear/mixing.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace perceptag {
namespace {

// What all shards did to one weight.
struct Together {
    double change = 0;
    double visited = 0;
    int shards = 0;  // that have changed it
};

// Calls done(place, together) for each weight of a block that any shard has moved.
template <class Done>
void put_together(std::span<const ShardChanges* const> changes, int block, Done done) {
    std::vector<Moved> all;
    for (const ShardChanges* shard : changes)
        all.insert(all.end(), shard->blocks[block].begin(), shard->blocks[block].end());
    std::sort(all.begin(), all.end(), [](const Moved& a, const Moved& b) { return a.place < b.place; });
    for (std::size_t i = 0; i < all.size();) {
        const std::size_t place = all[i].place;
        Together sum;
        for (; i < all.size() && all[i].place == place; ++i) {
            sum.change += all[i].change;
            sum.visited += all[i].visited;
            sum.shards += all[i].change != 0;
        }
        done(place, sum);
    }
}

}  // namespace

Presence count_presence(const Weights& weights, const Corpus& corpus, std::span<const std::int32_t> shard_of,
                        int shards) {
    Presence found;
    std::vector<std::vector<const Sequence*>> own(shards);
    for (std::size_t i = 0; i < shard_of.size(); ++i) own[shard_of[i]].push_back(&corpus.sequences[i]);
    for (int order = 0; order < kOrders; ++order) {
        found[order].assign(weights.block(order).rows, 0);
        std::vector<std::int32_t> seen(found[order].size(), -1);  // the last shard in which a row was seen
        for (int shard = 0; shard < shards; ++shard)
            for (const Sequence* x : own[shard])
                for (const std::int32_t row : x->rows[order])
                    if (seen[row] != shard) {
                        seen[row] = shard;
                        ++found[order][row];
                    }
    }
    return found;
}

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
        std::sort(block.moved.begin(), block.moved.end());
        block.moved.erase(std::unique(block.moved.begin(), block.moved.end()), block.moved.end());
        for (const std::size_t place : block.moved) {
            const double change = static_cast<double>(block.get(place)) - from.get(place);
            found.blocks[b].push_back({place, change, found.ticks * change - block.sum[place]});
            block.set(place, from.get(place));
            block.sum[place] = 0;
        }
        block.moved.clear();
    }
    own.set_ticks(0);
    return found;
}

void mix(Weights& weights, std::span<const ShardChanges* const> changes, MixRule rule, int shards, double unit,
         const Presence& presence) {
    double ticks = weights.ticks();
    for (const ShardChanges* shard : changes) ticks += shard->ticks;
    for (int b = 0; b < kBlocks; ++b) {
        Block& block = weights.block(b);
        put_together(changes, b, [&](std::size_t place, const Together& sum) {
            double by = shards;
            if (rule == MixRule::kTouched) by = std::max(1, sum.shards);
            if (rule == MixRule::kPresent && b < kOrders) by = presence[b].at(block.owner(place).row);
            const double change = std::nearbyint(sum.change / by / unit) * unit;
            block.set(place, static_cast<float>(block.get(place) + change));
            block.sum[place] += ticks * change - sum.visited;
        });
    }
    weights.set_ticks(ticks);
}

void follow(Weights& own, const Weights& weights, std::span<const ShardChanges* const> changes) {
    for (int b = 0; b < kBlocks; ++b)
        for (const ShardChanges* shard : changes)
            for (const Moved& moved : shard->blocks[b])
                own.block(b).set(moved.place, weights.block(b).get(moved.place));
}

}  // namespace perceptag

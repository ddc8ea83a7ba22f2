#include "perceptag/linear/shard_changes.hpp"

#include <algorithm>

namespace perceptag {

Weights worker_weights(const Weights& weights) {
    Weights own = weights.frozen();  // the sums of a worker begin at zero, so those of `weights` are not even copied
    for (int b = 0; b < kBlocks; ++b) own.block(b).clear_sums();
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

namespace {

struct Moved {
    std::uint64_t place;
    double change, visited;
};

}  // namespace

ShardChanges take_changes(Weights& own, const Weights& start) {
    ShardChanges found;
    found.ticks = own.ticks();
    std::vector<Moved> all;
    for (int b = 0; b < kBlocks; ++b) {
        Block& block = own.block(b);
        const Block& from = start.block(b);
        BlockChanges& to = found.blocks[b];
        all.clear();
        for (const std::size_t place : block.moved) {  // when a place comes again, it has been put back
            const float now = block.get(place), before = from.get(place);
            const double change = now == before ? 0.0 : static_cast<double>(now) - before;  // minus infinity stays
            const double visited = found.ticks * change - block.get_sum(place);
            if (change == 0 && visited == 0) continue;
            const auto [w, sum] = block.spot(place);
            *w = before;
            *sum = 0;
            all.push_back({place, change, visited});
        }
        block.moved.clear();
        std::ranges::sort(all, {}, &Moved::place);
        to.places.reserve(all.size());
        to.change.reserve(all.size());
        to.visited.reserve(all.size());
        for (const auto& [place, change, visited] : all) {
            to.places.push_back(place);
            to.change.push_back(change);
            to.visited.push_back(visited);
        }
    }
    own.set_ticks(0);
    return found;
}

}  // namespace perceptag

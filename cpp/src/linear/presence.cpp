#include "perceptag/linear/presence.hpp"

namespace perceptag {

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

}  // namespace perceptag

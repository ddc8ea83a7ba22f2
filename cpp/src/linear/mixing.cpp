#include "perceptag/linear/mixing.hpp"

#include <algorithm>
#include <cmath>

#include "perceptag/core/parallel.hpp"
#include "perceptag/linear/sum_of_changes.hpp"

namespace perceptag {
namespace {

constexpr std::size_t kPieces = 8;           // for each thread, so that none waits long for the others
constexpr std::size_t kFewestPlaces = 4096;  // of a piece; for fewer a thread does not pay

// A range of places of one block, which one thread mixes.
struct Piece {
    int block;
    std::size_t first, last;
};

// Cuts a block where the longest list of changes has about the same number of places in each piece.
void cut(Changes changes, int block, std::size_t size, int threads, std::vector<Piece>& pieces) {
    const std::vector<std::uint64_t>* longest = nullptr;
    for (const ShardChanges* shard : changes)
        if (!longest || shard->blocks[block].places.size() > longest->size()) longest = &shard->blocks[block].places;
    if (!longest || longest->empty()) return;
    const std::size_t all = longest->size() * changes.size();
    const std::size_t n = threads > 1 ? std::clamp(all / kFewestPlaces, std::size_t{1}, kPieces * threads) : 1;
    std::size_t first = 0;
    for (std::size_t k = 1; k < n; ++k) {
        const std::size_t last = (*longest)[longest->size() * k / n];
        pieces.push_back({block, first, last});
        first = last;
    }
    pieces.push_back({block, first, size});
}

double divisor(const Mixing& how, const Block& block, int number, std::size_t place, std::uint32_t shards) {
    if (!how.presence) return std::max(1U, shards);
    return number < kOrders ? std::max(1U, how.presence->at(number).at(block.owner(place).row)) : how.shards;
}

}  // namespace

void mix(Weights& weights, Changes changes, const Mixing& how, std::span<Weights* const> own, int threads) {
    double ticks = weights.ticks();
    for (const ShardChanges* shard : changes) ticks += shard->ticks;
    std::vector<Piece> pieces;
    std::array<std::vector<Block*>, kBlocks> blocks;  // of the weights, then of the workers
    for (int b = 0; b < kBlocks; ++b) {
        cut(changes, b, weights.block(b).size(), threads, pieces);
        blocks[b].push_back(&weights.block(b));
        for (Weights* one : own) blocks[b].push_back(&one->block(b));
        for (Block* each : blocks[b])
            for (const ShardChanges* shard : changes) each->open(shard->blocks[b].places);
    }
    const auto work = [&](std::size_t i) {
        const Piece& piece = pieces[i];
        Block& block = *blocks[piece.block].front();
        sum_changes(changes, piece.block, piece.first, piece.last, [&](std::size_t place, const Together& sum) {
            const double by = divisor(how, block, piece.block, place, sum.shards);
            const double change = std::nearbyint(sum.change / by / how.unit) * how.unit;
            const float mixed = static_cast<float>(block.get(place) + change);
            for (Block* each : blocks[piece.block]) each->set(place, mixed);
            *block.spot(place).sum += ticks * change - sum.visited;
        });
    };
    parallel_for(pieces.size(), threads, work, 1);
    weights.set_ticks(ticks);
}

MixedValues mixed_values(const Weights& weights, Changes changes, int block) {
    MixedValues found;
    const Block& from = weights.block(block);
    sum_changes(changes, block, 0, from.size(), [&](std::size_t place, const Together&) {
        found.places.push_back(place);
        found.w.push_back(from.get(place));
    });
    return found;
}

}  // namespace perceptag

// Mixing over many places, in pieces on several threads, next to the plain sum.
#include <cmath>
#include <random>

#include "check.hpp"
#include "perceptag/linear/mixing.hpp"

using namespace perceptag;

namespace {

constexpr int kShards = 5;
constexpr double kUnit = 1.0 / 64;
constexpr std::size_t kRows = 20000, kLabels = 3, kSize = kRows * kLabels;

std::vector<ShardChanges> random_changes(std::mt19937& random) {
    std::vector<ShardChanges> made(kShards);
    for (ShardChanges& shard : made) {
        shard.ticks = 3;
        BlockChanges& block = shard.blocks[0];
        for (std::uint64_t place = 0; place < kSize; ++place) {
            if (random() % 5) continue;
            block.places.push_back(place);
            block.change.push_back(kUnit * static_cast<double>(random() % 7) - 3 * kUnit);
            block.visited.push_back(kUnit * static_cast<double>(random() % 99));
        }
    }
    return made;
}

}  // namespace

void test_threads_do_not_change_a_mixing() {
    std::mt19937 random(1);
    const std::vector<ShardChanges> changes = random_changes(random);
    std::vector<const ShardChanges*> listed;
    std::vector<double> change(kSize), visited(kSize), touched(kSize);
    for (const ShardChanges& shard : changes) {
        listed.push_back(&shard);
        const BlockChanges& block = shard.blocks[0];
        for (std::size_t i = 0; i < block.places.size(); ++i) {
            change[block.places[i]] += block.change[i];
            visited[block.places[i]] += block.visited[i];
            touched[block.places[i]] += block.change[i] != 0;
        }
    }
    for (const int threads : {1, 4}) {
        Weights weights(kLabels, true, false);
        weights.make_dense(0, kRows);
        Weights own = worker_weights(weights);
        Weights* const followers[] = {&own};
        mix(weights, listed, {kShards, kUnit, nullptr}, followers, threads);
        CHECK(weights.ticks() == 3 * kShards);
        bool is_same = true;
        for (std::size_t i = 0; i < kSize; ++i) {
            const double mixed = std::nearbyint(change[i] / std::fmax(1, touched[i]) / kUnit) * kUnit;
            is_same = is_same && weights.block(0).get(i) == static_cast<float>(mixed) && own.block(0).get(i) == mixed &&
                      weights.block(0).sum[i] == 3 * kShards * mixed - visited[i];
        }
        CHECK(is_same);
        CHECK(mixed_values(weights, listed, 0).places.size() > kSize / 2);
        CHECK(mixed_values(weights, listed, 1).places.empty());
    }
}

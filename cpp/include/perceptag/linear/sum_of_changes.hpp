// The changes of several shards, added up place by place.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <limits>
#include <vector>

#include "perceptag/linear/shard_changes.hpp"

namespace perceptag {

// What all shards did to one weight.
struct Together {
    double change = 0;
    double visited = 0;
    std::uint32_t shards = 0;  // that have changed it
};

// The next change in the list of one shard.
struct ChangeCursor {
    const BlockChanges* own;
    std::size_t i;

    std::size_t place() const {
        return i < own->places.size() ? own->places[i] : std::numeric_limits<std::size_t>::max();
    }
};

// Calls done(place, together) for each place from `first` up to `last` of a block that any shard has moved, in the
// order of the places. The shards' lists are sorted, so a window goes over all of them at once, and nothing is sorted
// again.
template <class Done>
void sum_changes(Changes changes, int block, std::size_t first, std::size_t last, Done done) {
    constexpr std::size_t kWindow = 1 << 13;  // sums of that many places stay in the cache
    std::vector<ChangeCursor> cursors;
    for (const ShardChanges* shard : changes) {
        const auto& places = shard->blocks[block].places;
        const std::size_t at = std::lower_bound(places.begin(), places.end(), first) - places.begin();
        if (at < places.size()) cursors.push_back({&shard->blocks[block], at});
    }
    std::vector<Together> sums(cursors.empty() ? 0 : kWindow);
    std::array<std::uint64_t, kWindow / 64> touched{};
    for (;;) {
        std::size_t begin = last;
        for (const ChangeCursor& cursor : cursors) begin = std::min(begin, cursor.place());
        if (begin >= last) return;
        const std::size_t end = std::min(last, begin + kWindow);
        for (ChangeCursor& cursor : cursors)
            for (; cursor.place() < end; ++cursor.i) {
                const std::size_t k = cursor.place() - begin;
                touched[k / 64] |= std::uint64_t{1} << (k % 64);
                const double change = cursor.own->change[cursor.i];
                sums[k].change += change;
                sums[k].visited += cursor.own->visited[cursor.i];
                sums[k].shards += change != 0;
            }
        for (std::size_t word = 0; word < touched.size(); ++word) {
            for (std::uint64_t bits = touched[word]; bits; bits &= bits - 1) {
                const std::size_t k = word * 64 + std::countr_zero(bits);
                done(begin + k, sums[k]);
                sums[k] = {};
            }
            touched[word] = 0;
        }
    }
}

}  // namespace perceptag

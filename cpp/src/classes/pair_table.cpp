#include "perceptag/classes/pair_table.hpp"

#include <algorithm>

namespace perceptag {
namespace {

constexpr std::size_t kFirstSlots = std::size_t{1} << 12;

std::size_t place_of(std::uint64_t key) {
    key = (key ^ key >> 31) * 0x9e3779b97f4a7c15u;
    return key ^ key >> 29;
}

}  // namespace

PairTable::PairTable() : keys_(kFirstSlots), counts_(kFirstSlots) {}

void PairTable::add(std::uint32_t first, std::uint32_t second, std::uint32_t count) {
    add(std::uint64_t{first} << 32 | second, count);
}

void PairTable::add(std::uint64_t key, std::uint32_t count) {
    const std::size_t mask = keys_.size() - 1;
    std::size_t slot = place_of(key) & mask;
    while (counts_[slot] && keys_[slot] != key) slot = (slot + 1) & mask;
    if (counts_[slot] == 0) {
        keys_[slot] = key;
        ++size_;
    }
    counts_[slot] += count;
    if (4 * size_ > 3 * keys_.size()) grow();
}

void PairTable::grow() {
    PairTable larger;
    larger.keys_.assign(2 * keys_.size(), 0);
    larger.counts_.assign(2 * keys_.size(), 0);
    for (std::size_t slot = 0; slot < keys_.size(); ++slot)
        if (counts_[slot]) larger.add(keys_[slot], counts_[slot]);
    *this = std::move(larger);
}

void PairTable::refill(const Kept& kept) {
    std::ranges::fill(counts_, 0u);
    size_ = 0;
    for (const auto& [key, count] : kept) add(key, count);
}

std::size_t PairTable::forget(std::uint32_t most) {
    const std::size_t before = size_;
    Kept kept;
    for (std::size_t slot = 0; slot < keys_.size(); ++slot)
        if (counts_[slot] > most) kept.emplace_back(keys_[slot], counts_[slot]);
    refill(kept);
    return before - size_;
}

void PairTable::renumber(const std::vector<std::uint32_t>& numbers) {
    Kept kept;
    kept.reserve(size_);
    for_each([&](std::uint32_t first, std::uint32_t second, std::uint32_t count) {
        kept.emplace_back(std::uint64_t{numbers[first]} << 32 | numbers[second], count);
    });
    refill(kept);
}

}  // namespace perceptag

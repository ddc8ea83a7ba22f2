// Counts of pairs of numbers.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace perceptag {

class PairTable {
  public:
    PairTable();

    void add(std::uint32_t first, std::uint32_t second, std::uint32_t count = 1);
    std::size_t size() const { return size_; }

    // Calls visit(first, second, count) for every pair, in no particular order.
    template <class Visit>
    void for_each(Visit visit) const {
        for (std::size_t slot = 0; slot < keys_.size(); ++slot)
            if (counts_[slot])
                visit(static_cast<std::uint32_t>(keys_[slot] >> 32), static_cast<std::uint32_t>(keys_[slot]),
                      counts_[slot]);
    }

    // Forgets the pairs that were seen at most `most` times; returns how many these were.
    std::size_t forget(std::uint32_t most);
    // Puts each pair of numbers (a, b) in place of (numbers[a], numbers[b]).
    void renumber(const std::vector<std::uint32_t>& numbers);

  private:
    using Kept = std::vector<std::pair<std::uint64_t, std::uint32_t>>;
    void add(std::uint64_t key, std::uint32_t count);
    void grow();
    // Makes the table again, of the same size, with these pairs.
    void refill(const Kept& kept);

    std::vector<std::uint64_t> keys_;
    std::vector<std::uint32_t> counts_;  // 0: the slot is free
    std::size_t size_ = 0;
};

}  // namespace perceptag

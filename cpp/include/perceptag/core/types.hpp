// Types: the distinct values of one column, each with a row of attribute values.
//
// A token's column value becomes a type id once (in Python, where Unicode is right); from there on everything
// is integers. Letters used throughout the core: T tokens, L labels, t a position, y a label.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

namespace perceptag {

// Attribute values: >= 0 one value; kNone: the attribute does not fire; <= kBag: several values, see bag().
constexpr std::int32_t kNone = -1;
constexpr std::int32_t kBag = -2;

// Several values of an attribute. What each of them counts, if that is not 1 for all: a feature adds its amount times
// its weight to a score. Amounts are multiples of kAmountUnit, so that sums of products stay exact.
struct Bag {
    std::vector<std::int32_t> values;
    std::vector<float> amounts;  // as many as values, or none

    float amount(std::size_t i) const { return amounts.empty() ? 1.0F : amounts[i]; }
};
constexpr float kAmountUnit = 1.0F / 64;
constexpr float kMaxAmount = 16;
bool is_amount(float amount);

// Append-only, so that threads may read rows while another thread adds new ones: rows never move. Writers take turns.
class TypeTable {
  public:
    explicit TypeTable(int attributes);
    TypeTable(const TypeTable&) = delete;
    TypeTable& operator=(const TypeTable&) = delete;

    // Returns the id of the new type.
    std::int32_t add(std::span<const std::int32_t> row);
    // Stores several values and returns the number that stands for them in a row.
    std::int32_t add_bag(std::span<const std::int32_t> values, std::span<const float> amounts = {});

    const std::int32_t* row(std::int32_t type) const {
        return chunks_[type / kChunk].get() + type % kChunk * attributes_;
    }
    const Bag& bag(std::int32_t value) const {
        const std::size_t i = kBag - value;
        return bags_[i / kChunk][i % kChunk];
    }
    int attributes() const { return attributes_; }
    std::int32_t size() const { return size_.load(std::memory_order_acquire); }

  private:
    static constexpr std::size_t kChunk = 4096;
    static constexpr std::size_t kMaxChunks = 1 << 14;     // 64 M types
    static constexpr std::size_t kMaxBagChunks = 1 << 10;  // 4 M bags

    int attributes_;
    std::atomic<std::int32_t> size_ = 0;
    std::int32_t bag_count_ = 0;  // guarded
    std::mutex guard_;
    std::vector<std::unique_ptr<std::int32_t[]>> chunks_;
    std::vector<std::unique_ptr<Bag[]>> bags_;
};

template <class TableOf, class Fire>
void open_bag(std::span<std::int32_t> values, std::size_t i, float amount, const TableOf& table_of, const Fire& fire);

// Calls fire(values, amount) for every combination of single values, of which there is one unless a value stands for a
// bag, and none if one of them does not fire. table_of(i): the table that has the bags of the i-th value.
template <class TableOf, class Fire>
inline void for_each_combination(std::span<std::int32_t> values, const TableOf& table_of, const Fire& fire,
                                 std::size_t first = 0, float amount = 1.0F) {
    for (std::size_t i = first; i < values.size(); ++i) {
        if (values[i] == kNone) return;
        if (values[i] <= kBag) return open_bag(values, i, amount, table_of, fire);
    }
    fire(values.data(), amount);
}

// The combinations with each of the values in the bag at i; those before it are single values.
template <class TableOf, class Fire>
void open_bag(std::span<std::int32_t> values, std::size_t i, float amount, const TableOf& table_of, const Fire& fire) {
    const std::int32_t number = values[i];
    const Bag& bag = table_of(i).bag(number);
    for (std::size_t k = 0; k < bag.values.size(); ++k) {
        values[i] = bag.values[k];
        for_each_combination(values, table_of, fire, i + 1, amount * bag.amount(k));
    }
    values[i] = number;
}

}  // namespace perceptag

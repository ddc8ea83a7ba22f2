// Exact look-up of features: from the values that a template joins to the row of its weights.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "perceptag/core/compiler.hpp"

namespace perceptag {

// Open addressing from 64-bit keys to numbers >= 0.
class KeyMap {
  public:
    std::int32_t find(std::uint64_t key) const {
        if (slots_.empty()) return -1;
        for (std::size_t i = place(key);; i = after(i)) {
            if (slots_[i].value < 0) return -1;
            if (slots_[i].key == key) return slots_[i].value;
        }
    }
    // Returns the value of the key, `fresh` if it was not there before.
    std::int32_t insert(std::uint64_t key, std::int32_t fresh);
    // Starts again with these keys, whose values are their places; false if one of them is there twice.
    bool number(std::span<const std::uint64_t> keys);
    // Changes the value of a key that is there.
    void change(std::uint64_t key, std::int32_t value);
    void reserve(std::size_t n);
    void prefetch(std::uint64_t key) const {
        if (!slots_.empty()) fetch_ahead(&slots_[place(key)]);
    }
    // Calls visit(key, value) for all keys, in no order.
    template <class Visit>
    void for_each(Visit visit) const {
        for (const Slot& slot : slots_)
            if (slot.value >= 0) visit(slot.key, slot.value);
    }

  private:
    struct Slot {
        std::uint64_t key;
        std::int32_t value;
    };
    // The upper half of a mixed key, as a share of the slots: their number need not be a power of two.
    std::size_t place(std::uint64_t key) const { return (key * 0x9E3779B97F4A7C15u >> 32) * slots_.size() >> 32; }
    std::size_t after(std::size_t i) const { return i + 1 < slots_.size() ? i + 1 : 0; }
    void grow(std::size_t capacity);

    std::vector<Slot> slots_;
    std::size_t size_ = 0;
};

// All features of one template.
class FeatureTable {
  public:
    // `bits[i]`: width of the i-th value. No value may need more.
    explicit FeatureTable(std::vector<int> bits);

    std::int32_t find(const std::int32_t* values) const;
    // Returns the row; a new feature gets `fresh`.
    std::int32_t insert(const std::int32_t* values, std::int32_t fresh);
    // Adds features that are all known; false if one is there twice. Their list is made when it is needed.
    bool load(std::span<const std::int32_t> values, std::span<const std::int32_t> rows);
    // The same for T positions at once: fields[i][t] is the i-th value at t, negative: none. The row, or -1, goes to
    // out[t·stride].
    using Fields = std::span<const std::int32_t* const>;
    void find_all(Fields fields, int T, std::vector<std::uint64_t>& keys, std::int32_t* out, std::size_t stride) const;
    // For those who join the values of a feature themselves, the first one in front: where they fit into one key.
    bool has_one_key() const { return stages_.size() <= 1; }
    int bits(std::size_t field) const { return bits_[field]; }
    void prefetch(std::uint64_t key) const {
        if (!stages_.empty()) stages_[0].map.prefetch(key);
    }
    std::int32_t find_key(std::uint64_t key) const {
        if (!stages_.empty()) return stages_[0].map.find(key);
        return key < direct_.size() ? direct_[key] : -1;
    }
    // New features get the numbers from `fresh` on; the rows go to out[t].
    void insert_all(Fields fields, int T, std::int32_t fresh, std::vector<std::uint64_t>& keys, std::int32_t* out);
    // Gives the feature that was added as number `feature` another row.
    void change(std::size_t feature, std::int32_t row);
    std::size_t size() const { return size_; }
    // Makes room for n features, no more.
    void reserve(std::size_t n);
    // Rewrites rows by `renumber` and drops those that map to -1.
    void renumber(std::span<const std::int32_t> renumber);
    // Every feature: its values (arity numbers each) and its row, in the order of insertion.
    void list(std::vector<std::int32_t>& values, std::vector<std::int32_t>& rows) const;
    // Calls visit(row) for each feature, in no order.
    template <class Visit>
    void for_each_row(Visit visit) const {
        if (!stages_.empty()) return stages_.back().map.for_each([&](std::uint64_t, std::int32_t row) { visit(row); });
        for (const std::int32_t row : direct_)
            if (row >= 0) visit(row);
    }

  private:
    struct Stage {
        std::size_t first, last;  // fields packed here, after the number given by the stage before
        KeyMap map;
    };
    std::uint64_t key(const Stage& stage, std::int32_t before, const std::int32_t* values) const;
    // The row of some values; new ones get `fresh`, without an entry in the list.
    std::int32_t enter(const std::int32_t* values, std::int32_t fresh);
    void make_list();

    std::vector<int> bits_;
    std::vector<Stage> stages_;         // two values or more
    std::vector<std::int32_t> direct_;  // one value: row by value; none: direct_[0]
    std::size_t size_ = 0;
    // The list, for those that are learned. What was loaded in the order of its rows needs none.
    bool is_listed_ = true;
    std::vector<std::int32_t> values_;     // [features, arity]
    std::vector<std::int32_t> rows_;       // [features]
    std::vector<std::int32_t> numbers_{};  // next number of each inner stage
};

}  // namespace perceptag

// The rows of weights of all features of one order, in one of three layouts. What differs between layouts is decided
// here and nowhere else, except in the innermost loops of scoring.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "perceptag/core/integers.hpp"
#include "perceptag/core/lined_rows.hpp"

namespace perceptag {

enum class Layout {
    kDense,    // a weight for every combination of labels
    kCompact,  // only the combinations that support gives a row
    kLined,    // a weight for every combination, but stored only where something has moved (lined_rows.hpp)
};

// One weight of a compact row: its combination of labels (label_codes.hpp) and its value.
struct Slot {
    std::uint32_t code;
    float w;
};

struct Owner {
    std::size_t row;
    std::uint32_t code;
};

struct Block {
    std::size_t rows = 0;
    std::size_t width = 0;  // combinations of labels
    Layout layout = Layout::kDense;
    std::vector<float> w;              // dense: [rows, width]
    std::vector<std::uint32_t> begin;  // compact: [rows + 1]
    std::vector<Slot> slots;           // compact
    std::vector<double> sum;           // Σ tick·Δ of each weight, for the average
    std::vector<std::uint8_t> fixed;   // dense: weights that support leaves at zero; empty: none
    bool is_noting = false;            // whether places that move are noted
    std::vector<std::size_t> moved{};  // if so, each place as often as it has moved
    LinedRows lines{};                 // lined: w and sum; places are those of dense rows

    bool is_dense() const { return layout == Layout::kDense; }
    bool is_compact() const { return layout == Layout::kCompact; }
    bool is_lined() const { return layout == Layout::kLined; }

    // Empty rows of the given layout; compact ones have the combinations codes[begin[r] .. begin[r+1]).
    void make_dense(std::size_t n);
    void make_lined(std::size_t n);
    void make_compact(std::span<const std::uint32_t> begin_of_rows, std::span<const std::uint32_t> codes);
    // The same with these weights, and without sums, for weights that are not trained.
    void load_compact(std::span<const std::uint32_t> begin_of_rows, std::span<const std::uint32_t> codes,
                      std::span<const float> weights);
    void load_compact(std::span<const std::uint32_t> begin_of_rows, std::vector<Slot> weights);
    // A copy without sums and notes.
    Block frozen() const;

    std::size_t size() const { return is_dense() ? w.size() : is_compact() ? slots.size() : rows * width; }
    bool has_sums() const { return is_lined() ? lines.has_sums() : sum.size() == size(); }
    float get(std::size_t i) const {
        if (is_dense()) return w[i];
        return is_lined() ? lines.weight(i / width, i % width) : slots[i].w;
    }
    double get_sum(std::size_t i) const { return is_lined() ? lines.sum(i / width, i % width) : sum[i]; }
    void set(std::size_t i, float value) {
        if (!is_lined())
            (is_dense() ? w[i] : slots[i].w) = value;
        else if (value != 0 || get(i) != 0)
            *lines.open(i / width, i % width).w = value;
    }
    // A weight and its sum, to be changed.
    LinedRows::Spot spot(std::size_t i) {
        if (is_lined()) return lines.open(i / width, i % width);
        return {is_dense() ? &w[i] : &slots[i].w, &sum[i]};
    }
    void set_sum(std::size_t i, double value) {
        if (value != 0 || get_sum(i) != 0) *spot(i).sum = value;
    }
    void clear_sums() { is_lined() ? lines.clear_sums() : sum.assign(size(), 0.0); }
    // All weights and sums; `sums` may be empty.
    void assign(std::span<const float> weights, std::span<const double> sums);
    // Has memory for the weights at some places, so that threads can set them at the same time.
    void open(std::span<const std::uint64_t> places) {
        if (is_lined())
            for (const std::uint64_t place : places) spot(place);
    }

    // The place of a weight, or -1 if support gives it none.
    std::int64_t place(std::size_t row, std::uint32_t code) const;
    // The inverse: the row and the combination of labels that a weight belongs to.
    Owner owner(std::size_t place) const;
    bool is_fixed(std::size_t place) const { return !fixed.empty() && fixed[place]; }
    void move(std::size_t row, std::uint32_t code, double delta, double tick);
    void move(std::size_t place, double delta, double tick) { move(spot(place), place, delta, tick); }
    // A fixed weight counts as well: zero, or minus infinity where a constraint forbids it.
    double value(std::size_t row, std::uint32_t code) const {
        if (is_dense()) return w[row * width + code];
        if (is_lined()) return lines.weight(row, code);
        const std::int64_t i = place(row, code);
        return i < 0 ? 0.0 : slots[i].w;
    }

    // A weight of a row.
    struct Entry {
        std::size_t place;
        std::uint32_t code;
        float w;
        const double* sum;  // or null if there are no sums
    };
    // Calls visit(entry) for the weights of a row, in the order of their codes; those that are not stored are zero.
    template <class Visit>
    void for_each(std::size_t row, Visit visit) const {
        for_each(row, 0, width, visit);
    }
    // The same for the codes [first, first + count).
    template <class Visit>
    void for_each(std::size_t row, std::size_t first, std::size_t count, Visit visit) const {
        switch (layout) {
            case Layout::kDense:
                for (std::size_t code = first; code < first + count; ++code)
                    visit(entry(row * width + code, code, w[row * width + code]));
                break;
            case Layout::kCompact:
                for (std::size_t i = first_slot(row, first); i < begin[row + 1] && slots[i].code < first + count; ++i)
                    visit(entry(i, slots[i].code, slots[i].w));
                break;
            case Layout::kLined:
                lines.for_each_line(row, [&](std::size_t from, std::size_t end, const float* ws, const double* sums) {
                    for (std::size_t code = std::max(from, first); code < std::min(end, first + count); ++code)
                        visit(Entry{row * width + code, to_uint32(code), ws[code - from],
                                    sums ? sums + (code - from) : nullptr});
                });
        }
    }
    // out[code] += amount · w  for the weights of a row
    void add_row(std::size_t row, float amount, float* out) const {
        if (!is_compact()) return add_wide_row(row, amount, out);
        const Slot* end = slots.data() + begin[row + 1];
        for (const Slot* slot = slots.data() + begin[row]; slot < end; ++slot) out[slot->code] += amount * slot->w;
    }
    // out[code - first] += amount · w  for the codes [first, first + count)
    void add_part(std::size_t row, std::size_t first, std::size_t count, float amount, float* out) const;

    // Have a row on its way from memory when it is added: first where its weights are, then these.
    void prefetch_row(std::size_t row) const;
    void prefetch_slots(std::size_t row) const;

  private:
    void add_wide_row(std::size_t row, float amount, float* out) const;
    Entry entry(std::size_t place, std::size_t code, float weight) const {
        return {place, to_uint32(code), weight, sum.empty() ? nullptr : &sum[place]};
    }
    // Compact: the first slot of a row with at least this code.
    std::size_t first_slot(std::size_t row, std::size_t code) const {
        if (code == 0) return begin[row];
        const auto is_before = [](const Slot& a, std::size_t b) { return a.code < b; };
        const Slot* first = slots.data() + begin[row];
        return std::lower_bound(first, slots.data() + begin[row + 1], code, is_before) - slots.data();
    }
    void move(const LinedRows::Spot& spot, std::size_t place, double delta, double tick) {
        *spot.w = static_cast<float>(*spot.w + delta);
        *spot.sum += tick * delta;
        if (is_noting) moved.push_back(place);
    }
};

}  // namespace perceptag

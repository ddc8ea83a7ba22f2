#include "perceptag/core/block.hpp"

#include "perceptag/core/compiler.hpp"
#include "perceptag/core/integers.hpp"
#include "perceptag/core/vector_math.hpp"

namespace perceptag {
namespace {

void add(float* out, const float* w, float amount, std::size_t n) {
    amount == 1 ? add_vector(out, w, n) : add_scaled(out, w, amount, n);
}

}  // namespace

void Block::make_dense(std::size_t n) {
    layout = Layout::kDense;
    begin.assign(1, 0);
    slots.clear();
    lines.clear();
    rows = n;
    w.assign(rows * width, 0.0F);
    sum.assign(rows * width, 0.0);
}

void Block::make_lined(std::size_t n) {
    make_dense(0);
    layout = Layout::kLined;
    rows = n;
    lines.start(rows, width);
}

void Block::make_compact(std::span<const std::uint32_t> begin_of_rows, std::span<const std::uint32_t> codes) {
    load_compact(begin_of_rows, codes, {});
    sum.assign(codes.size(), 0.0);
}

void Block::load_compact(std::span<const std::uint32_t> begin_of_rows, std::span<const std::uint32_t> codes,
                         std::span<const float> weights) {
    std::vector<Slot> both;
    both.reserve(codes.size());
    for (std::size_t i = 0; i < codes.size(); ++i) both.push_back({codes[i], weights.empty() ? 0.0F : weights[i]});
    load_compact(begin_of_rows, std::move(both));
}

void Block::load_compact(std::span<const std::uint32_t> begin_of_rows, std::vector<Slot> weights) {
    layout = Layout::kCompact;
    lines.clear();
    w.clear();
    sum.clear();
    rows = begin_of_rows.size() - 1;
    begin.assign(begin_of_rows.begin(), begin_of_rows.end());
    slots = std::move(weights);
}

Block Block::frozen() const {
    // Sums take twice as much memory as weights, so they are not even copied.
    Block copy{rows, width, layout, w, begin, slots, {}, fixed};
    copy.lines = lines.without_sums();
    return copy;
}

void Block::assign(std::span<const float> weights, std::span<const double> sums) {
    if (is_lined()) {
        lines.start(rows, width, sums.size() == size());
        for (std::size_t i = 0; i < weights.size(); ++i)
            if (weights[i] != 0) *spot(i).w = weights[i];
        for (std::size_t i = 0; i < sums.size(); ++i)
            if (sums[i] != 0) set_sum(i, sums[i]);
        return;
    }
    for (std::size_t i = 0; i < weights.size(); ++i) set(i, weights[i]);
    sum.assign(sums.begin(), sums.end());
}

std::int64_t Block::place(std::size_t row, std::uint32_t code) const {
    if (!is_compact()) {
        const std::int64_t i = row * width + code;
        return is_fixed(i) ? -1 : i;
    }
    const std::int64_t i = first_slot(row, code);
    return i < begin[row + 1] && slots[i].code == code ? i : -1;
}

Owner Block::owner(std::size_t i) const {
    if (!is_compact()) return {i / width, to_uint32(i % width)};
    const std::size_t row = std::upper_bound(begin.begin(), begin.end(), i) - begin.begin() - 1;
    return {row, slots[i].code};
}

void Block::move(std::size_t row, std::uint32_t code, double delta, double tick) {
    if (is_lined()) return move(lines.open(row, code), row * width + code, delta, tick);
    const std::int64_t i = place(row, code);
    if (i >= 0) move({is_dense() ? &w[i] : &slots[i].w, &sum[i]}, i, delta, tick);
}

void Block::add_wide_row(std::size_t row, float amount, float* out) const {
    if (is_dense()) return add(out, w.data() + row * width, amount, width);
    lines.for_each_line(row, [=](std::size_t first, std::size_t end, const float* ws, const double*) {
        add(out + first, ws, amount, end - first);
    });
}

void Block::add_part(std::size_t row, std::size_t first, std::size_t count, float amount, float* out) const {
    if (is_dense()) return add(out, w.data() + row * width + first, amount, count);
    for_each(row, first, count, [=](const Entry& one) { out[one.code - first] += amount * one.w; });
}

void Block::prefetch_row(std::size_t row) const {
    if (is_lined()) return lines.prefetch(row);
    if (is_compact()) return fetch_ahead(begin.data() + row);
    constexpr std::size_t kLine = 64 / sizeof(float), kMost = 4;
    for (std::size_t k = 0; k < std::min(width, kMost * kLine); k += kLine) fetch_ahead(w.data() + row * width + k);
}

void Block::prefetch_slots(std::size_t row) const {
    if (is_compact()) fetch_ahead(slots.data() + begin[row]);
}

}  // namespace perceptag

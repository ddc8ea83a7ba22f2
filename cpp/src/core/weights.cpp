#include "perceptag/core/weights.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "perceptag/core/label_difference.hpp"
#include "perceptag/core/limits.hpp"

namespace perceptag {

Weights::Weights(int labels, bool plain_edges, bool plain_trigrams) : L_(labels) {
    require_labels(0, labels);
    for (int i = 0; i < kBlocks; ++i) {
        blocks_[i].width = combinations(order_of(i), labels);
        if (!is_plain(i)) blocks_[i].begin.assign(1, 0);
    }
    for (const int i : {kPlainEdges, kPlainTrigrams}) {
        if (!(i == kPlainEdges ? plain_edges : plain_trigrams)) continue;
        require_labels(order_of(i), labels);
        blocks_[i].rows = 1;
        blocks_[i].w.assign(blocks_[i].width, 0.0F);
        blocks_[i].sum.assign(blocks_[i].width, 0.0);
    }
}

void Weights::compose(LabelParts parts) {
    if (blocks_[0].rows) throw std::logic_error("labels get parts before features get weights");
    require_labels(0, to_int32(parts.count()));
    parts_ = std::move(parts);
    blocks_[0].width = parts_.count();
}

Block& Weights::observed_block(int order, std::size_t rows) {
    if (order < 0 || order >= kOrders) throw std::invalid_argument("order of a feature: expected 0, 1 or 2");
    if (rows) require_labels(order, L_);
    return blocks_[order];
}

void Weights::make_dense(int order, std::size_t rows) { observed_block(order, rows).make_dense(rows); }

void Weights::make_lined(std::size_t rows) { observed_block(0, rows).make_lined(rows); }

namespace {

// Refuses rows that do not cover `n` combinations of labels, and combinations that are not sorted within their row.
template <class CodeAt>
void check_rows(std::span<const std::uint32_t> begin, std::size_t n, std::size_t width, CodeAt code_at) {
    if (begin.empty() || begin.front() != 0 || begin.back() != n)
        throw std::invalid_argument("the rows do not cover the weights");
    // Codes rise, except from the last of a row to the first of the next: both kinds of falls are counted, which needs
    // no look at single rows.
    bool is_within = true;
    std::size_t falls = 0, between_rows = 0;
    for (std::size_t i = 0; i < n; ++i) is_within &= code_at(i) < width;
    for (std::size_t i = 1; i < n; ++i) falls += code_at(i) <= code_at(i - 1);
    for (std::size_t r = 0; r + 1 < begin.size(); ++r) {
        if (begin[r] > begin[r + 1] || begin[r + 1] > n) throw std::invalid_argument("rows overlap");
        const std::size_t i = begin[r];
        between_rows += i > 0 && i < begin[r + 1] && code_at(i) <= code_at(i - 1);
    }
    if (!is_within || falls != between_rows)
        throw std::invalid_argument("the labels of a row are out of range or not sorted");
}

}  // namespace

// The block for these rows, which are checked.
Block& Weights::checked_block(int order, std::span<const std::uint32_t> begin, std::span<const std::uint32_t> codes) {
    Block& block = observed_block(order, begin.empty() ? 0 : begin.size() - 1);
    check_rows(begin, codes.size(), block.width, [&](std::size_t i) { return codes[i]; });
    return block;
}

void Weights::make_compact(int order, std::span<const std::uint32_t> begin, std::span<const std::uint32_t> codes) {
    checked_block(order, begin, codes).make_compact(begin, codes);
}

void Weights::load_compact(int order, std::span<const std::uint32_t> begin, std::span<const std::uint32_t> codes,
                           std::span<const float> weights) {
    if (weights.size() != codes.size()) throw std::invalid_argument("expected a weight for each combination of labels");
    checked_block(order, begin, codes).load_compact(begin, codes, weights);
}

void Weights::load_packed(int order, std::span<const std::uint32_t> begin, const PackedPairs& packed) {
    Block& block = observed_block(order, begin.empty() ? 0 : begin.size() - 1);
    std::vector<Slot> slots;
    slots.reserve(packed.n);
    for_each_piece(packed, [&](std::span<const std::uint32_t> codes, std::span<const float> weights) {
        for (std::size_t i = 0; i < codes.size(); ++i) slots.push_back({codes[i], weights[i]});
    });
    check_rows(begin, slots.size(), block.width, [&](std::size_t i) { return slots[i].code; });
    block.load_compact(begin, std::move(slots));
}

void Weights::make_spans(SpanLabels labels, std::size_t rows) {
    labels.check(L_);
    span_labels_ = std::move(labels);
    blocks_[kSpanBlock].width = span_labels_.classes;
    blocks_[kSpanBlock].make_dense(rows);
}

void Weights::fix_plain(int order, std::span<const std::uint8_t> fixed) {
    if (order < 1 || order > 2) throw std::invalid_argument("order of a transition: expected 1 or 2");
    Block& block = blocks_[plain_block(order)];
    is_prepared_ = false;
    if (fixed.size() != block.w.size()) throw std::invalid_argument("expected one flag for each transition");
    block.fixed.assign(fixed.begin(), fixed.end());
}

void Weights::constrain(std::span<const std::uint8_t> allowed, std::span<const std::uint8_t> last) {
    is_prepared_ = false;
    edge_bounds_.clear();
    Block& edges = blocks_[kPlainEdges];
    if (allowed.size() != edges.width || std::ssize(last) != L_)
        throw std::invalid_argument("constraints: expected the size of the label set");
    if (edges.rows == 0) {  // the model has no plain edges: add a row to carry the constraint, and keep it there
        edges.rows = 1;
        edges.w.assign(edges.width, 0.0F);
        edges.sum.assign(edges.width, 0.0);
        edges.fixed.assign(edges.width, 1);
    }
    for (std::size_t i = 0; i < allowed.size(); ++i)
        if (!allowed[i]) edges.w[i] = kForbiddenScore;
    last_.resize(last.size());
    for (std::size_t y = 0; y < last.size(); ++y) last_[y] = last[y] ? 0.0F : kForbiddenScore;
}

void Weights::prefer(int label, float score) {
    if (label < 0 || label >= L_) throw std::invalid_argument("label: expected a number of the label set");
    if (!std::isfinite(score)) throw std::invalid_argument("score of a label: expected a finite number");
    preferred_.assign(L_, 0.0F);
    preferred_[label] = score;
}

int Weights::order() const {
    if (blocks_[2].rows || blocks_[kPlainTrigrams].rows) return 2;
    return blocks_[1].rows || blocks_[kPlainEdges].rows ? 1 : 0;
}

template <class Visit>
void Weights::visit(const Sequence& x, Labelling labels, int t, int block, Visit visit) const {
    if (!blocks_[block].rows) return;
    const int order = order_of(block);
    if (is_plain(block)) return visit(0, label_code(labels, t, order, L_), 1.0F);
    if (x.begin[order].empty()) return;
    if (order == 0 && !parts_.empty())
        return x.for_each(0, t, [&](std::int32_t row, float amount) {
            parts_.for_each(labels[t], [&](std::uint32_t part) { visit(row, part, amount); });
        });
    const std::uint32_t code = label_code(labels, t, order, L_);
    x.for_each(order, t, [&](std::int32_t row, float amount) { visit(row, code, amount); });
}

template <class Visit>
void Weights::visit_spans(const Sequence& x, Labelling labels, int first, int last, Visit visit) const {
    if (!has_spans(x)) return;
    span_labels_.for_each(labels, first, last, [&](int start, int length, int kind) {
        for (const std::int32_t row : x.spans.at(start, length)) visit(row, kind);
    });
}

double Weights::score(const Sequence& x, Labelling labels) const {
    double total = 0;
    for (int b = 0; b < kBlocks; ++b)
        for (int t = 0; t < x.T; ++t)
            visit(x, labels, t, b,
                  [&](std::size_t row, std::uint32_t c, float amount) { total += amount * blocks_[b].value(row, c); });
    visit_spans(x, labels, 0, x.T, [&](std::int32_t row, int kind) { total += blocks_[kSpanBlock].value(row, kind); });
    if (!last_.empty() && x.T > 0) total += last_[labels[x.T - 1]];
    if (!preferred_.empty())
        for (int t = 0; t < x.T; ++t) total += preferred_[labels[t]];
    return total;
}

std::vector<Weights::FiredSpan> Weights::fired_spans(const Sequence& x, Labelling labels) const {
    std::vector<FiredSpan> found;
    if (!has_spans(x)) return found;
    span_labels_.for_each(labels, 0, x.T, [&](int start, int length, int kind) {
        for (const std::int32_t row : x.spans.at(start, length))
            found.push_back({start, length, kind, row, blocks_[kSpanBlock].value(row, kind)});
    });
    return found;
}

std::vector<Fired> Weights::fired(const Sequence& x, Labelling labels, int t) const {
    std::vector<Fired> found;
    for (int b = 0; b < kBlocks; ++b)
        visit(x, labels, t, b, [&](std::size_t row, std::uint32_t c, float amount) {
            const double weight = amount * blocks_[b].value(row, c);
            if (b == 0 && !parts_.empty() && c >= static_cast<std::uint32_t>(L_))
                found.back().weight += weight;  // a part of the label before
            else
                found.push_back({b, row, weight, amount});
        });
    if (!preferred_.empty()) found.push_back({kBlocks, 0, preferred_[labels[t]], 1.0F});
    return found;
}

std::vector<std::pair<Fired, std::uint32_t>> Weights::fired_parts(const Sequence& x, int label, int t) const {
    std::vector<std::pair<Fired, std::uint32_t>> found;
    const std::vector<std::int32_t> labels(x.T, label);
    visit(x, labels, t, 0, [&](std::size_t row, std::uint32_t part, float amount) {
        found.push_back({{0, row, amount * blocks_[0].value(row, part), amount}, part});
    });
    return found;
}

void Weights::require_sums() const {
    for (const Block& block : blocks_)
        if (!block.has_sums()) throw std::logic_error("averaged weights cannot be trained or averaged");
}

void Weights::add(const Sequence& x, Labelling labels, double scale) {
    require_sums();
    is_prepared_ = false;
    for (int b = 0; b < kBlocks; ++b)
        for (int t = 0; t < x.T; ++t)
            visit(x, labels, t, b, [&](std::size_t row, std::uint32_t c, float amount) {
                blocks_[b].move(row, c, scale * amount, tick_);
            });
    visit_spans(x, labels, 0, x.T,
                [&](std::int32_t row, int kind) { blocks_[kSpanBlock].move(row, kind, scale, tick_); });
    if (has_many_labels()) follow(x, labels, {});
}

template <class Visit>
void Weights::compare(const Sequence& x, Labelling toward, Labelling away, Visit found) const {
    const auto [begin, end] = where_they_differ(toward.first(x.T), away.first(x.T));
    for (int b = 0; b < kBlocks; ++b) {
        const int order = order_of(b);
        for (int t = begin; t < std::min(x.T, end + order); ++t) {
            const int first = std::max(0, t - order), n = t + 1 - first;
            if (std::ranges::equal(toward.subspan(first, n), away.subspan(first, n))) continue;
            if (b == 0 && !parts_.empty()) {
                x.for_each(0, t, [&](std::int32_t row, float amount) {
                    parts_.for_each_difference(toward[t], away[t], [&](std::uint32_t part, float sign) {
                        found(0, row, part, sign * amount);
                    });
                });
                continue;
            }
            visit(x, toward, t, b, [&](std::size_t row, std::uint32_t c, float amount) { found(b, row, c, +amount); });
            visit(x, away, t, b, [&](std::size_t row, std::uint32_t c, float amount) { found(b, row, c, -amount); });
        }
    }
    if (begin == end || !has_spans(x)) return;
    // Spans that only one of them has are not far from where they differ. Those that both have cancel out.
    const int first = std::max(0, begin - span_labels_.longest), last = std::min(x.T, end + span_labels_.longest);
    visit_spans(x, toward, first, last, [&](std::int32_t row, int kind) { found(kSpanBlock, row, kind, +1.0F); });
    visit_spans(x, away, first, last, [&](std::int32_t row, int kind) { found(kSpanBlock, row, kind, -1.0F); });
}

double Weights::margin(const Sequence& x, Labelling labels, Labelling other) const {
    double total = 0;
    compare(x, labels, other,
            [&](int b, std::size_t row, std::uint32_t c, float amount) { total += amount * blocks_[b].value(row, c); });
    if (!last_.empty() && x.T > 0) total += last_[labels[x.T - 1]] - last_[other[x.T - 1]];
    const auto [begin, end] = where_they_differ(labels.first(x.T), other.first(x.T));
    if (!preferred_.empty())
        for (int t = begin; t < end; ++t) total += preferred_[labels[t]] - preferred_[other[t]];
    return total;
}

void Weights::move(const Sequence& x, Labelling toward, Labelling away, double scale) {
    require_sums();
    is_prepared_ = false;
    if (x.has_amounts())
        move_rounded(x, toward, away, scale);
    else
        compare(x, toward, away, [&](int b, std::size_t row, std::uint32_t c, float sign) {
            blocks_[b].move(row, c, sign * scale, tick_);
        });
    if (has_many_labels()) follow(x, toward, away), follow(x, away, toward);
}

// Real steps are multiples of 2^-16; times an amount they are not, so that each change is rounded to one again.
void Weights::move_rounded(const Sequence& x, Labelling toward, Labelling away, double scale) {
    constexpr double kUnit = 0x1p-16;
    for (const Component& c : difference(x, toward, away))
        blocks_[c.block].move(c.place, std::nearbyint(scale * c.value / kUnit) * kUnit, tick_);
}

void Weights::move(const Component& at, double delta) {
    is_prepared_ = false;
    Block& block = blocks_[at.block];
    if (!block.has_sums()) throw std::logic_error("averaged weights cannot be trained or averaged");
    block.move(at.place, delta, tick_);
    if (at.block == kPlainEdges && edge_bounds_.is_ready()) edge_bounds_.change(block.w.data(), L_, at.place);
}

std::vector<Component> Weights::difference(const Sequence& x, Labelling toward, Labelling away) const {
    std::vector<Component> found;
    compare(x, toward, away, [&](int b, std::size_t row, std::uint32_t c, float amount) {
        const std::int64_t place = blocks_[b].place(row, c);
        if (place >= 0) found.push_back({b, static_cast<std::size_t>(place), amount});
    });
    const auto before = [](const Component& a, const Component& b) {
        return a.block != b.block ? a.block < b.block : a.place < b.place;
    };
    std::sort(found.begin(), found.end(), before);
    std::vector<Component> sums;
    for (const Component& c : found) {
        if (sums.empty() || before(sums.back(), c))
            sums.push_back(c);
        else
            sums.back().value += c.value;
    }
    std::erase_if(sums, [](const Component& c) { return c.value == 0; });
    return sums;
}

void Weights::prepare() {
    bound_edges();
    const Block &edges = blocks_[kPlainEdges], &trigrams = blocks_[kPlainTrigrams];
    if (trigrams.rows) bounds_.set(edges.rows ? edges.w.data() : nullptr, trigrams.w.data(), L_);
    is_prepared_ = true;
}

Weights Weights::frozen() const {
    Weights result(L_, false, false);
    for (std::size_t b = 0; b < blocks_.size(); ++b) result.blocks_[b] = blocks_[b].frozen();
    result.parts_ = parts_;
    result.span_labels_ = span_labels_;
    result.last_ = last_;
    result.preferred_ = preferred_;
    return result;
}

namespace {

// Calls visit(i, w) for each finite weight of a block without lines.
template <class AnyBlock, class Visit>
void visit_finite(AnyBlock& block, Visit visit) {
    for (std::size_t i = 0; i < block.w.size(); ++i)
        if (std::isfinite(block.w[i])) visit(i, block.w[i]);
    for (std::size_t i = 0; i < block.slots.size(); ++i)
        if (std::isfinite(block.slots[i].w)) visit(i, block.slots[i].w);
}

}  // namespace

template <class Value>
Weights Weights::on_grid(int active, Value value) const {
    if (blocks_[0].is_lined()) return condensed().on_grid(active, value);
    Weights result = frozen();
    double largest = 0;
    for (const Block& block : blocks_)
        visit_finite(block, [&](std::size_t i, float w) { largest = std::max(largest, std::abs(value(block, i, w))); });
    const std::size_t plain = blocks_[kPlainEdges].rows + blocks_[kPlainTrigrams].rows;
    const double scores = active * static_cast<double>(parts_.most()) + static_cast<double>(plain);
    const double bound = largest * std::max(1.0, scores);
    const double grid = bound > 0 ? std::exp2(21 - std::ceil(std::log2(bound))) : 1.0;
    for (int b = 0; b <= kSpanBlock; ++b) {
        const Block& from = blocks_[b];
        Block& to = result.blocks_[b];
        visit_finite(to, [&](std::size_t i, float& w) {
            const double exact = value(from, i, w);
            if (w == 0 && exact == 0) return;  // most weights have never moved
            w = static_cast<float>(std::nearbyint(exact * grid) / grid);
        });
    }
    return result;
}

Weights Weights::averaged(int active) const {
    require_sums();
    const double ticks = std::max(1.0, tick_);
    return on_grid(active, [&](const Block& block, std::size_t i, float w) { return w - block.sum[i] / ticks; });
}

Weights Weights::rounded(int active) const {
    return on_grid(active, [](const Block&, std::size_t, double w) { return w; });
}

Offsets block_offsets(const Weights& weights) {
    Offsets first{};
    for (int b = 0; b < kBlocks; ++b) first[b + 1] = first[b] + weights.block(b).size();
    return first;
}

}  // namespace perceptag

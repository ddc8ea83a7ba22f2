#include "perceptag/core/weights.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "perceptag/core/dispatch.hpp"

namespace perceptag {
namespace {

constexpr float kForbidden = -std::numeric_limits<float>::infinity();

// out[t] += Σ w[row] over the rows that fire at t, each [L]
PERCEPTAG_CLONES void add_dense_rows(const Sequence& x, const float* w, std::size_t L, float* out) {
    const std::int32_t* rows = x.rows[0].data();
    const std::int32_t* begin = x.begin[0].data();
    for (int t = 0; t < x.T; ++t, out += L) {
        for (std::int32_t i = begin[t]; i < begin[t + 1]; ++i) {
            const float* row = w + static_cast<std::size_t>(rows[i]) * L;
            for (std::size_t y = 0; y < L; ++y) out[y] += row[y];
        }
    }
}

PERCEPTAG_CLONES void add_vector(float* out, const float* row, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) out[i] += row[i];
}

void add_compact_rows(const Sequence& x, const Block& block, std::size_t L, float* out) {
    const std::int32_t* rows = x.rows[0].data();
    const std::size_t n = x.rows[0].size();
    constexpr std::size_t kAhead = 16;
    std::size_t i = 0;
    for (int t = 0; t < x.T; ++t, out += L) {
        for (const auto end = static_cast<std::size_t>(x.begin[0][t + 1]); i < end; ++i) {
            if (i + kAhead < n) __builtin_prefetch(block.slots.data() + block.begin[rows[i + kAhead]]);
            const Slot* slot = block.slots.data() + block.begin[rows[i]];
            const Slot* stop = block.slots.data() + block.begin[rows[i] + 1];
            for (; slot < stop; ++slot) out[slot->code] += slot->w;
        }
    }
}

// Combinations of labels are numbered in 32 bits.
void require_codes(std::size_t width) {
    if (width > std::numeric_limits<std::uint32_t>::max())
        throw std::invalid_argument("with features of three labels (y-2 y-1 y0) a model has at most 1624 labels");
}

std::size_t power(std::size_t base, int exponent) {
    std::size_t result = 1;
    for (; exponent > 0; --exponent) result *= base;
    return result;
}

// Adds one row of edge or trigram weights to the scores at t. `history` codes [first, first + count) are stored.
void add_observed(const Block& block, std::size_t row, std::size_t first, std::size_t count, float* out) {
    if (block.dense) {
        add_vector(out, block.w.data() + row * block.width + first, count);
        return;
    }
    for (std::size_t i = block.begin[row]; i < block.begin[row + 1]; ++i) {
        const std::size_t code = block.slots[i].code;
        if (code >= first && code < first + count) out[code - first] += block.slots[i].w;
    }
}

}  // namespace

// --------------------------------------------------------------------------------------------- Block

std::int64_t Block::place(std::size_t row, std::uint32_t code) const {
    if (dense) {
        const std::size_t i = row * width + code;
        return fixed.empty() || !fixed[i] ? static_cast<std::int64_t>(i) : -1;
    }
    const Slot* first = slots.data() + begin[row];
    const Slot* last = slots.data() + begin[row + 1];
    const Slot* slot = std::lower_bound(first, last, code, [](const Slot& a, std::uint32_t b) { return a.code < b; });
    return slot != last && slot->code == code ? slot - slots.data() : -1;
}

void Block::move(std::size_t row, std::uint32_t code, double delta, double tick) {
    const std::int64_t i = place(row, code);
    if (i >= 0) move(static_cast<std::size_t>(i), delta, tick);
}

// ------------------------------------------------------------------------------------------- Weights

Weights::Weights(int labels, bool plain_edges, bool plain_trigrams) : L_(labels) {
    if (labels < 1) throw std::invalid_argument("a model needs at least one label");
    if (labels > kMaxLabels) throw std::invalid_argument("a model has at most 65535 labels");
    const auto L = static_cast<std::size_t>(labels);
    for (int i = 0; i < kBlocks; ++i) {
        const int order = i < kPlain ? i : i - kPlain + 1;
        blocks_[i].width = power(L + 1, order) * L;
        if (i < kPlain) blocks_[i].begin.assign(1, 0);
    }
    for (int i = kPlain; i < kBlocks; ++i) {
        if (!(i == kPlain ? plain_edges : plain_trigrams)) continue;
        require_codes(blocks_[i].width);
        blocks_[i].rows = 1;
        blocks_[i].w.assign(blocks_[i].width, 0.0F);
        blocks_[i].sum.assign(blocks_[i].width, 0.0);
    }
}

Block& Weights::observed_block(int order, std::size_t rows) {
    if (order < 0 || order >= kOrders) throw std::invalid_argument("the order of a feature is 0, 1 or 2");
    if (rows) require_codes(blocks_[order].width);
    return blocks_[order];
}

void Weights::make_dense(int order, std::size_t rows) {
    Block& block = observed_block(order, rows);
    block.dense = true;
    block.begin.assign(1, 0);
    block.slots.clear();
    block.rows = rows;
    block.w.assign(rows * block.width, 0.0F);
    block.sum.assign(rows * block.width, 0.0);
}

void Weights::make_compact(int order, std::span<const std::uint32_t> begin, std::span<const std::uint32_t> codes) {
    if (begin.empty() || begin.front() != 0 || begin.back() != codes.size())
        throw std::invalid_argument("the rows do not cover the weights");
    Block& block = observed_block(order, begin.size() - 1);
    for (std::size_t r = 0; r + 1 < begin.size(); ++r) {
        if (begin[r] > begin[r + 1] || begin[r + 1] > codes.size()) throw std::invalid_argument("rows overlap");
        for (std::size_t i = begin[r]; i < begin[r + 1]; ++i)
            if (codes[i] >= block.width || (i > begin[r] && codes[i] <= codes[i - 1]))
                throw std::invalid_argument("the labels of a row are out of range or not sorted");
    }
    block.dense = false;
    block.w.clear();
    block.rows = begin.size() - 1;
    block.begin.assign(begin.begin(), begin.end());
    block.slots.resize(codes.size());
    for (std::size_t i = 0; i < codes.size(); ++i) block.slots[i] = {codes[i], 0.0F};
    block.sum.assign(codes.size(), 0.0);
}

void Weights::fix_plain(int order, std::span<const std::uint8_t> fixed) {
    if (order < 1 || order > 2) throw std::invalid_argument("the order of a transition is 1 or 2");
    Block& block = blocks_[kPlain + order - 1];
    is_prepared_ = false;
    if (fixed.size() != block.w.size()) throw std::invalid_argument("expected one flag for each transition");
    block.fixed.assign(fixed.begin(), fixed.end());
}

void Weights::constrain(std::span<const std::uint8_t> allowed, std::span<const std::uint8_t> last) {
    is_prepared_ = false;
    Block& edges = blocks_[kPlain];
    if (allowed.size() != edges.width || last.size() != static_cast<std::size_t>(L_))
        throw std::invalid_argument("constraints are of another size than the label set");
    if (edges.rows == 0) {  // the model has no plain edges: add a row to carry the constraint, and keep it there
        edges.rows = 1;
        edges.w.assign(edges.width, 0.0F);
        edges.sum.assign(edges.width, 0.0);
        edges.fixed.assign(edges.width, 1);
    }
    for (std::size_t i = 0; i < allowed.size(); ++i)
        if (!allowed[i]) edges.w[i] = kForbidden;
    last_.resize(last.size());
    for (std::size_t y = 0; y < last.size(); ++y) last_[y] = last[y] ? 0.0F : kForbidden;
}

int Weights::order() const {
    if (blocks_[2].rows || blocks_[kPlain + 1].rows) return 2;
    return blocks_[1].rows || blocks_[kPlain].rows ? 1 : 0;
}

std::uint32_t Weights::code(int order, const std::int32_t* labels, int t) const {
    const auto L = static_cast<std::uint32_t>(L_);
    std::uint32_t result = 0;
    for (int back = order; back > 0; --back)
        result = result * (L + 1) + (t >= back ? static_cast<std::uint32_t>(labels[t - back]) : L);
    return result * L + static_cast<std::uint32_t>(labels[t]);
}

void Weights::lattice(const Sequence& x, const TagDictionary* dictionary, Lattice& out) const {
    out.node.assign(static_cast<std::size_t>(x.T) * static_cast<std::size_t>(L_), 0.0F);
    add_to(x, dictionary, out);
}

void Weights::add_to(const Sequence& x, const TagDictionary* dictionary, Lattice& out) const {
    const auto T = static_cast<std::size_t>(x.T), L = static_cast<std::size_t>(L_);
    out.T = x.T;
    out.L = L_;
    out.order = order();
    if (blocks_[0].rows && !x.begin[0].empty()) {
        if (blocks_[0].dense)
            add_dense_rows(x, blocks_[0].w.data(), L, out.node.data());
        else
            add_compact_rows(x, blocks_[0], L, out.node.data());
    }
    if (!last_.empty() && T > 0) add_vector(out.node.data() + (T - 1) * L, last_.data(), L);
    if (dictionary && !x.closed.empty())
        for (std::size_t t = 0; t < T; ++t)
            if (x.closed[t] >= 0)
                for (std::size_t y = 0; y < L; ++y)
                    if (!dictionary->allowed[x.closed[t]][y]) out.node[t * L + y] = kForbidden;

    out.plain_edge = blocks_[kPlain].rows ? blocks_[kPlain].w.data() : nullptr;
    out.plain_trigram = blocks_[kPlain + 1].rows ? blocks_[kPlain + 1].w.data() : nullptr;
    out.bounds = is_prepared_ && out.plain_trigram ? &bounds_ : nullptr;
    out.observed_edge.clear();
    out.observed_trigram.clear();
    if (blocks_[1].rows && T > 0) {
        const float* plain = out.plain_edge;
        out.observed_edge.assign(L + (T - 1) * L * L, 0.0F);
        for (int t = 0; t < x.T; ++t) {
            float* edge = const_cast<float*>(out.edge(t));
            const std::size_t first = t == 0 ? L * L : 0, count = t == 0 ? L : L * L;
            if (plain) add_vector(edge, plain + first, count);
            for (const std::int32_t row : x.at(1, t)) add_observed(blocks_[1], row, first, count, edge);
        }
    }
    if (blocks_[2].rows && T > 0) {
        const float* plain = out.plain_trigram;
        out.observed_trigram.assign(L + (T > 1 ? L * L : 0) + (T > 2 ? (T - 2) * L * L * L : 0), 0.0F);
        for (int t = 0; t < x.T; ++t) {
            for (int v = 0; v < (t < 2 ? 1 : L_); ++v) {
                float* out_row = const_cast<float*>(out.trigram(t, v));
                const std::size_t count = t == 0 ? L : L * L;
                const std::size_t first =
                    t == 0 ? (L * (L + 1) + L) * L : static_cast<std::size_t>(t == 1 ? L_ : v) * (L + 1) * L;
                if (plain) add_vector(out_row, plain + first, count);
                for (const std::int32_t row : x.at(2, t)) add_observed(blocks_[2], row, first, count, out_row);
            }
        }
    }
}

template <class Visit>
void Weights::visit(const Sequence& x, const std::int32_t* labels, int t, int block, Visit visit) const {
    if (!blocks_[block].rows) return;
    if (block >= kPlain) return visit(0, code(block - kPlain + 1, labels, t));
    if (x.begin[block].empty()) return;
    const std::uint32_t c = code(block, labels, t);
    for (const std::int32_t row : x.at(block, t)) visit(static_cast<std::size_t>(row), c);
}

double Weights::score(const Sequence& x, const std::int32_t* labels) const {
    double total = 0;
    for (int b = 0; b < kBlocks; ++b)
        for (int t = 0; t < x.T; ++t)
            visit(x, labels, t, b, [&](std::size_t row, std::uint32_t c) { total += blocks_[b].value(row, c); });
    if (!last_.empty() && x.T > 0) total += last_[labels[x.T - 1]];
    return total;
}

void Weights::require_sums() const {
    for (const Block& block : blocks_)
        if (block.sum.size() != block.size()) throw std::logic_error("averaged weights cannot be trained or averaged");
}

void Weights::add(const Sequence& x, const std::int32_t* labels, double scale) {
    require_sums();
    is_prepared_ = false;
    for (int b = 0; b < kBlocks; ++b)
        for (int t = 0; t < x.T; ++t)
            visit(x, labels, t, b, [&](std::size_t row, std::uint32_t c) { blocks_[b].move(row, c, scale, tick_); });
}

template <class Visit>
void Weights::compare(const Sequence& x, const std::int32_t* toward, const std::int32_t* away, Visit found) const {
    for (int b = 0; b < kBlocks; ++b) {
        const int order = b < kPlain ? b : b - kPlain + 1;
        for (int t = 0; t < x.T; ++t) {
            if (std::equal(toward + std::max(0, t - order), toward + t + 1, away + std::max(0, t - order))) continue;
            visit(x, toward, t, b, [&](std::size_t row, std::uint32_t c) { found(b, row, c, +1.0); });
            visit(x, away, t, b, [&](std::size_t row, std::uint32_t c) { found(b, row, c, -1.0); });
        }
    }
}

void Weights::move(const Sequence& x, const std::int32_t* toward, const std::int32_t* away, double scale) {
    require_sums();
    is_prepared_ = false;
    compare(x, toward, away, [&](int b, std::size_t row, std::uint32_t c, double sign) {
        blocks_[b].move(row, c, sign * scale, tick_);
    });
}

void Weights::move(const Component& at, double delta) {
    is_prepared_ = false;
    Block& block = blocks_[at.block];
    if (block.sum.size() != block.size()) throw std::logic_error("averaged weights cannot be trained or averaged");
    block.move(at.place, delta, tick_);
}

std::vector<Component> Weights::difference(const Sequence& x, const std::int32_t* toward,
                                           const std::int32_t* away) const {
    std::vector<Component> found;
    compare(x, toward, away, [&](int b, std::size_t row, std::uint32_t c, double sign) {
        const std::int64_t place = blocks_[b].place(row, c);
        if (place >= 0) found.push_back({b, static_cast<std::size_t>(place), sign});
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
    const Block &edges = blocks_[kPlain], &trigrams = blocks_[kPlain + 1];
    if (trigrams.rows) bounds_.set(edges.rows ? edges.w.data() : nullptr, trigrams.w.data(), L_);
    is_prepared_ = true;
}

Weights Weights::frozen() const {
    // Sums take twice as much memory as weights, so they are not even copied.
    Weights result(L_, false, false);
    for (std::size_t b = 0; b < blocks_.size(); ++b) {
        const Block& from = blocks_[b];
        result.blocks_[b] = {from.rows, from.width, from.dense, from.w, from.begin, from.slots, {}, from.fixed};
    }
    result.last_ = last_;
    return result;
}

template <class Value>
Weights Weights::on_grid(int active, Value value) const {
    Weights result = frozen();
    double largest = 0;
    for (const Block& block : blocks_)
        for (std::size_t i = 0; i < block.size(); ++i)
            if (std::isfinite(block.get(i))) largest = std::max(largest, std::abs(value(block, i)));
    const std::size_t plain = blocks_[kPlain].rows + blocks_[kPlain + 1].rows;
    const double bound = largest * std::max(1.0, active + static_cast<double>(plain));
    const double grid = bound > 0 ? std::exp2(21 - std::ceil(std::log2(bound))) : 1.0;
    for (int b = 0; b < kBlocks; ++b) {
        const Block& from = blocks_[b];
        Block& to = result.blocks_[b];
        for (std::size_t i = 0; i < from.size(); ++i)
            if (std::isfinite(from.get(i))) to.set(i, static_cast<float>(std::nearbyint(value(from, i) * grid) / grid));
    }
    return result;
}

Weights Weights::averaged(int active) const {
    require_sums();
    const double ticks = std::max(1.0, tick_);
    return on_grid(active, [&](const Block& block, std::size_t i) { return block.get(i) - block.sum[i] / ticks; });
}

Weights Weights::rounded(int active) const {
    return on_grid(active, [](const Block& block, std::size_t i) { return static_cast<double>(block.get(i)); });
}

namespace {

// Scores the sequence, forbids what `edit` forbids, searches.
template <class Edit>
double search(const Weights& weights, const Sequence& x, const TagDictionary* dictionary, Worker& worker,
              std::int32_t* labels, Edit edit) {
    weights.lattice(x, dictionary, worker.lattice);
    edit(worker.lattice);
    return viterbi(worker.lattice, worker, labels);
}

}  // namespace

double viterbi(const Weights& weights, const Sequence& x, const TagDictionary* dictionary, Worker& worker,
               std::int32_t* labels) {
    const auto keep_all = [](Lattice&) {};
    const double score = search(weights, x, dictionary, worker, labels, keep_all);
    if (score > kForbidden || !dictionary) return score;
    return search(weights, x, nullptr, worker, labels, keep_all);
}

double viterbi_without(const Weights& weights, const Sequence& x, int t, int label, const TagDictionary* dictionary,
                       Worker& worker, std::int32_t* labels) {
    const auto forbid = [&](Lattice& lattice) {
        lattice.node[static_cast<std::size_t>(t) * static_cast<std::size_t>(lattice.L) + label] = kForbidden;
    };
    const double score = search(weights, x, dictionary, worker, labels, forbid);
    if (score > kForbidden || !dictionary) return score;
    // Without the dictionary only where `viterbi` does without it too: where it allows no labelling at all.
    if (search(weights, x, dictionary, worker, labels, [](Lattice&) {}) > kForbidden) return score;
    return search(weights, x, nullptr, worker, labels, forbid);
}

}  // namespace perceptag

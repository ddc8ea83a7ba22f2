#include "perceptag/core/compiler.hpp"
#include "perceptag/core/dispatch.hpp"
#include "perceptag/core/vector_math.hpp"
#include "perceptag/core/weights.hpp"

// The scores of a sequence under weights: a lattice is filled.

namespace perceptag {
namespace {

// out[t] += Σ w[row] over the rows that fire at t, each [L]. They are all over the memory, so they are asked for early.
PERCEPTAG_CLONES void add_dense_rows(const Sequence& x, const float* w, std::size_t L, float* out) {
    constexpr std::int32_t kAhead = 20;
    constexpr std::size_t kLine = 64 / sizeof(float);  // of a cache
    const std::int32_t* rows = x.rows[0].data();
    const std::int32_t* begin = x.begin[0].data();
    const std::int32_t last = begin[x.T];
    for (int t = 0; t < x.T; ++t, out += L) {
        for (std::int32_t i = begin[t]; i < begin[t + 1]; ++i) {
            if (i + kAhead < last)
                for (std::size_t y = 0; y < L; y += kLine) fetch_ahead(w + rows[i + kAhead] * L + y);
            const float* row = w + rows[i] * L;
            for (std::size_t y = 0; y < L; ++y) out[y] += row[y];
        }
    }
}

// The same for lined rows.
PERCEPTAG_CLONES void add_lined_rows(const Sequence& x, const LinedRows& lines, std::size_t L, float* out) {
    constexpr std::int32_t kAhead = 12;
    const std::int32_t* rows = x.rows[0].data();
    const std::int32_t* begin = x.begin[0].data();
    const std::int32_t last = begin[x.T];
    for (int t = 0; t < x.T; ++t, out += L)
        for (std::int32_t i = begin[t]; i < begin[t + 1]; ++i) {
            if (i + kAhead < last) lines.prefetch(rows[i + kAhead]);
            lines.for_each_line(rows[i], [=](std::size_t first, std::size_t end, const float* w, const double*) {
                for (std::size_t y = first; y < end; ++y) out[y] += w[y - first];
            });
        }
}

void add_compact_rows(const Sequence& x, const Block& block, std::size_t L, float* out) {
    const std::int32_t* rows = x.rows[0].data();
    const std::size_t n = x.rows[0].size();
    constexpr std::size_t kAhead = 16;
    std::size_t i = 0;
    for (int t = 0; t < x.T; ++t, out += L) {
        for (const std::size_t end = x.begin[0][t + 1]; i < end; ++i) {
            if (i + kAhead < n) fetch_ahead(block.slots.data() + block.begin[rows[i + kAhead]]);
            const Slot* slot = block.slots.data() + block.begin[rows[i]];
            const Slot* stop = block.slots.data() + block.begin[rows[i] + 1];
            for (; slot < stop; ++slot) out[slot->code] += slot->w;
        }
    }
}

// The same for rows that count more or less than 1.
void add_amounts(const Sequence& x, const Block& block, std::size_t L, float* out) {
    for (int t = 0; t < x.T; ++t, out += L)
        x.for_each(0, t, [&](std::int32_t row, float amount) { block.add_row(row, amount, out); });
}

// Forbids the labels that the dictionary does not give to the words of its list.
void forbid(const TagDictionary& dictionary, const Sequence& x, Lattice& out) {
    for (std::size_t t = 0; t < x.closed.size(); ++t) {
        if (x.closed[t] < 0) continue;
        const std::vector<std::uint8_t>& allowed = dictionary.allowed[x.closed[t]];
        float* node = out.nodes(t);
        for (int y = 0; y < out.L; ++y)
            if (!allowed[y]) node[y] = kForbiddenScore;
    }
}

// Adds the rows of edge or trigram weights that fire at t to the scores there, which are those of the codes
// [first, first + count).
void add_observed(const Sequence& x, int order, int t, const Block& block, std::size_t first, std::size_t count,
                  float* out) {
    x.for_each(order, t, [&](std::size_t row, float amount) { block.add_part(row, first, count, amount, out); });
}

}  // namespace

void Weights::lattice(const Sequence& x, const TagDictionary* dictionary, Lattice& out) const {
    const std::size_t T = x.T;
    node_sums(out).assign(T * node_width(), 0.0F);
    add_to(x, dictionary, out);
}

void Weights::add_to(const Sequence& x, const TagDictionary* dictionary, Lattice& out) const {
    out.T = x.T;
    out.L = L_;
    out.order = order();
    add_nodes(x, out);
    if (dictionary) forbid(*dictionary, x, out);
    add_edges(x, out);
    add_trigrams(x, out);
    add_spans(x, out);
    out.edge_bounds = edge_bounds_.is_ready() ? &edge_bounds_ : nullptr;
    out.bounds = is_prepared_ && out.plain_trigram ? &bounds_ : nullptr;
}

void Weights::add_rows(const Sequence& x, float* out) const {
    const Block& block = blocks_[0];
    if (!block.rows || x.begin[0].empty()) return;
    if (!x.amounts[0].empty())
        add_amounts(x, block, block.width, out);
    else if (block.is_lined())
        add_lined_rows(x, block.lines, block.width, out);
    else if (block.is_dense())
        add_dense_rows(x, block.w.data(), block.width, out);
    else
        add_compact_rows(x, block, block.width, out);
}

void Weights::add_nodes(const Sequence& x, Lattice& out) const {
    add_rows(x, node_sums(out).data());
    if (!parts_.empty()) {
        const std::size_t T = x.T;
        out.node.resize(T * L_);
        for (std::size_t t = 0; t < T; ++t)
            parts_.add_up(out.part.data() + t * parts_.count(), out.part_sums, out.nodes(t));
    }
    if (!last_.empty() && x.T > 0) add_vector(out.nodes(x.T - 1), last_.data(), L_);
    if (!preferred_.empty())
        for (int t = 0; t < x.T; ++t) add_vector(out.nodes(t), preferred_.data(), L_);
}

void Weights::add_spans(const Sequence& x, Lattice& out) const {
    out.span.clear();
    out.span_labels = nullptr;
    if (!has_spans(x) || x.T == 0) return;
    const Block& block = blocks_[kSpanBlock];
    const std::size_t K = span_labels_.classes, spans = x.spans.begin.size() - 1;
    out.span_labels = &span_labels_;
    out.span.assign(spans * K, 0.0F);
    float* to = out.span.data();
    for (std::size_t i = 0; i < spans; ++i, to += K)
        for (std::int64_t r = x.spans.begin[i]; r < x.spans.begin[i + 1]; ++r) {
            const float* row = block.w.data() + x.spans.rows[r] * K;
            for (std::size_t k = 0; k < K; ++k) to[k] += row[k];
        }
}

namespace {

// sums[place] += the row of weights of each hit
void add_hits(const std::vector<SpanHits::Hit>& hits, const float* w, std::size_t K, float* sums) {
    for (const SpanHits::Hit& hit : hits) {
        const float* row = w + static_cast<std::size_t>(hit.row) * K;
        float* to = sums + static_cast<std::size_t>(hit.place) * K;
        for (std::size_t k = 0; k < K; ++k) to[k] += row[k];
    }
}

}  // namespace

// What a word gives is added up once, and then for each span: Σ rows of the start + of the end + of the words inside +
// of the length, and those of the whole span.
void Weights::add_spans(const SpanHits& hits, Lattice& out) const {
    out.span.clear();
    out.span_labels = nullptr;
    if (span_labels_.empty() || out.T == 0) return;
    const std::size_t T = out.T, K = span_labels_.classes, longest = hits.longest;
    const float* w = blocks_[kSpanBlock].w.data();
    std::vector<float> sums((3 * T + longest + 1) * K, 0.0F);
    float *const starts = sums.data(), *const ends = starts + T * K, *const words = ends + T * K;
    float *const lengths = words + T * K, *const inside = lengths + longest * K;
    add_hits(hits.of(SpanReach::kStart), w, K, starts);
    add_hits(hits.of(SpanReach::kEnd), w, K, ends);
    add_hits(hits.of(SpanReach::kAnyWord), w, K, words);
    add_hits(hits.of(SpanReach::kLength), w, K, lengths);
    out.span_labels = &span_labels_;
    out.span.resize(T * longest * K);
    for (std::size_t start = 0; start < T; ++start) {
        float* to = out.span.data() + start * longest * K;
        const std::size_t room = std::min(longest, T - start);
        std::copy_n(starts + start * K, K, inside);
        for (std::size_t n = 0; n < room; ++n, to += K)
            for (std::size_t k = 0; k < K; ++k) {
                inside[k] += words[(start + n) * K + k];
                to[k] = inside[k] + ends[(start + n) * K + k] + lengths[n * K + k];
            }
        std::fill_n(to, (longest - room) * K, 0.0F);
    }
    add_hits(hits.of(SpanReach::kWhole), w, K, out.span.data());
}

void Weights::add_edges(const Sequence& x, Lattice& out) const {
    const Block& block = blocks_[1];
    const float* plain = blocks_[kPlainEdges].rows ? blocks_[kPlainEdges].w.data() : nullptr;
    out.plain_edge = plain;
    out.observed_edge.clear();
    if (!block.rows || x.T == 0) return;
    const std::size_t L = L_;
    out.observed_edge.assign(observed_edge_at(x.T, L), 0.0F);
    for (int t = 0; t < x.T; ++t) {
        float* edge = out.observed_edge.data() + observed_edge_at(t, L);
        const std::size_t first = first_edge(t, L), count = t == 0 ? L : L * L;
        if (plain) add_vector(edge, plain + first, count);
        add_observed(x, 1, t, block, first, count, edge);
    }
}

void Weights::add_trigrams(const Sequence& x, Lattice& out) const {
    const Block& block = blocks_[2];
    const float* plain = blocks_[kPlainTrigrams].rows ? blocks_[kPlainTrigrams].w.data() : nullptr;
    out.plain_trigram = plain;
    out.observed_trigram.clear();
    if (!block.rows || x.T == 0) return;
    const std::size_t L = L_;
    out.observed_trigram.assign(observed_trigram_at(x.T, 0, L), 0.0F);
    for (int t = 0; t < x.T; ++t) {
        for (std::size_t v = 0; v < (t < 2 ? 1 : L); ++v) {
            float* trigram = out.observed_trigram.data() + observed_trigram_at(t, v, L);
            const std::size_t first = first_trigram(t, v, L), count = t == 0 ? L : L * L;
            if (plain) add_vector(trigram, plain + first, count);
            add_observed(x, 2, t, block, first, count, trigram);
        }
    }
}

}  // namespace perceptag

#include "perceptag/search/viterbi1.hpp"

#include <algorithm>
#include <cstdint>
#include <span>

#include "perceptag/core/dispatch.hpp"
#include "perceptag/core/edge_bounds.hpp"
#include "perceptag/core/integers.hpp"
#include "perceptag/core/lanes.hpp"
#include "perceptag/search/lazy_scores.hpp"

namespace perceptag {
namespace {

PERCEPTAG_CLONES void forward1(const Lattice& x, float* alpha) {
    const std::size_t L = x.L;
    for (int t = 0; t < x.T; ++t) {
        float* to = alpha + t * L;
        const float* node = x.nodes(t);
        const float* edge = x.edge(t);
        if (t == 0) {
            for (std::size_t y = 0; y < L; ++y) to[y] = edge[y];
        } else {
            max_plus(to - L, 1, edge, L, L, L, to);
        }
        for (std::size_t y = 0; y < L; ++y) to[y] += node[y];
        recentre(to, L);
    }
}

// Where the best score came from is not stored on the way: the same sums are formed again for one label only.
void backward1(const Lattice& x, const float* alpha, LabelsOut labels) {
    const std::size_t L = x.L;
    const float* last = alpha + (x.T - 1) * L;
    std::size_t y = std::max_element(last, last + L) - last;
    labels[x.T - 1] = to_int32(y);
    for (int t = x.T - 1; t > 0; --t) {
        const float* from = alpha + (t - 1) * L;
        const float* edge = x.edge(t);
        std::size_t best = 0;
        for (std::size_t v = 1; v < L; ++v)
            if (from[v] + edge[v * L + y] > from[best] + edge[best * L + y]) best = v;
        y = best;
        labels[t - 1] = to_int32(y);
    }
}

// Writes the labels that may come before another one; scores are relative to the largest. Returns how many.
PERCEPTAG_INLINE std::size_t choose(const float* scores, const EdgeGaps& gaps, std::size_t L, std::uint32_t* rows) {
    const std::size_t best = std::find(scores, scores + L, 0.0F) - scores;
    std::size_t n = 0, v = 0;
    if (best == L) {  // nothing is allowed here
        for (; v < L; ++v) rows[v] = static_cast<std::uint32_t>(v);
        return L;
    }
    const float* gap = gaps.beside(best);
    const auto look = [&](std::size_t end) {
        for (; v < end; ++v) {
            rows[n] = static_cast<std::uint32_t>(v);
            n += !(scores[v] + gap[v] < 0);
        }
    };
    Lanes some, more;
    while (v + kLanes <= L) {
        load(some, scores + v);
        load(more, gap + v);
        if (any_reaches(some, more, 0))
            look(v + kLanes);
        else
            v += kLanes;
    }
    look(L);
    return n;
}

PERCEPTAG_CLONES void forward_by_gaps(const Lattice& x, const EdgeGaps& gaps, float* alpha, KeptRows& kept) {
    const std::size_t L = x.L;
    std::uint32_t* rows = kept.rows.data();
    for (int t = 0; t < x.T; ++t, alpha += L) {
        if (t == 0)
            std::copy_n(x.edge(0), L, alpha);
        else
            max_plus(alpha - L, kept.of(t - 1), x.edge(t), L, alpha);
        const float* node = x.nodes(t);
        for (std::size_t y = 0; y < L; ++y) alpha[y] += node[y];
        recentre(alpha, L);
        kept.begin[t] = rows - kept.rows.data();
        rows += choose(alpha, gaps, L, rows);
        kept.begin[t + 1] = rows - kept.rows.data();
    }
}

}  // namespace

void gap_viterbi1(const Lattice& x, Worker& worker, LabelsOut labels) {
    const std::size_t T = x.T, L = x.L;
    worker.alpha.resize(T * L);
    worker.kept.rows.resize(T * L);
    worker.kept.begin.resize(T + 1);
    forward_by_gaps(x, x.edge_bounds->gaps, worker.alpha.data(), worker.kept);
    const float* alpha = worker.alpha.data() + (T - 1) * L;
    std::size_t y = std::max_element(alpha, alpha + L) - alpha;
    for (std::size_t t = T - 1; t > 0; --t) {
        labels[t] = to_int32(y);
        alpha -= L;
        const float* edge = x.edge(t) + y;
        const std::span<const std::uint32_t> rows = worker.kept.of(t - 1);
        std::size_t best = rows[0];
        for (const std::size_t v : rows.subspan(1))
            if (alpha[v] + edge[v * L] > alpha[best] + edge[best * L]) best = v;
        // Where no label may come before, the full search takes the first one.
        y = alpha[best] + edge[best * L] > kForbiddenScore ? best : 0;
    }
    labels[0] = to_int32(y);
}

void full_viterbi1(const Lattice& x, Worker& worker, LabelsOut labels) {
    const std::size_t T = x.T, L = x.L;
    worker.alpha.resize(T * L);
    forward1(x, worker.alpha.data());
    backward1(x, worker.alpha.data(), labels);
}

void lazy_viterbi1(const Lattice& x, Worker& worker, LabelsOut labels) {
    const std::size_t T = x.T, L = x.L;
    worker.alpha.resize(T * L);
    LazyScores<float> scores(x, worker.lazy, worker.alpha);
    std::size_t y = scores.last();
    for (std::size_t t = T - 1; t > 0; --t) {
        labels[t] = to_int32(y);
        y = scores.before(t, y);
    }
    labels[0] = to_int32(y);
}

void viterbi1(const Lattice& x, Worker& worker, LabelsOut labels) {
    if (has_many_plain_edges(x))
        lazy_viterbi1(x, worker, labels);
    else if (x.edge_bounds && x.edge_bounds->gaps.is_ready())
        gap_viterbi1(x, worker, labels);
    else
        full_viterbi1(x, worker, labels);
}

}  // namespace perceptag

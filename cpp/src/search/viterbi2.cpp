#include "perceptag/search/viterbi2.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "perceptag/core/dispatch.hpp"
#include "perceptag/core/integers.hpp"
#include "perceptag/core/lanes.hpp"

namespace perceptag {
namespace {

constexpr int kFewLabels = 8;  // up to here the full search is faster

// ----------------------------------------------------------------------------------------- full search

// α_t(u, y) = node_t(y) + edge_t(u, y) + max_v α_{t-1}(v, u) + trigram_t(v, u, y)
// At t = 0 there is one u and at t = 1 one v, the start; α_0 is stored as [1, L].
PERCEPTAG_CLONES void forward(const Lattice& x, float* alpha) {
    const std::size_t L = x.L;
    for (int t = 0; t < x.T; ++t) {
        float* to = alpha + t * L * L;
        const float* node = x.nodes(t);
        const float* edge = x.has_edges() ? x.edge(t) : nullptr;
        const std::size_t histories = t == 0 ? 1 : L;
        for (std::size_t u = 0; u < histories; ++u) {
            float* best = to + u * L;
            const float* row = x.trigram(t, 0) + u * L;
            if (t < 2) {
                const float before = t == 0 ? 0.0F : (to - L * L)[u];
                for (std::size_t y = 0; y < L; ++y) best[y] = before + row[y];
            } else {
                const std::size_t pitch = L > 1 ? x.trigram(t, 1) - x.trigram(t, 0) : 0;
                max_plus(to - L * L + u, L, row, pitch, L, L, best);
            }
            if (edge)
                for (std::size_t y = 0; y < L; ++y) best[y] += edge[u * L + y];
            for (std::size_t y = 0; y < L; ++y) best[y] += node[y];
        }
        recentre(to, histories * L);
    }
}

void backward(const Lattice& x, const float* alpha, LabelsOut labels) {
    const std::size_t L = x.L;
    const std::size_t histories = x.T == 1 ? 1 : L;
    const float* last = alpha + (x.T - 1) * L * L;
    // Of equal scores the lower last label wins, then the lower one before it.
    std::size_t u = 0, y = 0;
    for (std::size_t b = 0; b < L; ++b)
        for (std::size_t a = 0; a < histories; ++a)
            if (last[a * L + b] > last[u * L + y]) u = a, y = b;
    labels[x.T - 1] = to_int32(y);
    for (int t = x.T - 1; t > 0; --t) {
        labels[t - 1] = to_int32(u);
        if (t == 1) break;
        const float* from = alpha + (t - 1) * L * L;
        std::size_t best = 0;
        for (std::size_t v = 1; v < L; ++v)
            if (from[v * L + u] + x.trigram(t, v)[u * L + y] > from[best * L + u] + x.trigram(t, best)[u * L + y])
                best = v;
        y = u;
        u = best;
    }
}

// -------------------------------------------------------------------------------------------- bounds

const std::vector<float>& transposed(const PairBounds& bounds, std::size_t t) {
    return t == 1 ? bounds.second_transposed : bounds.later_transposed;
}

// The most that can come after label y at t: future[t, y] + shift[t].
PERCEPTAG_CLONES void bound_futures(const Lattice& x, const PairBounds& bounds, Pruning& p) {
    const std::size_t T = x.T, L = x.L;
    p.future.resize(T * L);
    p.shift.assign(T, 0.0);
    p.row.resize(L);
    std::fill_n(p.future.data() + (T - 1) * L, L, 0.0F);
    for (std::size_t t = T - 1; t > 0; --t) {
        const float *from = p.future.data() + t * L, *node = x.nodes(t);
        for (std::size_t y = 0; y < L; ++y) p.row[y] = from[y] + node[y];
        float* to = p.future.data() + (t - 1) * L;
        max_plus(p.row.data(), 1, transposed(bounds, t).data(), L, L, L, to);
        p.shift[t - 1] = p.shift[t] + recentre(to, L);
    }
}

// More than rounding can have changed a sum of scores and bounds along the sequence.
PERCEPTAG_CLONES double slack(const Lattice& x, const Pruning& p) {
    constexpr double kRounding = 0x1p-20;  // of one sum of float32, generously
    float size = 1;
    for (const auto* scores : {&p.future, &x.node})
        for (const float s : *scores) size = std::max(size, s > kForbiddenScore ? std::abs(s) : 0.0F);
    return (x.T + 16.0) * size * kRounding;
}

// ----------------------------------------------------------------------------------- search with bounds

// best[y] = max over the pairs (v, u) of  score + trigram(v, u, y)
template <int N>
PERCEPTAG_INLINE void extend_lanes(const Pruning::Pair* pair, const Pruning::Pair* end, const float* trigram,
                                   std::size_t pitch, float* best) {
    Lanes top[N], row;
    for (int k = 0; k < N; ++k) {
        load(row, trigram + pair->before * pitch + k * kLanes);
        top[k] = pair->score + row;
    }
    for (++pair; pair < end; ++pair) {
        const float* rows = trigram + pair->before * pitch;
        PERCEPTAG_UNROLL
        for (int k = 0; k < N; ++k) {
            load(row, rows + k * kLanes);
            const Lanes sum = pair->score + row;
            keep_larger(top[k], sum);
        }
    }
    for (int k = 0; k < N; ++k) store(best + k * kLanes, top[k]);
}

PERCEPTAG_CLONES void extend(const Pruning::Pair* pair, const Pruning::Pair* end, const float* trigram,
                             std::size_t pitch, std::size_t L, float* best) {
    std::size_t y = 0;
    for (; y + 4 * kLanes <= L; y += 4 * kLanes) extend_lanes<4>(pair, end, trigram + y, pitch, best + y);
    for (; y + 2 * kLanes <= L; y += 2 * kLanes) extend_lanes<2>(pair, end, trigram + y, pitch, best + y);
    for (; y + kLanes <= L; y += kLanes) extend_lanes<1>(pair, end, trigram + y, pitch, best + y);
    if (y < L) extend_lanes<1>(pair, end, trigram + (L - kLanes), pitch, best + (L - kLanes));
}

PERCEPTAG_CLONES void add_up(const float* best, const float* edge, const float* node, std::size_t L, float* out) {
    if (edge)
        for (std::size_t y = 0; y < L; ++y) out[y] = best[y] + edge[y] + node[y];
    else
        for (std::size_t y = 0; y < L; ++y) out[y] = best[y] + node[y];
}

PERCEPTAG_CLONES float best_of(const float* scores, std::size_t n) { return largest(scores, n); }

// The largest of score + future over rows of L scores.
PERCEPTAG_CLONES float most(const float* scores, std::size_t rows, const float* future, std::size_t L) {
    float result = kForbiddenScore;
    for (std::size_t r = 0; r < rows * L; r += L)
        for (std::size_t y = 0; y < L; ++y) result = std::max(result, scores[r + y] + future[y]);
    return result;
}

// The pairs with score + future >= wanted. Most are below: several at once are passed over.
PERCEPTAG_CLONES void select(Pruning& p, const float* future, std::size_t L, float wanted) {
    p.found.clear();
    for (std::size_t i = 0; i < p.befores.size(); ++i) {
        const float* row = p.scores.data() + i * L;
        for (std::size_t y = 0; y < L; y += kLanes) {
            const std::size_t end = std::min(L, y + kLanes), first = end - kLanes;
            Lanes score, rest;
            load(score, row + first);
            load(rest, future + first);
            if (!any_reaches(score, rest, wanted)) continue;
            for (std::size_t k = y; k < end; ++k)
                if (row[k] + future[k] >= wanted) p.found.push_back({to_int32(k), p.befores[i], row[k]});
        }
    }
}

// The recursion of `forward` over the pairs of labels that are kept at each position. Scores are relative to the best
// at the position; `past` is what was subtracted so far.
class KeptSearch {
  public:
    KeptSearch(const Lattice& x, Pruning& p) : x_(x), p_(p), L_(x.L), pitch_((L_ + 1) * L_) {}

    // Keep what can reach a score of `least` and, at each position, what is within `margin` of the best there.
    // Returns whether anything is left at the end.
    bool run(double least, float margin) {
        p_.pairs.clear();
        p_.begin.assign(1, 0);
        p_.row.resize(L_);
        p_.scores.resize(L_ * L_);
        past_ = 0;
        for (int t = 0; t < x_.T; ++t) {
            reach(t);
            if (!keep(t, least, margin)) return false;
        }
        return true;
    }

    void trace(LabelsOut labels) const {
        // Of equal scores the lower last label wins, then the lower one before it: pairs stand in this order.
        const Pruning::Pair* pair = group(x_.T - 1, 0);
        std::int32_t y = 0;
        for (std::int32_t b = 0; b < x_.L; ++b)
            for (const Pruning::Pair* q = group(x_.T - 1, b); q < group(x_.T - 1, b + 1); ++q)
                if (q == group(x_.T - 1, 0) || q->score > pair->score) pair = q, y = b;
        for (int t = x_.T - 1;; --t) {
            labels[t] = y;
            if (t == 0) return;
            const std::int32_t u = pair->before;
            const float* rows = x_.trigram(t, 0) + u * L_ + y;
            const auto sum = [&](const Pruning::Pair* q) { return q->score + rows[q->before * pitch_]; };
            pair = group(t - 1, u);
            for (const Pruning::Pair* q = pair + 1; q < group(t - 1, u + 1); ++q)
                if (sum(q) > sum(pair)) pair = q;
            y = u;
        }
    }

  private:
    // The pairs at t whose last label is y; `before` ascends.
    const Pruning::Pair* group(int t, std::int32_t y) const { return p_.pairs.data() + p_.begin[t * L_ + y]; }

    // Scores of all pairs that continue a kept one: for each label u before that has any, a row over y.
    void reach(int t) {
        p_.befores.clear();
        if (t == 0) {
            add_row(0, 0, x_.trigram(0, 0));
            return;
        }
        for (std::int32_t u = 0; u < x_.L; ++u) {
            const Pruning::Pair *first = group(t - 1, u), *end = group(t - 1, u + 1);
            if (first == end) continue;
            const float* rows = x_.trigram(t, 0) + u * L_;
            if (t == 1)
                for (std::size_t y = 0; y < L_; ++y) p_.row[y] = first->score + rows[y];
            else
                extend(first, end, rows, pitch_, L_, p_.row.data());
            add_row(t, u, p_.row.data());
        }
    }

    void add_row(int t, std::int32_t u, const float* best) {
        add_up(best, x_.has_edges() ? x_.edge(t) + u * L_ : nullptr, x_.node.data() + t * L_, L_,
               p_.scores.data() + p_.befores.size() * L_);
        p_.befores.push_back(u);
    }

    bool keep(int t, double least, float margin) {
        const float top = best_of(p_.scores.data(), p_.befores.size() * L_);
        if (top == kForbiddenScore) return false;
        const float* future = p_.future.data() + t * L_;
        auto wanted = static_cast<float>(least - past_ - p_.shift[t]);
        if (margin < std::numeric_limits<float>::infinity())
            wanted = std::max(wanted, most(p_.scores.data(), p_.befores.size(), future, L_) - margin);
        select(p_, future, L_, wanted);
        place(top);
        past_ += top;
        return !p_.found.empty();
    }

    // What was found, by the last label, then the one before it: counting sort.
    void place(float top) {
        p_.counts.assign(L_ + 1, 0);
        for (const Pruning::Found& found : p_.found) {
            const std::size_t last = found.last;
            ++p_.counts[last + 1];
        }
        const std::size_t start = p_.pairs.size();
        for (std::size_t y = 0; y < L_; ++y) {
            p_.counts[y + 1] += p_.counts[y];
            p_.begin.push_back(start + p_.counts[y + 1]);
        }
        p_.pairs.resize(p_.begin.back());
        for (const Pruning::Found& found : p_.found)
            p_.pairs[start + p_.counts[found.last]++] = {found.before, found.score - top};
    }

    const Lattice& x_;
    Pruning& p_;
    std::size_t L_;
    std::size_t pitch_;  // from one v to the next where trigrams are plain, which is when this search is used
    double past_ = 0;
};

}  // namespace

void full_viterbi2(const Lattice& x, Worker& worker, LabelsOut labels) {
    const std::size_t T = x.T, L = x.L;
    worker.alpha.resize(T * L * L);
    forward(x, worker.alpha.data());
    backward(x, worker.alpha.data(), labels);
}

void viterbi2(const Lattice& x, Worker& worker, LabelsOut labels) {
    if (x.L <= kFewLabels || !x.observed_edge.empty() || !x.observed_trigram.empty())
        return full_viterbi2(x, worker, labels);
    Pruning& p = worker.pruning;
    if (!x.bounds) p.bounds.set(x.plain_edge, x.plain_trigram, x.L);
    const PairBounds& bounds = x.bounds ? *x.bounds : p.bounds;
    bound_futures(x, bounds, p);
    KeptSearch search(x, p);
    // A narrow search finds a good labelling; then what cannot be as good is left out, and nothing else.
    if (!search.run(kForbiddenScore, bounds.narrow)) return full_viterbi2(x, worker, labels);
    search.trace(labels);
    search.run(x.score(labels) - slack(x, p), std::numeric_limits<float>::infinity());
    search.trace(labels);
}

}  // namespace perceptag

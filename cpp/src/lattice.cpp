#include "perceptag/lattice.hpp"

#include <algorithm>
#include <limits>

#include "perceptag/dispatch.hpp"

namespace perceptag {
namespace {

constexpr float kForbidden = -std::numeric_limits<float>::infinity();

// Subtract the largest of n scores from all of them; sums then stay small. The labelling does not change.
inline void recentre(float* scores, std::size_t n) {
    const float top = *std::max_element(scores, scores + n);
    if (top == kForbidden) return;
    for (std::size_t i = 0; i < n; ++i) scores[i] -= top;
}

// α_0(y) = node_0(y) + edge_0(start, y);  α_t(y) = node_t(y) + max_v α_{t-1}(v) + edge_t(v, y)
PERCEPTAG_CLONES void forward1(const Lattice& x, float* alpha) {
    const auto L = static_cast<std::size_t>(x.L);
    for (int t = 0; t < x.T; ++t) {
        float* to = alpha + static_cast<std::size_t>(t) * L;
        const float* node = x.node.data() + static_cast<std::size_t>(t) * L;
        const float* edge = x.edge(t);
        if (t == 0) {
            for (std::size_t y = 0; y < L; ++y) to[y] = edge[y];
        } else {
            const float* from = to - L;
            for (std::size_t y = 0; y < L; ++y) to[y] = from[0] + edge[y];
            for (std::size_t v = 1; v < L; ++v) {
                const float before = from[v];
                const float* row = edge + v * L;
                for (std::size_t y = 0; y < L; ++y) to[y] = std::max(to[y], before + row[y]);
            }
        }
        for (std::size_t y = 0; y < L; ++y) to[y] += node[y];
        recentre(to, L);
    }
}

// α_t(u, y) = node_t(y) + edge_t(u, y) + max_v α_{t-1}(v, u) + trigram_t(v, u, y)
// At t = 0 there is one u and at t = 1 one v, the start; α_0 is stored as [1, L].
PERCEPTAG_CLONES void forward2(const Lattice& x, float* alpha) {
    const auto L = static_cast<std::size_t>(x.L);
    for (int t = 0; t < x.T; ++t) {
        float* to = alpha + static_cast<std::size_t>(t) * L * L;
        const float* node = x.node.data() + static_cast<std::size_t>(t) * L;
        const float* edge = x.has_edges() ? x.edge(t) : nullptr;
        const std::size_t histories = t == 0 ? 1 : L;
        for (std::size_t u = 0; u < histories; ++u) {
            float* best = to + u * L;
            if (t < 2) {
                const float before = t == 0 ? 0.0F : (to - L * L)[u];
                const float* row = x.trigram(t, 0) + u * L;
                for (std::size_t y = 0; y < L; ++y) best[y] = before + row[y];
            } else {
                const float* from = to - L * L;
                const float* row = x.trigram(t, 0) + u * L;
                const float first = from[u];
                for (std::size_t y = 0; y < L; ++y) best[y] = first + row[y];
                for (std::size_t v = 1; v < L; ++v) {
                    const float before = from[v * L + u];
                    row = x.trigram(t, static_cast<int>(v)) + u * L;
                    for (std::size_t y = 0; y < L; ++y) best[y] = std::max(best[y], before + row[y]);
                }
            }
            if (edge)
                for (std::size_t y = 0; y < L; ++y) best[y] += edge[u * L + y];
            for (std::size_t y = 0; y < L; ++y) best[y] += node[y];
        }
        recentre(to, histories * L);
    }
}

// Where the best score came from is not stored on the way: the same sums are formed again for one label only.
void backward1(const Lattice& x, const float* alpha, std::int32_t* labels) {
    const auto L = static_cast<std::size_t>(x.L);
    const float* last = alpha + static_cast<std::size_t>(x.T - 1) * L;
    auto y = static_cast<std::size_t>(std::max_element(last, last + L) - last);
    labels[x.T - 1] = static_cast<std::int32_t>(y);
    for (int t = x.T - 1; t > 0; --t) {
        const float* from = alpha + static_cast<std::size_t>(t - 1) * L;
        const float* edge = x.edge(t);
        std::size_t best = 0;
        for (std::size_t v = 1; v < L; ++v)
            if (from[v] + edge[v * L + y] > from[best] + edge[best * L + y]) best = v;
        y = best;
        labels[t - 1] = static_cast<std::int32_t>(y);
    }
}

void backward2(const Lattice& x, const float* alpha, std::int32_t* labels) {
    const auto L = static_cast<std::size_t>(x.L);
    const std::size_t histories = x.T == 1 ? 1 : L;
    const float* last = alpha + static_cast<std::size_t>(x.T - 1) * L * L;
    // Of equal scores the lower last label wins, then the lower one before it.
    std::size_t u = 0, y = 0;
    for (std::size_t b = 0; b < L; ++b)
        for (std::size_t a = 0; a < histories; ++a)
            if (last[a * L + b] > last[u * L + y]) u = a, y = b;
    labels[x.T - 1] = static_cast<std::int32_t>(y);
    for (int t = x.T - 1; t > 0; --t) {
        labels[t - 1] = static_cast<std::int32_t>(u);
        if (t == 1) break;
        const float* from = alpha + static_cast<std::size_t>(t - 1) * L * L;
        std::size_t best = 0;
        for (std::size_t v = 1; v < L; ++v)
            if (from[v * L + u] + x.trigram(t, static_cast<int>(v))[u * L + y] >
                from[best * L + u] + x.trigram(t, static_cast<int>(best))[u * L + y])
                best = v;
        y = u;
        u = best;
    }
}

}  // namespace

double Lattice::score(const std::int32_t* labels) const {
    const auto l = static_cast<std::size_t>(L);
    double total = 0;
    for (int t = 0; t < T; ++t) {
        const auto y = static_cast<std::size_t>(labels[t]);
        const std::size_t u = t > 0 ? static_cast<std::size_t>(labels[t - 1]) : 0;
        total += node[static_cast<std::size_t>(t) * l + y];
        if (has_edges()) total += edge(t)[u * l + y];
        if (order == 2) total += trigram(t, t > 1 ? labels[t - 2] : 0)[u * l + y];
    }
    return total;
}

double viterbi(const Lattice& x, Worker& worker, std::int32_t* labels) {
    if (x.T == 0) return 0;
    const auto T = static_cast<std::size_t>(x.T), L = static_cast<std::size_t>(x.L);
    if (x.order == 0) {
        for (std::size_t t = 0; t < T; ++t) {
            const float* node = x.node.data() + t * L;
            labels[t] = static_cast<std::int32_t>(std::max_element(node, node + L) - node);
        }
    } else if (x.order == 1) {
        worker.alpha.resize(T * L);
        forward1(x, worker.alpha.data());
        backward1(x, worker.alpha.data(), labels);
    } else {
        worker.alpha.resize(T * L * L);
        forward2(x, worker.alpha.data());
        backward2(x, worker.alpha.data(), labels);
    }
    return x.score(labels);
}

}  // namespace perceptag

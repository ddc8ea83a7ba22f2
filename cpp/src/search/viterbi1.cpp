#include "perceptag/search/viterbi1.hpp"

#include <algorithm>

#include "perceptag/core/dispatch.hpp"
#include "perceptag/core/integers.hpp"
#include "perceptag/core/lanes.hpp"
#include "perceptag/search/lazy_scores.hpp"

namespace perceptag {
namespace {

// α_0(y) = node_0(y) + edge_0(start, y);  α_t(y) = node_t(y) + max_v α_{t-1}(v) + edge_t(v, y)
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

}  // namespace

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
    else
        full_viterbi1(x, worker, labels);
}

}  // namespace perceptag

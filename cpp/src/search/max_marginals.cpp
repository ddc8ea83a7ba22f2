#include "perceptag/search/max_marginals.hpp"

#include <algorithm>
#include <limits>

#include "perceptag/core/dispatch.hpp"
#include "perceptag/core/integers.hpp"
#include "perceptag/core/parallel.hpp"
#include "perceptag/search/lazy_scores.hpp"
#include "perceptag/search/worker.hpp"

namespace perceptag {
namespace {

constexpr double kForbidden = -std::numeric_limits<double>::infinity();

double best_of(const std::vector<double>& scores, std::size_t from, std::size_t n) {
    return *std::max_element(scores.begin() + from, scores.begin() + (from + n));
}

// max_y a[y] + b[y]
PERCEPTAG_CLONES double best_sum(const float* a, const double* b, std::size_t n) {
    double lanes[kLanes];
    std::fill_n(lanes, kLanes, kForbidden);
    std::size_t i = 0;
    for (; i + kLanes <= n; i += kLanes)
        for (std::size_t k = 0; k < kLanes; ++k) lanes[k] = std::max(lanes[k], a[i + k] + b[i + k]);
    for (; i < n; ++i) lanes[0] = std::max(lanes[0], a[i] + b[i]);
    return *std::max_element(lanes, lanes + kLanes);
}

// Without edges every token stands for itself.
double order0(const Lattice& x, float* out) {
    const std::size_t T = x.T, L = x.L;
    double total = 0;
    for (std::size_t t = 0; t < T; ++t) total += *std::max_element(x.nodes(t), x.nodes(t + 1));
    if (total == kForbidden) return total;
    for (std::size_t t = 0; t < T; ++t) {
        const float* node = x.nodes(t);
        const double top = *std::max_element(node, node + L);
        for (std::size_t y = 0; y < L; ++y) out[t * L + y] = static_cast<float>(node[y] - top);
    }
    return total;
}

// α_t(y) = node_t(y) + max_v α_{t-1}(v) + edge_t(v, y)
// β_t(v) = max_y edge_{t+1}(v, y) + node_{t+1}(y) + β_{t+1}(y)
// μ_t(y) = α_t(y) + β_t(y) − max α_{T-1}
PERCEPTAG_CLONES double order1(const Lattice& x, float* out) {
    const std::size_t T = x.T, L = x.L;
    std::vector<double> alpha(T * L, kForbidden), beta(L, 0.0), after(L);
    for (std::size_t t = 0; t < T; ++t) {
        const float* edge = x.edge(t);
        double* to = alpha.data() + t * L;
        for (std::size_t v = 0; v < (t ? L : 1); ++v) {
            const double before = t ? (to - L)[v] : 0.0;
            for (std::size_t y = 0; y < L; ++y) to[y] = std::max(to[y], before + edge[v * L + y]);
        }
        for (std::size_t y = 0; y < L; ++y) to[y] += x.node[t * L + y];
    }
    const double total = best_of(alpha, (T - 1) * L, L);
    if (total == kForbidden) return total;
    for (std::size_t t = T; t-- > 0;) {
        for (std::size_t y = 0; y < L; ++y) out[t * L + y] = static_cast<float>(alpha[t * L + y] + beta[y] - total);
        if (t == 0) break;
        const float* edge = x.edge(t);
        for (std::size_t y = 0; y < L; ++y) after[y] = x.node[t * L + y] + beta[y];
        for (std::size_t v = 0; v < L; ++v) beta[v] = best_sum(edge + v * L, after.data(), L);
    }
    return total;
}

// The same step by step with bounds (bounded_step.hpp), for many labels. Here every score is wanted.
class BoundedSteps {
  public:
    explicit BoundedSteps(const EdgeTable& table) : table_(table), zero_(table.L, 0.0F), exact_(table.L) {}

    // to[y] = max_v from[v] + edge[v, y]
    void step(const double* from, double* to) {
        const Rest<double> rest = choose_rows(table_, from, best_label(from, table_.L).label, rows_);
        bounded_step(table_, from, rows_, rest, zero_.data(), to, exact_.data());
        for (std::size_t y = 0; y < table_.L; ++y)
            if (!exact_[y]) to[y] = best_sum(table_.transposed + y * table_.L, from, table_.L);
    }

  private:
    EdgeTable table_;
    std::vector<float> zero_;
    std::vector<std::uint8_t> exact_;
    std::vector<std::uint32_t> rows_;
};

double bounded_order1(const Lattice& x, float* out) {
    const std::size_t T = x.T, L = x.L;
    LazyMemory memory;
    const EdgeBounds& bounds = bounds_of(x, memory);
    const float *row = bounds.row.data(), *column = bounds.column.data(), *transposed = bounds.transposed.data();
    BoundedSteps forwards({x.plain_edge, transposed, row, column, L});
    BoundedSteps backwards({transposed, x.plain_edge, column, row, L});
    std::vector<double> alpha(T * L), beta(L, 0.0), after(L);
    std::copy_n(x.edge(0), L, alpha.begin());
    for (std::size_t t = 0; t < T; ++t) {
        double* to = alpha.data() + t * L;
        if (t > 0) forwards.step(to - L, to);
        for (std::size_t y = 0; y < L; ++y) to[y] += x.nodes(t)[y];
    }
    const double total = best_of(alpha, (T - 1) * L, L);
    if (total == kForbidden) return total;
    for (std::size_t t = T; t-- > 0;) {
        for (std::size_t y = 0; y < L; ++y) out[t * L + y] = static_cast<float>(alpha[t * L + y] + beta[y] - total);
        if (t == 0) break;
        for (std::size_t y = 0; y < L; ++y) after[y] = x.nodes(t)[y] + beta[y];
        backwards.step(after.data(), beta.data());
    }
    return total;
}

// Scores of label y at t after u, without the trigram: [histories, L]; at t = 0 the only history is the start.
void pair_scores(const Lattice& x, std::size_t t, std::vector<double>& out) {
    const std::size_t L = x.L;
    const float* edge = x.has_edges() ? x.edge(t) : nullptr;
    for (std::size_t i = 0; i < (t ? L : 1) * L; ++i)
        out[i] = static_cast<double>(x.node[t * L + i % L]) + (edge ? edge[i] : 0.0F);
}

// The same over pairs of labels:
// α_t(u, y) = pair_t(u, y) + max_v α_{t-1}(v, u) + trigram_t(v, u, y)
// β_t(v, u) = max_y trigram_{t+1}(v, u, y) + pair_{t+1}(u, y) + β_{t+1}(u, y)
PERCEPTAG_CLONES double order2(const Lattice& x, float* out) {
    const std::size_t T = x.T, L = x.L, S = L * L;
    std::vector<double> alpha(T * S, kForbidden), beta(S, 0.0), pair(S);
    for (std::size_t t = 0; t < T; ++t) {
        double* to = alpha.data() + t * S;
        pair_scores(x, t, pair);
        for (std::size_t v = 0; v < (t > 1 ? L : 1); ++v)
            for (std::size_t u = 0; u < (t > 0 ? L : 1); ++u) {
                const double before = t > 0 ? (to - S)[v * L + u] : 0.0;
                const float* row = x.trigram(t, v) + u * L;
                for (std::size_t y = 0; y < L; ++y) to[u * L + y] = std::max(to[u * L + y], before + row[y]);
            }
        for (std::size_t i = 0; i < (t ? S : L); ++i) to[i] += pair[i];
    }
    const double total = best_of(alpha, (T - 1) * S, S);
    if (total == kForbidden) return total;
    for (std::size_t t = T; t-- > 0;) {
        std::fill_n(out + t * L, L, static_cast<float>(kForbidden));
        for (std::size_t i = 0; i < (t ? S : L); ++i)
            out[t * L + i % L] = std::max(out[t * L + i % L], static_cast<float>(alpha[t * S + i] + beta[i] - total));
        if (t == 0) break;
        pair_scores(x, t, pair);
        for (std::size_t i = 0; i < S; ++i) pair[i] += beta[i];
        for (std::size_t v = 0; v < (t > 1 ? L : 1); ++v)
            for (std::size_t u = 0; u < L; ++u) {
                const float* row = x.trigram(t, v) + u * L;
                beta[v * L + u] = best_sum(row, pair.data() + u * L, L);
            }
    }
    return total;
}

// With scores of spans: a label is as good as the best of its states.
double of_spans(const Lattice& x, float* out) {
    LengthStates lengths;
    Lattice states;
    lengths.expand(x, states);
    const std::size_t T = x.T, L = x.L, S = lengths.size();
    std::vector<float> scores(T * S);
    const double total = max_marginals(states, scores.data());
    if (total == kForbidden) return total;
    std::fill_n(out, T * L, kForbiddenScore);
    for (std::size_t i = 0; i < T * S; ++i) {
        float& to = out[i / S * L + lengths.labels()[i % S]];
        to = std::max(to, scores[i]);
    }
    return total;
}

}  // namespace

double max_marginals(const Lattice& x, float* out) {
    if (x.T == 0) return 0;
    if (x.has_spans()) return of_spans(x, out);
    if (x.order == 0) return order0(x, out);
    if (x.order == 2) return order2(x, out);
    return has_many_plain_edges(x) ? bounded_order1(x, out) : order1(x, out);
}

std::vector<float> max_marginals(const Weights& weights, const Corpus& corpus, const TagDictionary* dictionary,
                                 int threads) {
    const std::vector<std::size_t> begin = corpus.starts(weights.L());
    std::vector<float> found(begin.back());
    parallel_for(corpus.sequences.size(), threads, [&](std::size_t i, Worker& worker) {
        with_fallback(dictionary, [&](const TagDictionary* used) {
            weights.lattice(corpus.sequences[i], used, worker.lattice);
            return max_marginals(worker.lattice, found.data() + begin[i]);
        });
    });
    return found;
}

}  // namespace perceptag

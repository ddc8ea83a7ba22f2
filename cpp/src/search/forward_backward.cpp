#include "perceptag/search/forward_backward.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "perceptag/core/dispatch.hpp"
#include "perceptag/core/vector_math.hpp"

namespace perceptag {
namespace {

constexpr double kLogZero = -std::numeric_limits<double>::infinity();
// A norm below this may hide labellings that were lost to underflow.
constexpr double kSmallestNorm = 1e-100;

// out = exp(scale · (in − largest)); returns scale · largest, or minus infinity if all is forbidden.
PERCEPTAG_CLONES double exponentials(const float* in, std::size_t n, double scale, double* out) {
    float top = in[0];
    for (std::size_t i = 1; i < n; ++i) top = std::max(top, in[i]);
    if (top == -std::numeric_limits<float>::infinity()) {
        std::fill(out, out + n, 0.0);
        return kLogZero;
    }
    const double shift = top;
    for (std::size_t i = 0; i < n; ++i) out[i] = exp_nonpositive(scale * (in[i] - shift));
    return scale * shift;
}

// The same for scores that may be missing.
double exponentials(const float* in, std::size_t n, double scale, std::vector<double>& out) {
    if (!in) return 0;
    out.resize(n);
    const double top = exponentials(in, n, scale, out.data());
    return top == kLogZero ? 0 : top;
}

// Σ of n numbers, which become shares of it; returns the sum.
inline double normalise(double* a, std::size_t n) {
    double sum = 0;
    for (std::size_t i = 0; i < n; ++i) sum += a[i];
    const double norm = 1 / sum;
    for (std::size_t i = 0; i < n; ++i) a[i] *= norm;
    return sum;
}

// to(y) = Σ_u from(u) · E(u, y)
inline void times_matrix(const double* from, const double* E, std::size_t L, double* to) {
    for (std::size_t y = 0; y < L; ++y) to[y] = from[0] * E[y];
    for (std::size_t u = 1; u < L; ++u) {
        const double before = from[u];
        const double* row = E + u * L;
        for (std::size_t y = 0; y < L; ++y) to[y] += before * row[y];
    }
}

inline void times(double* a, const double* b, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) a[i] *= b[i];
}

// α_t for t > 0 and one shared or `stride`-d matrix; norms [T]. False where a norm is too small to trust.
PERCEPTAG_CLONES bool forward_chain(int T, std::size_t L, const double* P, const double* E, std::size_t stride,
                                    double* alpha, double* norm) {
    for (int t = 1; t < T; ++t, E += stride) {
        alpha += L, P += L;
        times_matrix(alpha - L, E, L, alpha);
        times(alpha, P, L);
        norm[t] = normalise(alpha, L);
        if (!(norm[t] > kSmallestNorm)) return false;
    }
    return true;
}

// b_t and β_{t-1} from the end.
PERCEPTAG_CLONES void backward_chain(int T, std::size_t L, const double* P, const double* E, std::size_t stride,
                                     const double* norm, double* beta, double* b) {
    for (int t = T - 1; t > 0; --t) {
        const std::size_t at = t * L;
        const double share = 1 / norm[t];
        for (std::size_t y = 0; y < L; ++y) b[at + y] = P[at + y] * beta[at + y] * share;
        const double* matrix = E + (t - 1) * stride;
        for (std::size_t u = 0; u < L; ++u) beta[at - L + u] = dot(matrix + u * L, b + at, L);
    }
}

// out(t, u, y) += α_{t-1}(u) E_t(u, y) b_t(y) for t > 0
PERCEPTAG_CLONES void add_pairs(int T, std::size_t L, const double* alpha, const double* E, std::size_t stride,
                                const double* b, double* out, std::size_t out_stride) {
    for (int t = 1; t < T; ++t, E += stride) {
        b += L, out += out_stride;
        for (std::size_t u = 0; u < L; ++u) {
            const double before = alpha[u];
            const double* row = E + u * L;
            double* to = out + u * L;
            for (std::size_t y = 0; y < L; ++y) to[y] += before * row[y] * b[y];
        }
        alpha += L;
    }
}

// Second order, one history u at a time: to(y) = Σ_v from(v, u) · R_v(y), with rows R_v `stride` apart.
PERCEPTAG_CLONES void times_trigrams(const double* from, const double* R, std::size_t stride, std::size_t L,
                                     double* to) {
    std::fill(to, to + L, 0.0);
    for (std::size_t v = 0; v < L; ++v) {
        const double before = from[v * L];
        const double* row = R + v * stride;
        for (std::size_t y = 0; y < L; ++y) to[y] += before * row[y];
    }
}

PERCEPTAG_CLONES void dots(const double* R, std::size_t stride, const double* b, std::size_t L, double* to) {
    for (std::size_t v = 0; v < L; ++v) to[v * L] = dot(R + v * stride, b, L);
}

PERCEPTAG_CLONES void add_triples(const double* from, const double* R, std::size_t stride, const double* b,
                                  std::size_t L, double* out, std::size_t out_stride) {
    for (std::size_t v = 0; v < L; ++v) {
        const double before = from[v * L];
        const double* row = R + v * stride;
        double* to = out + v * out_stride;
        for (std::size_t y = 0; y < L; ++y) to[y] += before * row[y] * b[y];
    }
}

}  // namespace

Potentials::Potentials(const Lattice& x, double scale) {
    if (x.observed_edge.empty()) edge_top = exponentials(x.plain_edge, combinations(1, x.L), scale, edge);
    if (x.observed_trigram.empty()) trigram_top = exponentials(x.plain_trigram, combinations(2, x.L), scale, trigram);
}

Potentials::Potentials(const Weights& weights, double scale) {
    const Block &edges = weights.block(kPlainEdges), &trigrams = weights.block(kPlainTrigrams);
    if (edges.rows && !weights.block(1).rows) edge_top = exponentials(edges.w.data(), edges.w.size(), scale, edge);
    if (trigrams.rows && !weights.block(2).rows)
        trigram_top = exponentials(trigrams.w.data(), trigrams.w.size(), scale, trigram);
}

std::size_t ForwardBackward::states(int t) const {
    const std::size_t L = x_->L;
    return x_->order == 2 && t > 0 ? L * L : L;
}

const double* ForwardBackward::edge(int t) const {
    if (!edges_.empty()) return edges_.data() + observed_edge_at(t, x_->L);
    return plain_->edge.data() + first_edge(t, x_->L);
}

// As Lattice::trigram.
const double* ForwardBackward::trigram(int t, std::size_t v) const {
    if (!trigrams_.empty()) return trigrams_.data() + observed_trigram_at(t, v, x_->L);
    return plain_->trigram.data() + first_trigram(t, v, x_->L);
}

double ForwardBackward::run(const Lattice& x, const Potentials& plain, double scale) {
    x_ = &x, plain_ = &plain, scale_ = scale, in_logs_ = false;
    if (x.T == 0) {
        node_.clear();
        return log_z_ = 0;
    }
    return run_scaled(plain) ? log_z_ : run_in_logs(x, scale);
}

void ForwardBackward::prepare(const Potentials& plain) {
    const Lattice& x = *x_;
    const std::size_t T = x.T, L = x.L;
    width_ = x.order == 2 ? L * L : L;
    potential_.resize(T * L);
    alpha_.resize(T * width_);
    beta_.resize(T * width_);
    b_.resize(T * width_);
    norm_.resize(T);
    log_z_ = 0;
    for (std::size_t t = 0; t < T; ++t) log_z_ += exponentials(x.nodes(t), L, scale_, potential_.data() + t * L);
    edges_.resize(x.observed_edge.size());
    trigrams_.resize(x.observed_trigram.size());
    for (int t = 0; t < x.T; ++t) {
        if (!edges_.empty()) {
            const std::size_t first = observed_edge_at(t, L), n = observed_edge_at(t + 1, L) - first;
            log_z_ += exponentials(x.observed_edge.data() + first, n, scale_, edges_.data() + first);
        } else if (x.has_edges()) {
            log_z_ += plain.edge_top;
        }
        if (x.order < 2) continue;
        if (!trigrams_.empty()) {
            const std::size_t first = observed_trigram_at(t, 0, L), n = observed_trigram_at(t + 1, 0, L) - first;
            log_z_ += exponentials(x.observed_trigram.data() + first, n, scale_, trigrams_.data() + first);
        } else {
            log_z_ += plain.trigram_top;
        }
    }
}

bool ForwardBackward::run_scaled(const Potentials& plain) {
    prepare(plain);
    if (log_z_ == kLogZero || !(x_->order == 2 ? forward2() : forward1())) return false;
    if (x_->order == 2)
        backward2();
    else
        backward1();
    // Forward and backward lose different labellings to underflow, so that they agree only if neither lost any.
    const double total = dot(alpha_.data(), beta_.data(), x_->L);
    if (!(std::abs(total - 1) < 1e-8)) return false;
    read_nodes();
    double product = 1;  // one logarithm for many norms
    for (const double norm : norm_) {
        product *= norm;
        if (product > 1e-100 && product < 1e100) continue;
        log_z_ += std::log(product);
        product = 1;
    }
    log_z_ += std::log(product);
    return true;
}

bool ForwardBackward::forward1() {
    const std::size_t L = x_->L;
    const double* P = potential_.data();
    double* alpha = alpha_.data();
    if (!x_->has_edges()) {
        std::copy(P, P + potential_.size(), alpha);
        for (int t = 0; t < x_->T; ++t) norm_[t] = normalise(alpha + t * L, L);
        return true;
    }
    const double* start = edge(0);
    for (std::size_t y = 0; y < L; ++y) alpha[y] = P[y] * start[y];
    norm_[0] = normalise(alpha, L);
    if (!(norm_[0] > kSmallestNorm)) return false;
    return forward_chain(x_->T, L, P, edge(1), edges_.empty() ? 0 : L * L, alpha, norm_.data());
}

void ForwardBackward::backward1() {
    const std::size_t L = x_->L;
    if (!x_->has_edges()) {
        std::fill(beta_.begin(), beta_.end(), 1.0);
        return;
    }
    std::fill(beta_.end() - L, beta_.end(), 1.0);
    backward_chain(x_->T, L, potential_.data(), edge(1), edges_.empty() ? 0 : L * L, norm_.data(), beta_.data(),
                   b_.data());
}

// α_t(u, y) = P_t(y) E_t(u, y) Σ_v α_{t-1}(v, u) R_t(v, u, y); at t = 0 only y, at t = 1 no v.
bool ForwardBackward::forward2() {
    const std::size_t L = x_->L;
    for (int t = 0; t < x_->T; ++t) {
        double* to = alpha_.data() + t * width_;
        const double* from = to - width_;
        const std::size_t stride = t < 2 ? 0 : (trigram(t, 1) - trigram(t, 0));
        for (std::size_t u = 0; u < (t == 0 ? 1 : L); ++u) {
            double* row = to + u * L;
            const double* R = trigram(t, 0) + u * L;
            if (t >= 2)
                times_trigrams(from + u, R, stride, L, row);
            else
                for (std::size_t y = 0; y < L; ++y) row[y] = R[y] * (t == 0 ? 1.0 : from[u]);
            if (x_->has_edges()) times(row, edge(t) + u * L, L);
            times(row, potential_.data() + t * L, L);
        }
        norm_[t] = normalise(to, states(t));
        if (!(norm_[t] > kSmallestNorm)) return false;
    }
    return true;
}

// b_t(u, y) = P_t(y) E_t(u, y) β_t(u, y) / c_t;  β_{t-1}(v, u) = Σ_y R_t(v, u, y) b_t(u, y)
void ForwardBackward::backward2() {
    const std::size_t L = x_->L;
    std::fill(beta_.begin(), beta_.end(), 1.0);
    for (int t = x_->T - 1; t > 0; --t) {
        const std::size_t at = t * width_;
        const double share = 1 / norm_[t];
        const double* P = potential_.data() + t * L;
        const std::size_t stride = t < 2 ? 0 : (trigram(t, 1) - trigram(t, 0));
        double* before = beta_.data() + at - width_;
        for (std::size_t u = 0; u < L; ++u) {
            double* b = b_.data() + at + u * L;
            for (std::size_t y = 0; y < L; ++y) b[y] = P[y] * beta_[at + u * L + y] * share;
            if (x_->has_edges()) times(b, edge(t) + u * L, L);
            const double* R = trigram(t, 0) + u * L;
            if (t >= 2)
                dots(R, stride, b, L, before + u);
            else
                before[u] = dot(R, b, L);
        }
    }
}

void ForwardBackward::read_nodes() {
    const std::size_t L = x_->L;
    node_.resize(x_->T * L);
    if (x_->order < 2) {
        for (std::size_t i = 0; i < node_.size(); ++i) node_[i] = alpha_[i] * beta_[i];
        return;
    }
    std::fill(node_.begin(), node_.end(), 0.0);
    for (int t = 0; t < x_->T; ++t)
        for (std::size_t i = 0; i < states(t); ++i) {
            const std::size_t at = t * width_ + i;
            node_[t * L + i % L] += alpha_[at] * beta_[at];
        }
}

void ForwardBackward::add_edges(double* out, std::size_t stride) const {
    const std::size_t L = x_->L;
    if (x_->T == 0) return;
    for (std::size_t y = 0; y < L; ++y) out[L * L + y] += node_[y];
    if (x_->order == 1 && !in_logs_) {
        add_pairs(x_->T, L, alpha_.data(), edge(1), edges_.empty() ? 0 : L * L, b_.data(), out, stride);
        return;
    }
    for (int t = 1; t < x_->T; ++t) {
        out += stride;
        const std::size_t at = t * width_;
        for (std::size_t i = 0; i < L * L; ++i) {
            const std::size_t u = i / L, y = i % L;
            if (x_->order == 0)
                out[i] += node_[(t - 1) * L + u] * node_[t * L + y];
            else if (!in_logs_)
                out[i] += alpha_[at + i] * beta_[at + i];
            else if (x_->order == 1)
                out[i] += std::exp(alpha_[at - L + u] + log_score(t, 0, u, y) + beta_[at + y] - log_z_);
            else
                out[i] += std::exp(alpha_[at + i] + beta_[at + i] - log_z_);
        }
    }
}

void ForwardBackward::add_trigrams(double* out, std::size_t stride) const {
    const std::size_t L = x_->L;
    for (int t = 0; t < x_->T; ++t, out += stride) {
        const std::size_t at = t * width_;
        if (t < 2) {  // v is the start, and at t = 0 so is u
            double* to = out + (L * (L + 1) + (t == 0 ? L : 0)) * L;
            for (std::size_t i = 0; i < states(t); ++i)
                to[i] += in_logs_ ? std::exp(alpha_[at + i] + beta_[at + i] - log_z_) : alpha_[at + i] * beta_[at + i];
            continue;
        }
        const double* from = alpha_.data() + at - width_;
        for (std::size_t u = 0; u < L; ++u) {
            if (!in_logs_) {
                const std::size_t apart = trigram(t, 1) - trigram(t, 0);
                add_triples(from + u, trigram(t, 0) + u * L, apart, b_.data() + at + u * L, L, out + u * L,
                            (L + 1) * L);
                continue;
            }
            for (std::size_t i = 0; i < L * L; ++i) {
                const std::size_t v = i / L, y = i % L;
                const double path = from[v * L + u] + log_score(t, v, u, y) + beta_[at + u * L + y];
                out[(v * (L + 1) + u) * L + y] += std::exp(path - log_z_);
            }
        }
    }
}

}  // namespace perceptag

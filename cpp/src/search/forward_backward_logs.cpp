// Forward-backward in logarithms: for scores so far apart that their exponentials leave the range of double, and for
// the probabilities of events.
//
//   α_t(y) = log Σ_u exp(α_{t-1}(u) + s_t(u, y))      β_{t-1}(u) = log Σ_y exp(s_t(u, y) + β_t(y))
#include <algorithm>
#include <cmath>
#include <limits>

#include "perceptag/core/integers.hpp"
#include "perceptag/search/forward_backward.hpp"

namespace perceptag {
namespace {

constexpr double kLogZero = -std::numeric_limits<double>::infinity();

double log_sum(const std::vector<double>& terms) {
    const double top = terms.empty() ? kLogZero : *std::max_element(terms.begin(), terms.end());
    if (top == kLogZero) return kLogZero;
    double sum = 0;
    for (const double term : terms) sum += std::exp(term - top);
    return top + std::log(sum);
}

}  // namespace

// What label y at t adds after u and v, which are ignored where the sequence starts.
double ForwardBackward::log_score(int t, std::size_t v, std::size_t u, std::size_t y) const {
    const std::size_t L = x_->L;
    double score = x_->node[t * L + y];
    const std::size_t i = (t == 0 ? 0 : u * L) + y;
    if (x_->has_edges()) score += x_->edge(t)[i];
    if (x_->order == 2) score += x_->trigram(t, v)[i];
    return scale_ * score;
}

// α_t from α_{t-1}, over the transitions that a mask allows; returns log Σ exp(α_t + β_t), if there is a β.
double ForwardBackward::log_step(const Mask* mask, int t, const double* from, double* to) const {
    const std::size_t L = x_->L;
    const bool pairs = x_->order == 2;
    std::vector<double> terms, all;
    for (std::size_t i = 0; i < states(t); ++i) {
        const std::size_t y = i % L;
        terms.clear();
        if (t == 0) {
            if (!mask || mask->allowed[L * L + y]) terms.push_back(log_score(0, 0, 0, y));
        } else if (pairs) {
            const std::size_t u = i / L;
            if (!mask || mask->allowed[u * L + y])
                for (std::size_t v = 0; v < (t == 1 ? 1 : L); ++v)
                    terms.push_back(from[(t == 1 ? 0 : v * L) + u] + log_score(t, v, u, y));
        } else {
            for (std::size_t u = 0; u < L; ++u)
                if (!mask || mask->allowed[u * L + y]) terms.push_back(from[u] + log_score(t, 0, u, y));
        }
        to[i] = log_sum(terms);
        if (mask) all.push_back(to[i] + beta_[t * width_ + i]);
    }
    return log_sum(all);
}

void ForwardBackward::log_forward() {
    for (int t = 0; t < x_->T; ++t) {
        double* to = alpha_.data() + t * width_;
        log_step(nullptr, t, to - (t == 0 ? 0 : width_), to);
    }
}

void ForwardBackward::log_backward() {
    const std::size_t L = x_->L;
    std::fill(beta_.begin(), beta_.end(), 0.0);
    std::vector<double> terms(L);
    for (int t = x_->T - 1; t > 0; --t) {
        const double* from = beta_.data() + t * width_;
        double* to = beta_.data() + (t - 1) * width_;
        for (std::size_t i = 0; i < states(t - 1); ++i) {
            const std::size_t v = i / L, u = i % L;
            for (std::size_t y = 0; y < L; ++y) terms[y] = log_score(t, v, u, y) + from[x_->order == 2 ? u * L + y : y];
            to[i] = log_sum(terms);
        }
    }
}

double ForwardBackward::run_in_logs(const Lattice& x, double scale) {
    x_ = &x, scale_ = scale, in_logs_ = true;
    const std::size_t T = x.T, L = x.L;
    width_ = x.order == 2 ? L * L : L;
    alpha_.resize(T * width_);
    beta_.resize(T * width_);
    node_.assign(T * L, 0.0);
    if (x.T == 0) return log_z_ = 0;
    log_forward();
    log_backward();
    const double* last = alpha_.data() + (T - 1) * width_;
    log_z_ = log_sum(std::vector<double>(last, last + states(x.T - 1)));
    if (log_z_ == kLogZero) return log_z_;
    for (int t = 0; t < x.T; ++t)
        for (std::size_t i = 0; i < states(t); ++i) {
            const std::size_t at = t * width_ + i;
            node_[t * L + i % L] += std::exp(alpha_[at] + beta_[at] - log_z_);
        }
    return log_z_;
}

double ForwardBackward::probability(std::span<const Mask> event) const {
    if (event.empty() || log_z_ == kLogZero) return event.empty() ? 1.0 : 0.0;
    std::vector<double> from(width_), to(width_);
    double total = kLogZero;
    for (const Mask& mask : event) {
        const bool first = &mask == event.data();
        const double* before = first ? alpha_.data() + std::max(0, mask.t - 1) * width_ : from.data();
        total = log_step(&mask, mask.t, before, to.data());
        from.swap(to);
    }
    return std::exp(total - log_z_);
}

}  // namespace perceptag

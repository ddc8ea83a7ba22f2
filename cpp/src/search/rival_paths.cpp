#include "perceptag/search/rival_paths.hpp"

#include <algorithm>
#include <limits>

#include "perceptag/core/dispatch.hpp"
#include "perceptag/core/integers.hpp"
#include "perceptag/search/length_states.hpp"

namespace perceptag {
namespace {

constexpr double kForbidden = -std::numeric_limits<double>::infinity();

// to[y] = max(to[y], before + row[y])
PERCEPTAG_CLONES void raise(double before, const float* row, std::size_t n, double* to) {
    for (std::size_t y = 0; y < n; ++y) to[y] = std::max(to[y], before + row[y]);
}

// sums[y] = row[y] + after[y]; returns the largest.
PERCEPTAG_CLONES double add(const float* row, const double* after, std::size_t n, double* sums) {
    double best = kForbidden;
    for (std::size_t y = 0; y < n; ++y) {
        sums[y] = row[y] + after[y];
        best = std::max(best, sums[y]);
    }
    return best;
}

// A state is written as y in first order, as y-1 * L + y in second order. At the first token it is y in both.
class Search {
  public:
    // `label_of`: the label of each label of the lattice, if these are states; a rival has another one of them.
    Search(const Lattice& x, Labelling labels, std::span<const std::int32_t> label_of)
        : label_of_(label_of),
          x_(x),
          labels_(labels),
          T_(x.T),
          L_(x.L),
          S_(x.order == 2 ? L_ * L_ : L_),
          own_(S_),
          alpha_(T_ * S_) {}

    RivalPaths run() {
        search_forwards();
        if (*std::max_element(alpha(T_ - 1), alpha(T_ - 1) + size(T_ - 1)) == kForbidden) return {};
        search_backwards();
        before_.assign(T_ * S_, -1);
        trace_best();
        RivalPaths found{true, {}, 0};
        for (std::size_t t = 0; t < T_; ++t) found.paths.push_back(trace(t, found.steps));
        return found;
    }

  private:
    std::size_t size(std::size_t t) const { return t == 0 ? L_ : S_; }
    std::int32_t label(std::size_t y) const { return label_of_.empty() ? to_int32(y) : label_of_[y]; }
    double* alpha(std::size_t t) { return alpha_.data() + t * S_; }

    // The first of the L states at t that may come after a state at t - 1, and the scores of the steps to them.
    std::size_t first(std::size_t t, std::size_t state) const { return x_.order == 2 && t > 0 ? state % L_ * L_ : 0; }
    const float* steps(std::size_t t, std::size_t state) const {
        if (x_.order == 2) return x_.trigram(t, state / L_) + state % L_ * L_;
        return x_.edge(t) + state * L_;
    }

    // What states have whatever comes before them.
    void set_own(std::size_t t) {
        const float* edge = x_.order == 2 && x_.has_edges() ? x_.edge(t) : nullptr;
        for (std::size_t s = 0; s < size(t); ++s)
            own_[s] = static_cast<double>(x_.nodes(t)[s % L_]) + (edge ? edge[s] : 0.0F);
    }

    void search_forwards() {
        std::fill(alpha_.begin(), alpha_.end(), kForbidden);
        for (std::size_t t = 0; t < T_; ++t) {
            double* to = alpha(t);
            if (t == 0) raise(0.0, steps(0, 0), L_, to);
            for (std::size_t s = 0; t > 0 && s < size(t - 1); ++s)
                raise(alpha(t - 1)[s], steps(t, s), L_, to + first(t, s));
            set_own(t);
            for (std::size_t s = 0; s < size(t); ++s) to[s] += own_[s];
        }
    }

    void search_backwards() {
        beta_.assign(S_, 0.0);
        rank_.resize(S_);
        const std::size_t histories = size(T_ - 1) / L_;
        for (std::size_t s = 0; s < size(T_ - 1); ++s) rank_[s] = to_int32(s % L_ * histories + s / L_);
        next_.resize(T_ * S_);
        chosen_.resize(T_);
        for (std::size_t t = T_; t-- > 0;) {
            chosen_[t] = best_state(t, labels_[t]);
            if (t == T_ - 1) last_ = best_state(t, -1);
            if (t > 0) step_back(t);
        }
    }

    // The state of the best labelling at t that does not have a label there, or -1 if there is none.
    std::int32_t best_state(std::size_t t, std::int32_t without) {
        std::int32_t found = -1;
        double best = kForbidden;
        for (std::size_t s = 0; s < size(t); ++s) {
            const double score = alpha(t)[s] + beta_[s];
            if (label(s % L_) == without || score < best || score == kForbidden) continue;
            if (score > best || rank_[s] < rank_[found]) found = to_int32(s), best = score;
        }
        return found;
    }

    // From β and ranks at t to those at t - 1.
    void step_back(std::size_t t) {
        set_own(t);
        for (std::size_t s = 0; s < size(t); ++s) own_[s] += beta_[s];
        sums_.resize(L_);
        key_.resize(S_);
        for (std::size_t s = 0; s < size(t - 1); ++s) {
            const std::size_t from = first(t, s);
            beta_[s] = add(steps(t, s), own_.data() + from, L_, sums_.data());
            std::size_t best = from;
            for (std::size_t y = 0, found = 0; y < L_; ++y) {
                if (sums_[y] != beta_[s]) continue;
                if (found++ == 0 || rank_[from + y] < rank_[best]) best = from + y;
            }
            next_[(t - 1) * S_ + s] = to_int32(best);
            key_[s] = rank_[best];
        }
        sort_states(size(t - 1), size(t));
    }

    // Ranks of n states by their keys, then by their numbers: counting sort.
    void sort_states(std::size_t n, std::size_t keys) {
        counts_.assign(keys + 1, 0);
        for (std::size_t s = 0; s < n; ++s) ++counts_[key_[s] + 1];
        for (std::size_t k = 0; k < keys; ++k) counts_[k + 1] += counts_[k];
        for (std::size_t s = 0; s < n; ++s) rank_[s] = counts_[key_[s]]++;
    }

    // The state at t - 1 before one at t. Ways meet again and again, so what was found is kept.
    std::int32_t before(std::size_t t, std::size_t state) {
        std::int32_t& found = before_[t * S_ + state];
        if (found >= 0) return found;
        const bool pairs = x_.order == 2;
        if (pairs && t == 1) return found = to_int32(state / L_);
        const std::size_t begin = pairs ? state / L_ : 0, pitch = pairs ? L_ : 1;
        double best = kForbidden;
        found = to_int32(begin);
        for (std::size_t s = begin; s < S_; s += pitch) {
            const double sum = alpha(t - 1)[s] + steps(t, s)[state - first(t, s)];
            if (sum > best) found = to_int32(s), best = sum;
        }
        return found;
    }

    void trace_best() {
        best_.resize(T_);
        best_labels_.resize(T_);
        best_[T_ - 1] = last_;
        for (std::size_t t = T_ - 1; t > 0; --t) best_[t - 1] = before(t, best_[t]);
        for (std::size_t t = 0; t < T_; ++t) best_labels_[t] = label(best_[t] % L_);
    }

    // The rival at t: the best labelling, but for what is around t.
    std::vector<std::int32_t> trace(std::size_t t, std::size_t& steps) {
        if (chosen_[t] < 0) return {};
        std::vector<std::int32_t> found = best_labels_;
        std::int32_t state = chosen_[t];
        for (std::size_t k = t;; state = before(k, state), --k, ++steps) {
            found[k] = label(state % L_);
            if (k == 0 || state == best_[k]) break;
        }
        state = chosen_[t];
        for (std::size_t k = t; state != best_[k] && k + 1 < T_; ++steps) {
            state = next_[k * S_ + state];
            found[++k] = label(state % L_);
        }
        return found;
    }

    std::span<const std::int32_t> label_of_;
    const Lattice& x_;
    Labelling labels_;
    std::size_t T_, L_, S_;
    std::vector<double> own_;                        // [S] of one token
    std::vector<double> alpha_;                      // [T, S]
    std::vector<double> beta_, sums_;                // [S] of one token, [L]
    std::vector<std::int32_t> rank_, key_, counts_;  // [S] of one token
    std::vector<std::int32_t> next_, before_;        // [T, S] states at the tokens after and before; -1: not looked for
    std::vector<std::int32_t> chosen_;               // [T] the state of each rival, or -1
    std::vector<std::int32_t> best_, best_labels_;   // [T] states and labels of the best labelling
    std::int32_t last_ = -1;
};

// Without edges every token stands for itself.
RivalPaths order0(const Lattice& x, Labelling labels) {
    const auto best_but = [&](std::size_t t, std::int32_t without) {
        std::int32_t best = -1;
        for (std::int32_t y = 0; y < x.L; ++y)
            if (y != without && x.nodes(t)[y] > (best < 0 ? kForbiddenScore : x.nodes(t)[best])) best = y;
        return best;
    };
    std::vector<std::int32_t> best;
    for (int t = 0; t < x.T; ++t) best.push_back(best_but(t, -1));
    if (std::ranges::count(best, -1)) return {};
    RivalPaths found{true, {}, 0};
    for (int t = 0; t < x.T; ++t) {
        const std::int32_t other = best_but(t, labels[t]);
        found.paths.push_back(other < 0 ? std::vector<std::int32_t>{} : best);
        if (other >= 0) found.paths[t][t] = other;
    }
    return found;
}

}  // namespace

RivalPaths rival_paths(const Lattice& x, Labelling labels) {
    if (x.T == 0) return {true, {}, 0};
    if (x.has_spans()) {
        LengthStates lengths;
        Lattice states;
        lengths.expand(x, states);
        return Search(states, labels, lengths.labels()).run();
    }
    return x.order == 0 ? order0(x, labels) : Search(x, labels, {}).run();
}

}  // namespace perceptag

// The distribution over labellings that a lattice stands for, p(y) = exp(scale · score(y)) / Z, and its marginals.
//
// Rabiner (1989), "A Tutorial on Hidden Markov Models", section V.A, for the scaling; Lafferty, McCallum and Pereira
// (2001) for the model; Sutton and McCallum (2012), section 4, for the notation.
//
//   P_t(y) = exp(node_t(y) − its largest)    E_t(u, y) = exp(edge_t(u, y) − its largest)
//   α_t(y) = P_t(y) Σ_u α_{t-1}(u) E_t(u, y) / c_t,   c_t such that Σ_y α_t(y) = 1
//   b_t(y) = P_t(y) β_t(y) / c_t,   β_{t-1}(u) = Σ_y E_t(u, y) b_t(y)
//   p(y_t = y) = α_t(y) β_t(y)               p(y_{t-1} = u, y_t = y) = α_{t-1}(u) E_t(u, y) b_t(y)
//   log Z = Σ_t log c_t + what was taken out
//
// With trigrams α, β and b are over pairs of labels. Everything is in double: marginals are right to about 1e-12
// times the length of the sequence. Where numbers leave the range of double (scores that differ by hundreds, as
// those of perceptrons do) the same is computed again in logarithms, which is slower and never fails.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "perceptag/core/lattice.hpp"
#include "perceptag/core/weights.hpp"

namespace perceptag {

// Exponentials of the scores that are the same at every position: made once for each change of the weights.
struct Potentials {
    std::vector<double> edge, trigram;     // [L+1, L] and [L+1, L+1, L], or empty
    double edge_top = 0, trigram_top = 0;  // what was taken out, scale included

    // Of a lattice, or of any lattice under some weights. Observed scores are not in it: they differ by position.
    Potentials(const Lattice& x, double scale);
    Potentials(const Weights& weights, double scale);
};

// An event at one position: which pairs (label before, label) it allows. [L+1, L], the start being number L.
struct Mask {
    int t;
    const std::uint8_t* allowed;
};

class ForwardBackward {
  public:
    // Returns log Z; minus infinity if every labelling is forbidden. Lattice and potentials must
    // outlive what is read below.
    double run(const Lattice& x, const Potentials& plain, double scale);
    double run_in_logs(const Lattice& x, double scale);

    // p(y_t = y): [T, L]
    const std::vector<double>& node() const { return node_; }
    // out[t * stride + u * L + y] += p(y_{t-1} = u, y_t = y), for t = 0 in the row of the start, u = L.
    void add_edges(double* out, std::size_t stride) const;
    // Likewise for three labels: [L+1, L+1, L].
    void add_trigrams(double* out, std::size_t stride) const;
    // The probability of an event at consecutive positions. Only after `run_in_logs`.
    double probability(std::span<const Mask> event) const;

  private:
    bool run_scaled(const Potentials& plain);
    void prepare(const Potentials& plain);
    bool forward1();
    bool forward2();
    void backward1();
    void backward2();
    void read_nodes();
    void log_forward();
    void log_backward();
    double log_step(const Mask* mask, int t, const double* from, double* to) const;
    double log_score(int t, std::size_t v, std::size_t u, std::size_t y) const;

    const double* edge(int t) const;
    const double* trigram(int t, std::size_t v) const;
    std::size_t states(int t) const;  // of α_t: L, or L·L after the first position of a lattice with trigrams

    const Lattice* x_ = nullptr;
    const Potentials* plain_ = nullptr;
    double scale_ = 1, log_z_ = 0;
    bool in_logs_ = false;
    std::size_t width_ = 0;                 // of one position in alpha_ and beta_
    std::vector<double> potential_;         // P: [T, L]
    std::vector<double> edges_, trigrams_;  // E and its like for trigrams, laid out as the lattice's observed ones
    std::vector<double> alpha_, beta_, b_;  // [T, L] or [T, L, L]; in logarithms there is no b
    std::vector<double> norm_;              // 1 / c_t
    std::vector<double> node_;
};

}  // namespace perceptag

// What passive-aggressive learners, MIRA and AROW need besides scores and moves.
//
//   Δ = Φ(x, toward) − Φ(x, away), as Weights::difference gives it
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "perceptag/core/weights.hpp"
#include "perceptag/search/worker.hpp"

namespace perceptag {

// Δ_i · Δ_j for the differences between one labelling and several others: [K, K].
std::vector<double> gram(const Weights& weights, const Sequence& x, Labelling toward,
                         std::span<const Labelling> others);

// How uncertain each weight is: the diagonal of the covariance of AROW.
class Variances {
  public:
    Variances(const Weights& weights, double variance);

    // Whether there is one for every weight.
    bool fit(const Weights& weights) const;
    // Σ σ_k Δ_k²
    double of(const std::vector<Component>& difference) const;
    // w_k += step σ_k Δ_k, rounded to multiples of `unit`; then 1/σ_k += Δ_k² / gamma.
    void move(Weights& weights, const std::vector<Component>& difference, double step, double gamma, double unit);

    std::vector<double>& block(int i) { return blocks_.at(i); }

  private:
    std::array<std::vector<double>, kBlocks> blocks_;
};

// Like viterbi, but every label that is not the gold one is worth 1 more: this finds wrong labellings with high scores.
double viterbi_with_cost(const Weights& weights, const Sequence& x, const TagDictionary* dictionary, Worker& worker,
                         LabelsOut labels);

}  // namespace perceptag

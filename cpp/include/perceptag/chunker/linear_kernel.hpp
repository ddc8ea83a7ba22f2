// The kernel of degree 1 as a linear model: h_c(x) = Σ_l a_lc + Σ_{f∈x} w_fc, w_fc = Σ_{l∋f} a_lc
#pragma once

#include <vector>

#include "perceptag/chunker/kernel.hpp"

namespace perceptag {

class LinearKernel final : public Scorer {
  public:
    explicit LinearKernel(const SupportVectors& vectors);

    void score(Instance x, ScoreScratch& scratch, double* out) const override;
    int columns() const override { return static_cast<int>(bias_.size()); }
    std::size_t features() const override { return weights_.size() / bias_.size(); }

  private:
    std::vector<double> bias_;     // [columns]
    std::vector<double> weights_;  // [features, columns]
};

}  // namespace perceptag

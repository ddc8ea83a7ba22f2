// The polynomial kernel of degree 1 or 2, expanded into weights of features and pairs of features.
//
//   d = 2:  (m + 1)² = 1 + 3m + 2·C(m, 2), m = |x ∩ x_l|, so
//   h(x) = Σ a_l  +  Σ_{f∈x} w_f  +  Σ_{f<g∈x} w_fg,   w_f = 3 Σ_{l∋f} a_l,   w_fg = 2 Σ_{l∋f,g} a_l
//
// Kudo & Matsumoto (2003), "Fast methods for kernel-based text analysis" (PKE). Their pairs are in
// a trie. Ours are in the row of the rarer feature of the pair, the one that fewer support vectors have: a rare
// feature has few partners, so its row is short.
#pragma once

#include <cstdint>
#include <vector>

#include "perceptag/chunker/kernel.hpp"

namespace perceptag {

class Expansion final : public Scorer {
  public:
    // Pairs whose weight is below `least` in every column are left out; 0 keeps all, and scores are the kernel's.
    Expansion(const SupportVectors& vectors, double least);

    void score(Instance x, ScoreScratch& scratch, double* out) const override;
    int columns() const override { return columns_; }
    std::size_t features() const override { return rank_.size(); }
    std::size_t pairs() const { return partners_.size(); }
    // The weight of a feature (f == g) or a pair.
    double weight(std::size_t f, std::size_t g, int column) const;

  private:
    void expand_row(const SupportVectors& vectors, std::size_t f, double least, std::vector<double>& sums,
                    std::vector<std::int32_t>& touched);

    int columns_;
    std::vector<std::uint32_t> rank_;     // [features] by number of support vectors, the rarest first
    std::vector<double> bias_;            // [columns]
    std::vector<double> single_;          // [features, columns]
    std::vector<std::uint64_t> begin_;    // [features + 1]
    std::vector<std::int32_t> partners_;  // [pairs] of higher rank, sorted within a row
    std::vector<double> weights_;         // [pairs, columns]
};

}  // namespace perceptag

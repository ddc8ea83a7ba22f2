// The inverted index made ready to tag: read-only, and dense where features are frequent.
//
// A few features (capital letter, common tags, short patterns) are in a large part of all support vectors and make up
// most of the postings that an instance visits. They become rows of bytes, one for each support vector, that are
// added up with vector instructions; the others stay postings. Scores are exactly those of the support vectors.
#pragma once

#include <cstdint>
#include <vector>

#include "perceptag/chunker/kernel.hpp"

namespace perceptag {

class DenseIndex final : public Scorer {
  public:
    static constexpr std::size_t kMaxFeatures = 255;  // of a support vector: common features are counted in bytes

    explicit DenseIndex(const SupportVectors& vectors);

    void score(Instance x, ScoreScratch& scratch, double* out) const override;
    int columns() const override { return columns_; }
    std::size_t features() const override { return row_.size(); }
    std::size_t rows() const { return rows_.size() / (width_ ? width_ : 1); }

  private:
    int columns_, degree_;
    std::size_t width_;                    // support vectors, rounded up
    std::vector<std::int32_t> row_;        // [features] number of the row of a frequent feature, or -1
    std::vector<std::uint8_t> rows_;       // [frequent features, width] 1 where the support vector has the feature
    std::vector<std::uint32_t> begin_;     // [features + 1]
    std::vector<std::uint32_t> postings_;  // of the other features
    std::vector<double> coefficients_;     // [columns, width]
};

}  // namespace perceptag

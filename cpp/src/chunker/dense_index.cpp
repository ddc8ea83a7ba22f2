#include "perceptag/chunker/dense_index.hpp"

#include <algorithm>
#include <stdexcept>

#include "perceptag/core/dispatch.hpp"
#include "perceptag/core/integers.hpp"

namespace perceptag {
namespace {

constexpr std::size_t kRound = 64;     // rows of bytes are whole cache lines
constexpr std::size_t kTile = 512;     // support vectors that are summed up at a time
constexpr std::size_t kFrequent = 16;  // a row of bytes costs about as much as postings for 1 in 16 vectors

PERCEPTAG_CLONES
void add_row(std::uint8_t* counts, const std::uint8_t* row, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) counts[i] = static_cast<std::uint8_t>(counts[i] + row[i]);
}

// out[c] = Σ_l a[c][l] (counts_l + 1)^degree. n is a multiple of kLanes.
PERCEPTAG_CLONES
void weigh(const std::uint8_t* counts, const double* a, std::size_t n, int degree, std::size_t columns, double* out) {
    double base[kTile], power[kTile];
    for (std::size_t l = 0; l < n; l += kTile) {
        const std::size_t m = std::min(kTile, n - l);
        for (std::size_t i = 0; i < m; ++i) power[i] = base[i] = static_cast<double>(counts[l + i] + 1);
        for (int d = 1; d < degree; ++d)
            for (std::size_t i = 0; i < m; ++i) power[i] *= base[i];
        for (std::size_t c = 0; c < columns; ++c) {
            const double* column = a + c * n + l;
            double sums[kLanes] = {};
            for (std::size_t i = 0; i < m; i += kLanes)
                for (std::size_t lane = 0; lane < kLanes; ++lane) sums[lane] += column[i + lane] * power[i + lane];
            for (const double sum : sums) out[c] += sum;
        }
    }
}

}  // namespace

DenseIndex::DenseIndex(const SupportVectors& vectors)
    : columns_(vectors.columns()),
      degree_(vectors.degree()),
      width_((vectors.size() + kRound - 1) / kRound * kRound),
      row_(vectors.features(), -1),
      begin_{0} {
    if (vectors.longest() > kMaxFeatures) throw std::invalid_argument("a support vector has more than 255 features");
    for (std::size_t f = 0; f < vectors.features(); ++f) {
        const auto& postings = vectors.postings(f);
        if (postings.size() * kFrequent > width_) {
            row_[f] = to_int32(rows());
            rows_.resize(rows_.size() + width_, 0);
            for (const std::uint32_t l : postings) rows_[rows_.size() - width_ + l] = 1;
        } else {
            postings_.insert(postings_.end(), postings.begin(), postings.end());
        }
        begin_.push_back(to_uint32(postings_.size()));
    }
    coefficients_.assign(columns_ * width_, 0.0);
    for (int c = 0; c < columns_; ++c)
        for (std::size_t l = 0; l < vectors.size(); ++l) coefficients_[c * width_ + l] = vectors.coefficient(l, c);
}

void DenseIndex::score(Instance x, ScoreScratch& scratch, double* out) const {
    scratch.bytes.assign(width_, 0);
    // Bytes may alias anything, so what does not change is kept in locals.
    std::uint8_t* const counts = scratch.bytes.data();
    const std::uint32_t* const postings = postings_.data();
    for (const std::int32_t id : x) {
        const std::size_t f = id;
        if (row_[f] >= 0) add_row(counts, rows_.data() + row_[f] * width_, width_);
        const std::uint32_t *p = postings + begin_[f], *const end = postings + begin_[f + 1];
        for (; p != end; ++p) ++counts[*p];
    }
    std::fill(out, out + columns_, 0.0);
    weigh(counts, coefficients_.data(), width_, degree_, columns_, out);
}

}  // namespace perceptag

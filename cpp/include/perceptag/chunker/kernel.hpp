// Kernel perceptrons in dual form: support vectors, and scores through an inverted index.
//
//   h_c(x) = Σ_l a_lc (|x ∩ x_l| + 1)^d
//
// Instances are sets of feature ids. Several functions share their support vectors; each has a column of
// coefficients. Coefficients are whole numbers, so sums in double are exact in any order up to 2^53.
//
// Freund & Schapire (1999); inverted index: Kudo & Matsumoto (2003), "Fast methods for kernel-based text
// analysis" (PKI).
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

namespace perceptag {

using Instance = std::span<const std::int32_t>;  // feature ids without repetition

// Scratch memory of one thread.
struct ScoreScratch {
    std::vector<std::uint16_t> counts;  // [support vectors] common features
    std::vector<std::uint8_t> bytes;    // the same where they are few
    std::vector<std::int32_t> sorted;   // the instance
};

// Scores an instance for several functions at once.
class Scorer {
  public:
    virtual ~Scorer() = default;
    virtual int columns() const = 0;
    virtual std::size_t features() const = 0;
    // out[columns]
    virtual void score(Instance x, ScoreScratch& scratch, double* out) const = 0;
};

class SupportVectors final : public Scorer {
  public:
    SupportVectors(std::size_t features, int columns, int degree);

    // The function `column` moves by sign·x. An instance that is there already keeps its place.
    void add(Instance x, int column, int sign);
    // Every function has taken this number of decisions since the last move.
    void tick(std::int64_t decisions) { clock_ += static_cast<double>(decisions); }
    void score(Instance x, ScoreScratch& scratch, double* out) const override;
    // The kernel of a sorted instance and one support vector.
    double kernel(Instance sorted, std::size_t row) const;

    // Voted coefficients: Σ over all vectors of (decisions survived)·(coefficients). With s_l added when n_l
    // decisions had been taken, of N in the end, that is a_l = s_l·(N − n_l). Vectors whose coefficients are all zero
    // are dropped. The clock of the result is N (of `frozen`: 1), so coefficient / clock is what a vector counts on
    // average.
    SupportVectors averaged() const;
    SupportVectors frozen() const;

    int columns() const override { return columns_; }
    std::size_t features() const override { return postings_.size(); }
    int degree() const { return degree_; }
    std::size_t size() const { return begin_.size() - 1; }
    double clock() const { return clock_; }
    // Features of the largest support vector.
    std::size_t longest() const;
    Instance row(std::size_t i) const { return {ids_.data() + begin_[i], begin_[i + 1] - begin_[i]}; }
    double coefficient(std::size_t i, std::size_t column) const { return coefficients_[column][i]; }
    const std::vector<std::uint32_t>& postings(std::size_t feature) const { return postings_[feature]; }

    // Everything as arrays: begin [n + 1], features, coefficients [columns, n], moments (as coefficients).
    struct Arrays {
        std::vector<std::uint64_t> begin;
        std::vector<std::int32_t> ids;
        std::vector<double> coefficients, moments;
    };
    Arrays arrays() const;
    // `moments` may be empty. Numbers out of range are an invalid_argument.
    void load(std::span<const std::uint64_t> begin, Instance ids, std::span<const double> coefficients,
              std::span<const double> moments, double clock);

  private:
    std::size_t place(Instance sorted);
    std::size_t append(Instance sorted);
    SupportVectors filtered(const std::vector<std::vector<double>>& coefficients) const;

    int columns_, degree_;
    double clock_ = 0;
    std::vector<std::uint64_t> begin_{0};  // [n + 1]
    std::vector<std::int32_t> ids_;        // sorted within a row
    std::vector<std::vector<std::uint32_t>> postings_;
    // [columns][n, rounded up to kLanes]; moments are Σ s_l·n_l
    std::vector<std::vector<double>> coefficients_, moments_;
    std::unordered_multimap<std::uint64_t, std::uint32_t> places_;  // hash of an instance -> row
};

}  // namespace perceptag

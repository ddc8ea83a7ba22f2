// Training of maximum-entropy taggers: the log-likelihood of the gold labels and the expected features.
//
//   P(y | h) = exp Σ_s w_s φ_s(h, y) / Z(h),   h = the observation at a token and the gold labels before it
//
// Every token of the training data is an event. Parameters are doubles, laid out as the weights are: block after
// block, row after row. Results do not depend on the number of threads: every expectation is summed by one thread,
// token after token.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "perceptag/core/corpus.hpp"
#include "perceptag/core/weights.hpp"

namespace perceptag {

struct Evaluation {
    double log_likelihood = 0;        // Σ log P(gold | h)
    std::vector<double> expected;     // Σ_h Σ_y P(y | h) φ_s(h, y), 0 for weights that support leaves out
    std::vector<std::uint8_t> wrong;  // [tokens] whether another label than the gold one is the most probable
};

// The number of parameters.
std::size_t parameters(const Weights& layout);
Evaluation evaluate(const Weights& layout, const Corpus& corpus, std::span<const double> w, int threads);
// The largest Σ_s w_s φ_s(h, y) of any event and label. With w = 1: the constant C of generalised iterative scaling.
double largest_score(const Weights& layout, const Corpus& corpus, std::span<const double> w);

}  // namespace perceptag

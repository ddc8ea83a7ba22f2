// Stochastic gradient ascent on the log-likelihood of a conditional random field, with a step size for each weight.
//
// Duchi, Hazan and Singer (2011), "Adaptive Subgradient Methods for Online Learning and Stochastic Optimization", JMLR
// 12. The prior is shared out among the n sequences that touch a weight, so that a step is as sparse as its sequence
// and a pass sees the whole prior once:
//
//   g = d log p(y | x) / dw − w · precision / n
//   s += g²,   w += rate · g / √s,   then toward 0 by rate · l1 / (n √s), but not beyond
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "perceptag/core/corpus.hpp"
#include "perceptag/linear/likelihood.hpp"

namespace perceptag {

struct AdaGrad {
    double rate;
    double precision;  // 1 / σ² of the Gaussian prior, 0 for none
    double l1;
};

// For each weight of all blocks, one block after the other: how many sequences touch it.
std::vector<double> count_touches(const Weights& weights, const Corpus& corpus);

// One pass over sequences in the given order. `squares` holds s, `touches` n. The clock of the weights ticks after
// every sequence, so that the average of the weights can be read from them.
LogLikelihood adagrad_pass(Weights& weights, const Corpus& corpus, const TagDictionary* dictionary,
                           std::span<const std::int32_t> order, const AdaGrad& step, std::span<const double> touches,
                           std::span<double> squares);

}  // namespace perceptag

// Training data with features left out at random: dropout of what is observed.
#pragma once

#include <cstdint>

#include "perceptag/core/corpus.hpp"

namespace perceptag {

// A copy in which each row of order 0 at each token is left out with probability `rate`. What is left out is a function
// of `seed`, the number of the sequence and the place in it, whatever the number of threads.
Corpus thinned(const Corpus& corpus, double rate, std::uint64_t seed, int threads);

}  // namespace perceptag

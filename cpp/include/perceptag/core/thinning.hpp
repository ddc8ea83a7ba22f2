// Training data with features left out at random: dropout of what is observed.
#pragma once

#include <cstdint>
#include <span>

#include "perceptag/core/corpus.hpp"

namespace perceptag {

// A copy in which each row of order 0 at each token, and each row of a span, is left out with probability `rate`. What
// is left out is a function of `seed`, the number of the sequence and the place in it (rows of spans come after those
// of tokens), whatever the number of threads. `numbers`: those that the sequences have in the data that they are a part
// of; none: 0, 1, ...
Corpus thinned(const Corpus& corpus, double rate, std::uint64_t seed, int threads,
               std::span<const std::int64_t> numbers = {});

}  // namespace perceptag

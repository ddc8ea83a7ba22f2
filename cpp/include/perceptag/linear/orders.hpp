// The mean of weights that were trained on the same data in several orders.
#pragma once

#include <span>

#include "perceptag/core/weights.hpp"

namespace perceptag {

// Sets weights, sums and the clock to the mean of others of the same layout, which have seen equally many examples. So
// the average of the mean is the mean of the averages.
void set_mean(Weights& to, std::span<const Weights* const> of);

}  // namespace perceptag

// What is wrong with the data, not with the caller: there is more of it than the core can number.
#pragma once

#include <stdexcept>

namespace perceptag {

struct LimitExceeded : std::length_error {
    using std::length_error::length_error;
};

}  // namespace perceptag

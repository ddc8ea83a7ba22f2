// An error of the data, not of the caller: there is more data than the core can number.
#pragma once

#include <stdexcept>

namespace perceptag {

struct LimitExceeded : std::length_error {
    using std::length_error::length_error;
};

}  // namespace perceptag

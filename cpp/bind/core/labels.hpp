// A labelling on its way between Python and the core: cheap to compare, a numpy array on request.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <vector>

#include "perceptag/core/features.hpp"

namespace perceptag {

struct Labels {
    std::vector<std::int32_t> y;  // [T]

    bool operator==(const Labels& other) const = default;
    // For the core, which trusts its callers.
    Labelling checked(const Sequence& x, int labels) const {
        if (std::ssize(y) != x.T) throw std::invalid_argument("expected one label for each token");
        for (const std::int32_t label : y)
            if (label < 0 || label >= labels) throw std::invalid_argument("a label is out of range");
        return y;
    }
};

}  // namespace perceptag

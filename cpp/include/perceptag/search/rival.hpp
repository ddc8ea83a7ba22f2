// The best labelling with another label at a token than a given one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "perceptag/core/label_difference.hpp"

namespace perceptag {

struct Rival {
    std::vector<std::int32_t> labels;  // [T], or empty if no other label is possible
    double margin = 0;                 // by how much it is worse than the given labelling
    LabelDifference where{0, 0};       // from the given labelling
};

struct Rivals {
    std::vector<Rival> found;  // [T]
    std::size_t steps = 0;     // how far they were traced, for tests of how cost grows
};

}  // namespace perceptag

// Which labels can open or close a mention, given the transitions that constraints leave.
#pragma once

#include <cstdint>
#include <vector>

#include "perceptag/core/weights.hpp"
#include "perceptag/document/mentions.hpp"

namespace perceptag {

struct LabelRoles {
    std::vector<std::uint8_t> opens;         // [L] may be the first label of a mention
    std::vector<std::uint8_t> opens_single;  // [L] … of a mention of one token
    std::vector<std::uint8_t> opens_longer;  // [L] … of a longer one
    std::vector<std::uint8_t> closes;        // [L] may be the last label of a mention
};

LabelRoles label_roles(const LabelReading& reading, const Weights& weights);

}  // namespace perceptag

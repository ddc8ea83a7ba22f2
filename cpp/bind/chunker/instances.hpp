// Instances that come from Python: checked, because the core trusts its callers.
#pragma once

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "core/arrays.hpp"

namespace perceptag {

inline std::vector<std::int32_t> instance(const Array1<std::int32_t>& x, std::size_t features) {
    std::vector<std::int32_t> ids(x.data(), x.data() + x.shape(0));
    std::sort(ids.begin(), ids.end());
    if (std::adjacent_find(ids.begin(), ids.end()) != ids.end())
        throw std::invalid_argument("expected different features in an instance, found one twice");
    if (!ids.empty() && (ids.front() < 0 || !is_index(ids.back(), features)))
        throw std::invalid_argument("a feature is out of range");
    return ids;
}

}  // namespace perceptag

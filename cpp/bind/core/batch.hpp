// A batch of sequences as Python gives it.
#pragma once

#include <vector>

#include "core/arrays.hpp"
#include "perceptag/core/corpus.hpp"

namespace perceptag {

using Ids = Array1<std::int32_t>;

// Checks every number that the core will trust.
Batch make_batch(const std::vector<const TypeTable*>& tables, const std::vector<Ids>& columns,
                 std::span<const std::int32_t> begin, std::span<const std::int32_t> labels,
                 std::span<const std::int32_t> closed);

}  // namespace perceptag

// A batch for a predictor as Python gives it.
#pragma once

#include <vector>

#include "core/batch.hpp"
#include "perceptag/linear/predictor.hpp"

namespace perceptag {

// Checks every number that the predictor will trust. The tables are its own, but for columns that are computed.
Batch checked_batch(const Predictor& predictor, const TagDictionary* dictionary,
                    const std::vector<const TypeTable*>& tables, const std::vector<Ids>& columns, const Ids& begin,
                    const Ids& closed);

}  // namespace perceptag

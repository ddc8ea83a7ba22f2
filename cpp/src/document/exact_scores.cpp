#include "perceptag/document/exact_scores.hpp"

namespace perceptag {

bool has_exact_scores(const Weights& weights) {
    for (int b = 0; b <= kSpanBlock; ++b) {
        const Block& block = weights.block(b);
        for (std::size_t i = 0; i < block.size(); ++i)
            if (const float w = block.get(i); w != kForbiddenScore && !is_on_grid(w)) return false;
    }
    for (int y = 0; y < weights.L(); ++y)
        if (!is_on_grid(weights.preferred(y))) return false;
    return true;
}

}  // namespace perceptag

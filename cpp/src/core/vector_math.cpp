#include "perceptag/core/vector_math.hpp"

namespace perceptag {

PERCEPTAG_CLONES void add_vector(float* out, const float* row, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) out[i] += row[i];
}

PERCEPTAG_CLONES void add_scaled(float* out, const float* row, float amount, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) out[i] += amount * row[i];
}

}  // namespace perceptag

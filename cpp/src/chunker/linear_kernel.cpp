#include "perceptag/chunker/linear_kernel.hpp"

#include <algorithm>
#include <stdexcept>

namespace perceptag {

LinearKernel::LinearKernel(const SupportVectors& vectors)
    : bias_(vectors.columns()), weights_(vectors.features() * bias_.size()) {
    if (vectors.degree() != 1) throw std::invalid_argument("expected a kernel of degree 1");
    const std::size_t C = bias_.size();
    for (std::size_t c = 0; c < C; ++c) {
        for (std::size_t l = 0; l < vectors.size(); ++l) bias_[c] += vectors.coefficient(l, c);
        for (std::size_t f = 0; f < vectors.features(); ++f)
            for (const std::uint32_t l : vectors.postings(f)) weights_[f * C + c] += vectors.coefficient(l, c);
    }
}

void LinearKernel::score(Instance x, ScoreScratch&, double* out) const {
    const std::size_t C = bias_.size();
    std::copy(bias_.begin(), bias_.end(), out);
    for (const std::int32_t f : x)
        for (std::size_t c = 0; c < C; ++c) out[c] += weights_[f * C + c];
}

}  // namespace perceptag

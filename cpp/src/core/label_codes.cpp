#include "perceptag/core/label_codes.hpp"

#include <stdexcept>
#include <string>

#include "perceptag/core/limits.hpp"

namespace perceptag {

void require_labels(int order, int L) {
    if (L < 1) throw std::invalid_argument("a model needs at least one label");
    if (L > kMaxLabels) throw LimitExceeded("a model has at most " + std::to_string(kMaxLabels) + " labels");
    if (order == 2 && L > kMaxTrigramLabels)
        throw LimitExceeded("with features of three labels (y-2 y-1 y0) a model has at most " +
                            std::to_string(kMaxTrigramLabels) + " labels");
}

}  // namespace perceptag

#include "perceptag/core/span_labels.hpp"

#include <algorithm>
#include <stdexcept>

#include "perceptag/core/integers.hpp"

namespace perceptag {

void SpanLabels::check(int L) const {
    if (longest < 1 || longest > kLongestSpan) throw std::invalid_argument("longest: expected a number from 1 to 64");
    if (std::ssize(kind) != L || std::ssize(letter) != L)
        throw std::invalid_argument("spans: expected a type and a letter for each label");
    for (int y = 0; y < L; ++y) {
        const bool is_outside = letter[y] == Letter::kOutside;
        if (letter[y] > Letter::kSingle || (is_outside ? kind[y] != -1 : !is_index(kind[y], classes)))
            throw std::invalid_argument("spans: expected labels of the scheme IOBES");
    }
}

std::size_t SpanLabels::states() const {
    std::size_t found = 0;
    for (const Letter one : letter)
        found += one == Letter::kInside ? std::max(1, longest - 1) : one == Letter::kEnd ? longest : 1;
    return found;
}

}  // namespace perceptag

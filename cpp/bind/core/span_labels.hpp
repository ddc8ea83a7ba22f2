// Labels of spans as Python gives them.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <vector>

#include "perceptag/core/span_labels.hpp"

namespace perceptag {

// `kind`: the type of each label, -1 for O; `letter`: 0 to 4 for O, B, I, E and S.
inline SpanLabels make_span_labels(std::vector<std::int32_t> kind, const std::vector<int>& letter, int classes,
                                   int longest) {
    SpanLabels made{longest, classes, std::move(kind), {}};
    for (const int one : letter) {
        if (one < 0 || one > static_cast<int>(Letter::kSingle)) throw std::invalid_argument("letter: expected 0 to 4");
        made.letter.push_back(static_cast<Letter>(one));
    }
    made.check(static_cast<int>(made.kind.size()));
    return made;
}

}  // namespace perceptag

// Where two labellings of a sequence differ.
#pragma once

#include <algorithm>

#include "perceptag/core/integers.hpp"
#include "perceptag/core/label_codes.hpp"

namespace perceptag {

struct LabelDifference {
    int begin, end;  // the first token with another label, and the one after the last; both T if all are equal
};

inline LabelDifference where_they_differ(Labelling one, Labelling other) {
    const auto begin = std::ranges::mismatch(one, other).in1 - one.begin();
    auto end = std::ssize(one);
    while (end > begin && one[end - 1] == other[end - 1]) --end;
    return {to_int32(begin), to_int32(end)};
}

}  // namespace perceptag

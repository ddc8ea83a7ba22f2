#include "perceptag/document/mentions.hpp"

#include "perceptag/core/integers.hpp"

namespace perceptag {

void read_mentions(const LabelReading& reading, std::span<const std::int32_t> labels, std::vector<Mention>& found,
                   int first) {
    found.clear();
    int start = -1, kind = -1, before = kOutside;
    const auto T = to_int32(labels.size());
    for (int t = 0; t <= T; ++t) {
        const int tag = t < T ? reading.tag[labels[t]] : kOutside;
        const int now = t < T ? reading.kind[labels[t]] : -1;
        const bool opens = tag != kOutside && (always_opens(tag) || now != kind || always_ends(before));
        if (start >= 0 && (tag == kOutside || opens)) {
            found.push_back({first + start, first + t, kind});
            start = -1;
        }
        if (opens) start = t;
        kind = now;
        before = tag;
    }
}

}  // namespace perceptag

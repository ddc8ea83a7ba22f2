// How labels of the scheme IOBES make spans, for features that look at whole spans.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "perceptag/core/label_codes.hpp"

namespace perceptag {

constexpr int kLongestSpan = 64;

enum class Letter : std::uint8_t { kOutside, kBegin, kInside, kEnd, kSingle };

struct SpanLabels {
    int longest = 0;                 // words of a span that has features; longer ones have none
    int classes = 0;                 // types of spans
    std::vector<std::int32_t> kind;  // [L] the type of each label, -1 for O
    std::vector<Letter> letter;      // [L]

    bool empty() const { return kind.empty(); }
    bool operator==(const SpanLabels&) const = default;

    // Throws unless every label has a letter, and a type if it is not O.
    void check(int L) const;

    // How many states labels have that know the length of their span (search/length_states.hpp).
    std::size_t states() const;

    // Calls visit(start, length, kind) for the spans of labels[first .. last) that have features, from left to right.
    // Labels that break the scheme make no span.
    template <class Visit>
    void for_each(Labelling labels, int first, int last, Visit visit) const {
        int start = -1;  // of the open span
        for (int t = first; t < last; ++t) {
            const std::int32_t y = labels[t];
            const bool continues = start >= 0 && kind[y] == kind[labels[start]];
            switch (letter[y]) {
                case Letter::kSingle:
                    visit(t, 1, kind[y]);
                    [[fallthrough]];
                case Letter::kOutside:
                    start = -1;
                    break;
                case Letter::kBegin:
                    start = t;
                    break;
                case Letter::kInside:
                    start = continues ? start : -1;
                    break;
                case Letter::kEnd:
                    if (continues && t + 1 - start <= longest) visit(start, t + 1 - start, kind[y]);
                    start = -1;
            }
        }
    }
};

}  // namespace perceptag

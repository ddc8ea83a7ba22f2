// The features of all spans of one sequence, as rows of weights.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace perceptag {

// Rows of words [start, start + length): rows[begin[i] .. begin[i + 1]) with i = start · longest + length - 1. Spans
// that the sequence has no room for have none.
struct SpanRows {
    int longest = 0;                  // 0: the model has no features of spans
    std::vector<std::int32_t> rows;   // may name a row twice, which then counts twice
    std::vector<std::int64_t> begin;  // [T · longest + 1]

    bool empty() const { return longest == 0; }
    std::span<const std::int32_t> at(int start, int length) const {
        const std::size_t i = static_cast<std::size_t>(start) * longest + length - 1;
        return {rows.data() + begin[i], rows.data() + begin[i + 1]};
    }
    void clear() {
        longest = 0;
        rows.clear();
        begin.clear();
    }
};

// Scratch memory of the look-up.
struct SpanScratch {
    std::vector<std::int32_t> values;                 // [reads, T + 2·padding]
    std::vector<std::vector<std::int32_t>> by_token;  // [templates] rows at each token of those that need only one
    std::vector<std::int32_t> nodes;                  // [trees] of the words of a span
    std::vector<std::int32_t> key;                    // the values of one template
    std::vector<std::uint64_t> tried[2];              // [T] templates that a span from here, or up to here, may have
    int stride = 0;
};

}  // namespace perceptag

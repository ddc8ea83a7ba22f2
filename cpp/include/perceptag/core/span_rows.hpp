// The features of all spans of one sequence, as rows of weights.
#pragma once

#include <array>
#include <cstddef>
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

// What a template of spans depends on: where a span starts, where it ends, both, a word inside, or its length.
enum class SpanReach : std::uint8_t { kStart, kEnd, kWhole, kAnyWord, kLength };
constexpr std::size_t kSpanReaches = 5;

// The same rows, each once: a row that depends on one word is that of all spans with that word.
struct SpanHits {
    struct Hit {
        std::int32_t place;  // the word; of kLength: the length less 1; of kWhole: the number of the span in SpanRows
        std::int32_t row;
        std::int32_t number;  // of the template
    };
    int longest = 0;
    std::array<std::vector<Hit>, kSpanReaches> by_reach;  // of each, by rising template

    std::vector<Hit>& of(SpanReach reach) { return by_reach[static_cast<std::size_t>(reach)]; }
    const std::vector<Hit>& of(SpanReach reach) const { return by_reach[static_cast<std::size_t>(reach)]; }
};

// Scratch memory of the look-up, and what it finds.
struct SpanScratch {
    static constexpr std::size_t kMuch = 1 << 22;  // numbers of a long sequence, whose memory is not kept

    struct Span {
        std::int32_t start, length;
    };
    std::vector<std::int32_t> values;              // [reads, T + 2·padding]
    std::vector<std::int32_t> nodes;               // [trees] of the words of a span
    std::vector<std::int32_t> key;                 // the values of one template
    std::vector<std::uint64_t> tried[2];           // [T] templates that a span from here, or up to here, may have
    std::vector<std::vector<std::int32_t>> paths;  // [trees][T · longest] the nodes of spans that are in the tree
    std::vector<std::vector<Span>> spans;          // [templates] those to look up
    // Of one template: where its values for the first word stand, the keys of its features, their rows.
    std::vector<const std::int32_t*> fields;
    std::vector<std::uint64_t> keys;
    std::vector<std::int32_t> rows;
    SpanHits hits;
    int stride = 0;

    void release_much() {
        if (values.capacity() + hits.of(SpanReach::kWhole).capacity() > kMuch) *this = {};
    }
};

}  // namespace perceptag

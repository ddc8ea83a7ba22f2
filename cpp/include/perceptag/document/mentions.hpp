// Mentions: the chunks that labels mark.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace perceptag {

// What a label says about the chunk that its token is in.
enum LabelTag : std::int32_t {
    kOutside,   // O
    kOpening,   // the first token
    kInside,    // a later one
    kClosing,   // the last one
    kSingle,    // the only one
    kLabelTags  // how many there are
};

struct LabelReading {
    int classes = 0;
    std::vector<std::int32_t> tag;   // [L] a LabelTag
    std::vector<std::int32_t> kind;  // [L] class, or -1 for O
};

// Whether a token with this tag is the first of a chunk, whatever comes before it.
constexpr bool always_opens(std::int32_t tag) { return tag == kOpening || tag == kSingle; }

// Whether the next token cannot be in the same chunk.
constexpr bool always_ends(std::int32_t tag) { return tag == kOutside || tag == kClosing || tag == kSingle; }

struct Mention {
    int start, end, kind;
    bool operator==(const Mention&) const = default;
};

// Places are counted from `first` on.
void read_mentions(const LabelReading& reading, std::span<const std::int32_t> labels, std::vector<Mention>& found,
                   int first = 0);

}  // namespace perceptag

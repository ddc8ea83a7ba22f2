// What a run of characters looks like as a whole: a web address, a handle, a date …
//
// These are hints for features, not rules: a model learns from its data what to do with each kind.
#pragma once

#include <cstdint>
#include <span>

#include "perceptag/tokenizer/alphabet.hpp"

namespace perceptag {

enum class RunKind : std::uint8_t {
    Other,
    Word,        // letters only
    WebAddress,  // https://a.org, www.a.org
    Mail,        // ann@a.org
    At,          // ANN/ORG@place
    Handle,      // @ann
    Hashtag,     // #spring
    Decimal,     // 1.5, 1,000
    Version,     // 1.2.3, v1.2, Python3.11
    Time,        // 10:30
    Slashed,     // 1/2
    Date,        // 2023-10-02, 10/2/2023, 713-853-3989
    Dashed,      // 10-12
    Numbers,     // 1:2-3, numbers with several separators
    File,        // notes.txt, a.org
    Joined,      // today.It
    Initials,    // U.S.A, p.m
    Measure,     // 10km
    Code,        // sx40
    Hyphened,    // well-known
    Hyphens,     // state-of-the-art
    Markup,      // <b>Cook</b
    Path,        // /usr/bin, C:\a
    Pin,         // perceptag==1.0
    Symbols,     // emoji
    Amount,      // $5.76, 25%
};

// The core of a run is what remains without brackets, quotes and marks around it.
struct RunShape {
    RunKind kind = RunKind::Other;
    std::int32_t core_begin = 0, core_end = 0;  // offsets in the run
};

RunShape shape_of(std::span<const std::uint32_t> codes, std::span<const Character> characters);

}  // namespace perceptag

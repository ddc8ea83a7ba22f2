// The features of characters, as 64-bit fingerprints.
//
// Inner features of a character look at its run, and at the nearest character of the runs next to it by class only. So
// they are the same wherever the run stands between neighbours of the same classes. Outer features are those of the
// first character of a run: they look at whole runs around, and at the paragraph. Unit features are those of the first
// character of a unit, in a text with known words: they look at units around, and at the words that these may form.
//
// A fingerprint is not exact: two features may have the same one, and then share their weights. Among a million
// features the chance that any two do is one in 36 million.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "perceptag/tokenizer/runs.hpp"

namespace perceptag {

inline constexpr std::size_t kInner = 44, kOuter = 52;
// Further features of an informed text (RunText::informed), which follow the others.
inline constexpr std::size_t kMoreInner = 9, kMoreOuter = 15;
inline constexpr std::size_t kOfUnit = 38;

// Fingerprints of the parts of one run, up to each of its characters and from there on.
struct RunParts {
    std::vector<std::uint64_t> before, from;  // small letters
    std::vector<std::uint64_t> shape_before, shape_from;
};

// What inner features see of the runs next to a run: classes, kCharacterClasses where the paragraph ends.
struct Neighbours {
    std::uint64_t previous, next;
};

Neighbours neighbours(const RunText& text, std::size_t run);
void find_parts(const RunText& text, const Run& run, RunParts& parts);
// Inner features of the character at offset `t` of the run.
void inner_features(const RunText& text, const Run& run, const RunParts& parts, const Neighbours& around,
                    std::int64_t t, std::span<std::uint64_t, kInner> out);
void outer_features(const RunText& text, std::size_t run, std::span<std::uint64_t, kOuter> out);
void more_inner_features(const RunText& text, const Run& run, const Neighbours& around, std::int64_t t,
                         std::span<std::uint64_t, kMoreInner> out);
void more_outer_features(const RunText& text, std::size_t run, std::span<std::uint64_t, kMoreOuter> out);

void unit_features(const RunText& text, std::size_t unit, std::span<std::uint64_t, kOfUnit> out);

// All features of one character.
class CharacterFeatures {
  public:
    std::span<const std::uint64_t> inner(const RunText& text, const Run& run, const RunParts& parts,
                                         const Neighbours& around, std::int64_t t) {
        const std::span<std::uint64_t, kInner + kMoreInner> all(keys_.data(), kInner + kMoreInner);
        inner_features(text, run, parts, around, t, all.first<kInner>());
        if (!text.informed) return all.first<kInner>();
        more_inner_features(text, run, around, t, all.last<kMoreInner>());
        return all;
    }
    std::span<const std::uint64_t> outer(const RunText& text, std::size_t run) {
        const std::span<std::uint64_t, kOuter + kMoreOuter> all(keys_.data(), kOuter + kMoreOuter);
        outer_features(text, run, all.first<kOuter>());
        if (!text.informed) return all.first<kOuter>();
        more_outer_features(text, run, all.last<kMoreOuter>());
        return all;
    }
    // Of the character at place `i` of the text.
    std::span<const std::uint64_t> unit(const RunText& text, std::int64_t i) {
        if (!text.is_lexical() || text.unit_at[i] < 0) return {};
        const auto all = std::span(keys_).first<kOfUnit>();
        unit_features(text, text.unit_at[i], all);
        return all;
    }

  private:
    static constexpr std::size_t kMost = std::max(kInner + kMoreInner, kOuter + kMoreOuter);
    std::array<std::uint64_t, kMost> keys_;
};

}  // namespace perceptag

// A set of characters: a bit for each one of ASCII, ranges of code points for the others.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

namespace perceptag {

class CharacterSet {
  public:
    // Ranges with both ends, sorted, none of which touch.
    explicit CharacterSet(std::vector<std::pair<std::uint32_t, std::uint32_t>> ranges) : ranges_(std::move(ranges)) {
        for (std::uint32_t code = 0; code < 128; ++code)
            if (is_in_ranges(code)) ascii_[code / 64] |= std::uint64_t{1} << code % 64;
    }
    bool has(std::uint32_t code) const { return code < 128 ? ascii_[code / 64] >> code % 64 & 1 : is_in_ranges(code); }
    bool has_beyond_ascii() const { return !ranges_.empty() && ranges_.back().second >= 128; }

  private:
    bool is_in_ranges(std::uint32_t code) const {
        const auto after = std::ranges::upper_bound(ranges_, code, {}, [](const auto& range) { return range.first; });
        return after != ranges_.begin() && code <= std::prev(after)->second;
    }
    std::array<std::uint64_t, 2> ascii_{};
    std::vector<std::pair<std::uint32_t, std::uint32_t>> ranges_;
};

// Whether a character is of a word of ASCII, as \w and \b understand it.
constexpr bool is_word_character(std::uint32_t code) {
    return (code >= '0' && code <= '9') || (code >= 'a' && code <= 'z') || (code >= 'A' && code <= 'Z') || code == '_';
}

}  // namespace perceptag

// What must hold for the arrays of a model file before they are used.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "perceptag/core/integers.hpp"

namespace perceptag {

// Whether no number is NaN or further from zero than `limit`.
inline bool are_within(std::span<const float> values, float limit) {
    bool are = true;  // without a branch for each: files are almost always right
    for (const float value : values) are &= std::abs(value) <= limit;
    return are;
}

// Whether each number is larger than the one before it.
template <class Number>
bool are_rising(std::span<const Number> numbers) {
    bool are = true;
    for (std::size_t i = 1; i < numbers.size(); ++i) are &= numbers[i] > numbers[i - 1];
    return are;
}

// Whether each row of this many numbers has one that is not zero.
inline bool has_no_empty_row(std::span<const float> values, std::size_t width) {
    if (width == 0) throw std::invalid_argument("width: expected a number above 0, found 0");
    for (std::size_t first = 0; first + width <= values.size(); first += width) {
        bool is_empty = true;
        for (const float value : values.subspan(first, width)) is_empty &= value == 0;
        if (is_empty) return false;
    }
    return true;
}

// Whether no number is larger than the one before it, and the last is above 0.
inline bool are_falling(std::span<const std::uint32_t> numbers) {
    for (std::size_t i = 1; i < numbers.size(); ++i)
        if (numbers[i] > numbers[i - 1]) return false;
    return numbers.empty() || numbers.back() > 0;
}

// Whether a text has a phrase on each line, its words separated by single spaces.
inline bool are_phrases(std::string_view text) {
    bool is_between = true;  // whether a word must follow
    for (const char c : text) {
        const bool is_separator = c == ' ' || c == '\n';
        if (is_separator && is_between) return false;
        is_between = is_separator;
    }
    return text.empty() || !is_between;
}

// What JSON has, counted without parsing it: its values, empty lists twice, and its levels.
struct JsonExtent {
    std::size_t values = 1, levels = 0;
};

inline JsonExtent json_extent(std::string_view text) {
    JsonExtent found;
    std::size_t level = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (c == '"') {
            for (++i; i < text.size() && text[i] != '"'; ++i)
                if (text[i] == '\\') ++i;
        } else if (c == '[' || c == '{') {
            ++found.values;
            found.levels = std::max(found.levels, ++level);
        } else if (c == ']' || c == '}') {
            if (level > 0) --level;
        } else if (c == ',') {
            ++found.values;
        }
    }
    return found;
}

}  // namespace perceptag

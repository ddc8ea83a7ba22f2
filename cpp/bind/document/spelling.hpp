// How a word is spelled, as columns that are computed from documents see it.
#pragma once

#include <algorithm>
#include <span>
#include <string>
#include <string_view>

#include "core/arrays.hpp"
#include "perceptag/text/ascii.hpp"
#include "text/numbers.hpp"

namespace perceptag {

struct Spelling {
    std::string lower;
    bool is_capital;
};

// Python knows letters that are not ASCII.
inline Spelling spelling_of(std::string_view text, nb::handle value) {
    if (is_ascii(text)) {
        std::string lower(text);
        std::ranges::transform(lower, lower.begin(), to_lower);
        return {lower, !text.empty() && is_upper(text[0])};
    }
    const nb::object first = value[nb::slice(nb::int_(0), nb::int_(1), nb::int_(1))];
    return {std::string(bytes_of(value.attr("lower")())), nb::cast<bool>(first.attr("isupper")())};
}

// Whether offsets cut `size` things into parts, one after the other.
inline bool is_cut(std::span<const std::int32_t> offsets, std::size_t size) {
    return !offsets.empty() && offsets.front() == 0 && std::ranges::is_sorted(offsets) &&
           static_cast<std::size_t>(offsets.back()) == size;
}

}  // namespace perceptag

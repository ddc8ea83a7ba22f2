// What the columns that are computed from documents need from Python.
#pragma once

#include <algorithm>
#include <span>
#include <string>
#include <string_view>

#include "core/arrays.hpp"
#include "perceptag/document/spelling.hpp"
#include "text/numbers.hpp"

namespace perceptag {

inline Spelling spell_in_python(std::string_view word) {
    const nb::str value(word.data(), word.size());
    const nb::object first = value[nb::slice(nb::int_(0), nb::int_(1), nb::int_(1))];
    return {std::string(bytes_of(value.attr("lower")())), nb::cast<bool>(first.attr("isupper")())};
}

// Whether offsets cut `size` things into parts, one after the other.
inline bool is_cut(std::span<const std::int32_t> offsets, std::size_t size) {
    return !offsets.empty() && offsets.front() == 0 && std::ranges::is_sorted(offsets) &&
           std::cmp_equal(offsets.back(), size);
}

}  // namespace perceptag

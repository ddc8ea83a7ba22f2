// What must hold for the arrays of a model file before they are used.
#pragma once

#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "perceptag/core/integers.hpp"

namespace perceptag {

// Whether no number is NaN or further from zero than `limit`.
inline bool are_within(std::span<const float> values, float limit) {
    for (const float value : values)
        if (!(std::abs(value) <= limit)) return false;
    return true;
}

// Whether each number is larger than the one before it.
inline bool are_rising(std::span<const std::uint32_t> numbers) {
    for (std::size_t i = 1; i < numbers.size(); ++i)
        if (numbers[i] <= numbers[i - 1]) return false;
    return true;
}

// Whether no number is larger than the one before it, and the last is above 0.
inline bool are_falling(std::span<const std::uint32_t> numbers) {
    for (std::size_t i = 1; i < numbers.size(); ++i)
        if (numbers[i] > numbers[i - 1]) return false;
    return numbers.empty() || numbers.back() > 0;
}

// Whether all lists together have every number from 0 on once.
inline bool are_numbers_from_zero(const std::vector<std::span<const std::int32_t>>& lists) {
    std::size_t count = 0;
    for (const auto& list : lists) count += list.size();
    std::vector<bool> seen(count);
    for (const auto& list : lists)
        for (const std::int32_t number : list) {
            if (!is_index(number, count) || seen[number]) return false;
            seen[number] = true;
        }
    return true;
}

}  // namespace perceptag

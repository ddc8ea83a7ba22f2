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
    bool are = true;  // without a branch for each: files are almost always right
    for (const float value : values) are &= std::abs(value) <= limit;
    return are;
}

// Whether each number is larger than the one before it.
inline bool are_rising(std::span<const std::uint32_t> numbers) {
    bool are = true;
    for (std::size_t i = 1; i < numbers.size(); ++i) are &= numbers[i] > numbers[i - 1];
    return are;
}

// Whether no number is larger than the one before it, and the last is above 0.
inline bool are_falling(std::span<const std::uint32_t> numbers) {
    for (std::size_t i = 1; i < numbers.size(); ++i)
        if (numbers[i] > numbers[i - 1]) return false;
    return numbers.empty() || numbers.back() > 0;
}

// Whether there is every number from 0 on once.
inline bool are_numbers_from_zero(std::span<const std::int32_t> numbers) {
    std::vector<bool> seen(numbers.size());
    for (const std::int32_t number : numbers) {
        if (!is_index(number, numbers.size()) || seen[number]) return false;
        seen[number] = true;
    }
    return true;
}

}  // namespace perceptag

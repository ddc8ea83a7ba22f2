// Whole numbers of different types: sizes that become the ids and offsets that are stored, and numbers from outside
// that may be places. Debug builds check that a number fits.
#pragma once

#include <cassert>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace perceptag {

template <std::integral To>
constexpr To narrow(std::integral auto number) {
    assert(std::in_range<To>(number));
    return static_cast<To>(number);
}
constexpr std::int32_t to_int32(std::integral auto number) { return narrow<std::int32_t>(number); }
constexpr std::uint32_t to_uint32(std::integral auto number) { return narrow<std::uint32_t>(number); }

// Whether `number` is the place of one of `size` things.
constexpr bool is_index(std::int64_t number, std::size_t size) { return number >= 0 && std::cmp_less(number, size); }

// Two ids as one number, the key of a hash table.
constexpr std::uint64_t packed(std::int32_t high, std::int32_t low) {
    return static_cast<std::uint64_t>(high) << 32 | static_cast<std::uint32_t>(low);
}

}  // namespace perceptag

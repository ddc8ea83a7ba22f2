// Numbers as planes of bytes: first the lowest byte of each number, then the next byte of each, and so on. The higher
// planes of most arrays are nearly constant, so they take little room when they are compressed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace perceptag {

using Plane = std::span<const std::uint8_t>;

// Writes n numbers of planes.size() bytes to `out`. `are_steps`: each stands for the difference from the one before it.
// Throws unless there are 1, 2, 4 or 8 planes, each with n bytes, or with the one byte that all numbers have.
void join_planes(std::span<const Plane> planes, std::size_t n, bool are_steps, std::uint8_t* out);

// The same for real numbers, which are stored as whole ones of 16 bits times 2^-bits.
void join_grid(std::span<const Plane> planes, std::size_t n, int bits, float* out);

// Whole numbers of 32 bits and as many real ones, in planes.
struct PackedPairs {
    std::vector<Plane> wholes, reals;
    std::size_t n;
    int bits;  // of the real numbers
};

// Calls `put(wholes, reals)` for all pairs, some at a time, so that neither kind needs memory of its own. It throws
// what the functions above throw.
void for_each_piece(const PackedPairs& pairs,
                    const std::function<void(std::span<const std::uint32_t>, std::span<const float>)>& put);

}  // namespace perceptag

#include "perceptag/core/byte_planes.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <stdexcept>

namespace perceptag {
namespace {

constexpr std::size_t kPiece = 1024;  // numbers that are joined at once: they stay in the cache

void check(std::span<const Plane> planes, std::size_t n) {
    for (const Plane& plane : planes)
        if (plane.size() != n && plane.size() != 1) throw std::invalid_argument("expected planes of the same size");
}

void check_grid(std::span<const Plane> planes, std::size_t n) {
    if (planes.size() != 2) throw std::invalid_argument("expected 2 planes");
    check(planes, n);
}

// The numbers of the planes from `first` on, as many as there is room for.
template <class Number>
void read_piece(std::span<const Plane> planes, std::size_t n, std::size_t first, std::span<Number> piece) {
    Number constant = 0;
    for (std::size_t k = 0; k < planes.size(); ++k)
        if (planes[k].size() != n) constant = static_cast<Number>(constant | Number{planes[k][0]} << 8 * k);
    std::ranges::fill(piece, constant);
    for (std::size_t k = 0; k < planes.size(); ++k) {
        if (planes[k].size() != n) continue;
        const std::uint8_t* bytes = planes[k].data() + first;
        for (std::size_t i = 0; i < piece.size(); ++i)
            piece[i] = static_cast<Number>(piece[i] | Number{bytes[i]} << 8 * k);
    }
}

// Calls `put(first, numbers)` for the numbers of the planes, piece by piece.
template <class Number, class Put>
void for_each_piece(std::span<const Plane> planes, std::size_t n, Put put) {
    std::array<Number, kPiece> piece;
    for (std::size_t first = 0; first < n; first += kPiece) {
        const std::span<Number> some = std::span(piece).first(std::min(kPiece, n - first));
        read_piece<Number>(planes, n, first, some);
        put(first, some);
    }
}

void to_reals(std::span<const std::uint16_t> wholes, float unit, float* out) {
    for (std::size_t i = 0; i < wholes.size(); ++i)
        out[i] = static_cast<float>(static_cast<std::int16_t>(wholes[i])) * unit;
}

template <class Number>
void join(std::span<const Plane> planes, std::size_t n, bool are_steps, std::uint8_t* out) {
    Number last = 0;
    for_each_piece<Number>(planes, n, [&](std::size_t first, std::span<Number> numbers) {
        if (are_steps)
            for (Number& number : numbers) number = last = static_cast<Number>(last + number);
        std::memcpy(out + first * sizeof(Number), numbers.data(), numbers.size_bytes());
    });
}

}  // namespace

void join_planes(std::span<const Plane> planes, std::size_t n, bool are_steps, std::uint8_t* out) {
    check(planes, n);
    switch (planes.size()) {
        case 1:
            return join<std::uint8_t>(planes, n, are_steps, out);
        case 2:
            return join<std::uint16_t>(planes, n, are_steps, out);
        case 4:
            return join<std::uint32_t>(planes, n, are_steps, out);
        case 8:
            return join<std::uint64_t>(planes, n, are_steps, out);
        default:
            throw std::invalid_argument("expected 1, 2, 4 or 8 planes");
    }
}

void join_grid(std::span<const Plane> planes, std::size_t n, int bits, float* out) {
    check_grid(planes, n);
    const float unit = std::ldexp(1.0F, -bits);
    for_each_piece<std::uint16_t>(planes, n, [&](std::size_t first, std::span<const std::uint16_t> numbers) {
        to_reals(numbers, unit, out + first);
    });
}

void for_each_piece(const PackedPairs& pairs,
                    const std::function<void(std::span<const std::uint32_t>, std::span<const float>)>& put) {
    if (pairs.wholes.size() != sizeof(std::uint32_t)) throw std::invalid_argument("expected 4 planes");
    check(pairs.wholes, pairs.n);
    check_grid(pairs.reals, pairs.n);
    const float unit = std::ldexp(1.0F, -pairs.bits);
    std::array<std::uint16_t, kPiece> steps;
    std::array<float, kPiece> reals;
    for_each_piece<std::uint32_t>(pairs.wholes, pairs.n, [&](std::size_t first, std::span<const std::uint32_t> wholes) {
        const std::span<std::uint16_t> some = std::span(steps).first(wholes.size());
        read_piece<std::uint16_t>(pairs.reals, pairs.n, first, some);
        to_reals(some, unit, reals.data());
        put(wholes, std::span(reals).first(wholes.size()));
    });
}

}  // namespace perceptag

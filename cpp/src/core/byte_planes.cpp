#include "perceptag/core/byte_planes.hpp"

#include <cmath>
#include <cstring>
#include <stdexcept>

namespace perceptag {
namespace {

void check(std::span<const Plane> planes) {
    for (const Plane& plane : planes)
        if (plane.size() != planes[0].size()) throw std::invalid_argument("expected planes of the same size");
}

template <class Number>
Number at(std::span<const Plane> planes, std::size_t i) {
    std::uint64_t number = 0;
    for (std::size_t k = 0; k < sizeof(Number); ++k) number |= std::uint64_t{planes[k][i]} << 8 * k;
    return static_cast<Number>(number);
}

template <class Number>
void join(std::span<const Plane> planes, bool are_steps, std::uint8_t* out) {
    Number last = 0;
    for (std::size_t i = 0; i < planes[0].size(); ++i) {
        const auto number = at<Number>(planes, i);
        last = static_cast<Number>(are_steps ? last + number : number);
        std::memcpy(out + i * sizeof(Number), &last, sizeof(Number));
    }
}

}  // namespace

void join_planes(std::span<const Plane> planes, bool are_steps, std::uint8_t* out) {
    if (planes.empty()) throw std::invalid_argument("expected 1, 2, 4 or 8 planes");
    check(planes);
    switch (planes.size()) {
        case 1:
            return join<std::uint8_t>(planes, are_steps, out);
        case 2:
            return join<std::uint16_t>(planes, are_steps, out);
        case 4:
            return join<std::uint32_t>(planes, are_steps, out);
        case 8:
            return join<std::uint64_t>(planes, are_steps, out);
        default:
            throw std::invalid_argument("expected 1, 2, 4 or 8 planes");
    }
}

void join_grid(std::span<const Plane> planes, int bits, float* out) {
    if (planes.size() != 2) throw std::invalid_argument("expected 2 planes");
    check(planes);
    const float unit = std::ldexp(1.0F, -bits);
    for (std::size_t i = 0; i < planes[0].size(); ++i)
        out[i] = static_cast<float>(static_cast<std::int16_t>(at<std::uint16_t>(planes, i))) * unit;
}

}  // namespace perceptag

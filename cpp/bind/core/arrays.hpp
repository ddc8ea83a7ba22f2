// Array types that cross the border, and the two ways to hand one over.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstdint>
#include <span>
#include <vector>

#include "perceptag/core/integers.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace perceptag {

template <class T>
using Array1 = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

template <class T>
using Array2 = nb::ndarray<const T, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

template <class T>
std::span<const T> view(const Array1<T>& array) {
    return {array.data(), array.shape(0)};
}

// Moves a vector into a new numpy array.
template <class T>
nb::ndarray<nb::numpy, T, nb::ndim<1>> to_numpy(std::vector<T>&& values) {
    auto* heap = new std::vector<T>(std::move(values));
    nb::capsule owner(heap, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
    return {heap->data(), {heap->size()}, owner};
}

// The same as a matrix with this number of rows.
template <class T>
nb::ndarray<nb::numpy, T, nb::ndim<2>> to_numpy(std::vector<T>&& values, std::size_t rows) {
    const std::size_t columns = values.size() / rows;
    auto* heap = new std::vector<T>(std::move(values));
    nb::capsule owner(heap, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
    return {heap->data(), {rows, columns}, owner};
}

}  // namespace perceptag

// Arrays for Python that does not have numpy loaded: its import takes longer than tagging a file of a megabyte.
#pragma once

#include "core/arrays.hpp"

namespace perceptag {

// Moves a vector into a new memoryview.
template <class T>
nb::ndarray<nb::memview, T, nb::ndim<1>> to_view(std::vector<T>&& values) {
    auto* heap = new std::vector<T>(std::move(values));
    nb::capsule owner(heap, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
    return {heap->data(), {heap->size()}, owner};
}

}  // namespace perceptag

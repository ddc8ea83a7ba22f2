// Places of weights on their way between Python and the core: 32 bits each where that is enough.
#pragma once

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <vector>

#include "core/arrays.hpp"

namespace perceptag {

using AnyPlaces = nb::ndarray<nb::ro, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

inline nb::object places_to_numpy(const std::vector<std::uint64_t>& places) {
    if (!places.empty() && places.back() > std::numeric_limits<std::uint32_t>::max())
        return nb::cast(to_numpy(std::vector<std::uint64_t>(places)));
    return nb::cast(to_numpy(std::vector<std::uint32_t>(places.begin(), places.end())));
}

// Throws unless they ascend.
inline std::vector<std::uint64_t> read_places(const AnyPlaces& array) {
    const std::size_t n = array.shape(0);
    std::vector<std::uint64_t> places(n);
    if (array.dtype() == nb::dtype<std::uint32_t>())
        std::copy_n(static_cast<const std::uint32_t*>(array.data()), n, places.begin());
    else if (array.dtype() == nb::dtype<std::uint64_t>())
        std::copy_n(static_cast<const std::uint64_t*>(array.data()), n, places.begin());
    else
        throw std::invalid_argument("places: expected an array of uint32 or uint64");
    for (std::size_t i = 1; i < n; ++i)
        if (places[i] <= places[i - 1]) throw std::invalid_argument("places: expected ascending numbers");
    return places;
}

}  // namespace perceptag

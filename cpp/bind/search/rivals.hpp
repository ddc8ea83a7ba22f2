// Rivals as Python objects.
#pragma once

#include <utility>

#include "core/arrays.hpp"
#include "core/labels.hpp"
#include "perceptag/search/rival.hpp"

#define PERCEPTAG_RIVALS "tuple[list[tuple[Labels, float, int, int] | None], int]"

namespace perceptag {

// For each token labels, margin and where they differ from the given ones, or None; and the steps.
inline nb::tuple to_python(Rivals rivals) {
    nb::list list;
    for (Rival& rival : rivals.found) {
        nb::object one = nb::none();
        if (!rival.labels.empty())
            one = nb::make_tuple(nb::cast(Labels{std::move(rival.labels)}), rival.margin, rival.where.begin,
                                 rival.where.end);
        list.append(std::move(one));
    }
    return nb::make_tuple(list, rivals.steps);
}

}  // namespace perceptag

#include "perceptag/core/stored_arrays.hpp"

#include "core/arrays.hpp"
#include "core/vectors.hpp"

namespace perceptag {

void bind_stored_arrays(nb::module_& m) {
    m.def(
        "are_within", [](Array1<float> values, float limit) { return are_within(view(values), limit); },
        "values"_a.noconvert(), "limit"_a, "Whether no number is NaN or further from zero than `limit`.");
    m.def(
        "are_rising", [](Array1<std::uint32_t> numbers) { return are_rising(view(numbers)); }, "numbers"_a.noconvert(),
        "Whether each number is larger than the one before it.");
    m.def(
        "are_numbers_from_zero",
        [](const std::vector<Array1<std::int32_t>>& lists) {
            std::vector<std::span<const std::int32_t>> views;
            for (const auto& list : lists) views.push_back(view(list));
            return are_numbers_from_zero(views);
        },
        "lists"_a, "Whether all lists together have every number from 0 on once.");
}

}  // namespace perceptag

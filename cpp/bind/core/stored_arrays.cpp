#include "perceptag/core/stored_arrays.hpp"

#include "core/arrays.hpp"
#include "core/vectors.hpp"
#include "perceptag/core/byte_planes.hpp"
#include "perceptag/core/heap.hpp"

namespace perceptag {
namespace {

std::vector<Plane> views_of(const std::vector<nb::bytes>& planes) {
    std::vector<Plane> views;
    for (const nb::bytes& plane : planes)
        views.emplace_back(reinterpret_cast<const std::uint8_t*>(plane.c_str()), plane.size());
    return views;
}

}  // namespace

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
    m.def(
        "are_falling", [](Array1<std::uint32_t> numbers) { return are_falling(view(numbers)); },
        "numbers"_a.noconvert(), "Whether no number is larger than the one before it, and the last is above 0.");
    m.def("trim_heap", &trim_heap, "Give memory that was freed back to the system, where the C library can do that.");
    m.def(
        "join_planes",
        [](const std::vector<nb::bytes>& planes, bool are_steps) {
            const std::size_t n = planes.empty() ? 0 : planes[0].size();
            nb::bytes out = nb::steal<nb::bytes>(PyBytes_FromStringAndSize(nullptr, planes.size() * n));
            if (!out.is_valid()) throw nb::python_error();
            join_planes(views_of(planes), are_steps, reinterpret_cast<std::uint8_t*>(PyBytes_AS_STRING(out.ptr())));
            return out;
        },
        "planes"_a, "are_steps"_a,
        "Whole numbers, given as planes: the lowest byte of each, then the next byte of each, and so on. `are_steps`: "
        "each stands for the difference from the one before it.");
    m.def(
        "join_grid",
        [](const std::vector<nb::bytes>& planes, int bits) {
            const std::size_t n = planes.empty() ? 0 : planes[0].size();
            nb::bytes out = nb::steal<nb::bytes>(PyBytes_FromStringAndSize(nullptr, sizeof(float) * n));
            if (!out.is_valid()) throw nb::python_error();
            join_grid(views_of(planes), bits, reinterpret_cast<float*>(PyBytes_AS_STRING(out.ptr())));
            return out;
        },
        "planes"_a, "bits"_a, "The same for real numbers, stored as whole ones of 16 bits times 2^-bits.");
}

}  // namespace perceptag

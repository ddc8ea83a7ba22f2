#include "perceptag/core/stored_arrays.hpp"

#include "core/arrays.hpp"
#include "core/vectors.hpp"
#include "perceptag/core/byte_planes.hpp"
#include "perceptag/core/heap.hpp"

namespace perceptag {
namespace {

using Planes = std::vector<Array1<std::uint8_t>>;

// New bytes of this size, which `write(views of the planes, place)` fills.
template <class Write>
nb::bytes joined(const Planes& planes, std::size_t size, Write write) {
    std::vector<Plane> views;
    for (const auto& plane : planes) views.push_back(view(plane));
    nb::bytes out = nb::steal<nb::bytes>(PyBytes_FromStringAndSize(nullptr, static_cast<Py_ssize_t>(size)));
    if (!out.is_valid()) throw nb::python_error();
    char* place = PyBytes_AS_STRING(out.ptr());
    {
        const nb::gil_scoped_release unlocked;
        write(views, place);
    }
    return out;
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
        "are_rising", [](Array1<std::uint64_t> numbers) { return are_rising(view(numbers)); }, "numbers"_a.noconvert());
    m.def(
        "has_no_empty_row",
        [](Array1<float> values, std::size_t width) { return has_no_empty_row(view(values), width); },
        "values"_a.noconvert(), "width"_a, "Whether each row of `width` numbers has one that is not zero.");
    m.def(
        "are_phrases", [](nb::bytes text) { return are_phrases({text.c_str(), text.size()}); }, "text"_a,
        "Whether a text has a phrase on each line, its words separated by single spaces.");
    m.def(
        "json_extent",
        [](nb::bytes text) {
            const JsonExtent found = json_extent({text.c_str(), text.size()});
            return nb::make_tuple(found.values, found.levels);
        },
        nb::sig("def json_extent(text: bytes) -> tuple[int, int]"), "text"_a,
        "How many values JSON has, empty lists counted twice, and how many levels.");
    m.def(
        "are_falling", [](Array1<std::uint32_t> numbers) { return are_falling(view(numbers)); },
        "numbers"_a.noconvert(), "Whether no number is larger than the one before it, and the last is above 0.");
    m.def("trim_heap", &trim_heap, "Give memory that was freed back to the system, where the C library can do that.");
    m.def(
        "join_planes",
        [](const Planes& planes, std::size_t n, bool are_steps) {
            return joined(planes, planes.size() * n, [&](const std::vector<Plane>& views, char* out) {
                join_planes(views, n, are_steps, reinterpret_cast<std::uint8_t*>(out));
            });
        },
        "planes"_a, "n"_a, "are_steps"_a,
        "n whole numbers, given as planes: the lowest byte of each, then the next byte of each, and so on; one byte "
        "stands for n equal ones. `are_steps`: each number stands for the difference from the one before it.");
    m.def(
        "join_grid",
        [](const Planes& planes, std::size_t n, int bits) {
            return joined(planes, sizeof(float) * n, [&](const std::vector<Plane>& views, char* out) {
                join_grid(views, n, bits, reinterpret_cast<float*>(out));
            });
        },
        "planes"_a, "n"_a, "bits"_a, "The same for real numbers, stored as whole ones of 16 bits times 2^-bits.");
}

}  // namespace perceptag

#include "perceptag/core/build.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

namespace perceptag {

void bind_build(nanobind::module_& m) {
    m.def("build_commit", &build_commit, "The commit that was built, or an empty string.");
    m.def("build_compiler", &build_compiler, "The compiler and its version.");
    m.def("cpu_instructions", &cpu_instructions, "The instructions that hot loops use on this CPU.");
}

}  // namespace perceptag

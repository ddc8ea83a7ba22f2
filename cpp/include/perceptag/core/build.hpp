// How the core was compiled, and what it makes of the CPU that it runs on.
#pragma once

#include <string>

namespace perceptag {

// The commit that was built; empty if whoever built it did not say.
std::string build_commit();

// The compiler and its version.
std::string build_compiler();

// The instructions that hot loops use here: "avx512f", "avx2", or "baseline" for what every CPU of its kind has.
std::string cpu_instructions();

}  // namespace perceptag

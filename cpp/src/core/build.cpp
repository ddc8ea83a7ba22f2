#include "perceptag/core/build.hpp"

#include "perceptag/core/dispatch.hpp"

#ifndef PERCEPTAG_COMMIT
#define PERCEPTAG_COMMIT ""
#endif

namespace perceptag {

std::string build_commit() { return PERCEPTAG_COMMIT; }

std::string build_compiler() {
#if defined(__clang__)
    return "clang " + std::to_string(__clang_major__) + '.' + std::to_string(__clang_minor__);
#elif defined(__GNUC__)
    return "gcc " + std::to_string(__GNUC__) + '.' + std::to_string(__GNUC_MINOR__);
#elif defined(_MSC_VER)
    return "msvc " + std::to_string(_MSC_VER);
#else
    return "unknown";
#endif
}

// The order is that of the loader, which takes the first version of a loop that the CPU can run.
std::string cpu_instructions() {
#ifdef PERCEPTAG_HAS_CLONES
    if (__builtin_cpu_supports("avx512f")) return "avx512f";
    if (__builtin_cpu_supports("avx2")) return "avx2";
#endif
    return "baseline";
}

}  // namespace perceptag

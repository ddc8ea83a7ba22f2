// Hot loops are compiled for several instruction sets; the loader picks one for the CPU at hand.
#pragma once

#include <cstddef>

// Only the C library of GNU lets the loader choose: with musl there is one version of each loop.
#if defined(__x86_64__) && defined(__GLIBC__) && defined(__GNUC__) && !defined(__clang__) && \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) && !defined(PERCEPTAG_SCALAR)
#define PERCEPTAG_HAS_CLONES
#define PERCEPTAG_CLONES __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define PERCEPTAG_CLONES
#endif

namespace perceptag {

// Loops run in this number of lanes, which compilers turn into vector instructions. Sums are formed lane by lane, so
// the number is part of every result that rounds.
constexpr std::size_t kLanes = 8;

}  // namespace perceptag

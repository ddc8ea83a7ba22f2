// What compilers spell in different ways.
#pragma once

#if defined(__GNUC__)  // Clang says so, too
#define PERCEPTAG_INLINE __attribute__((always_inline)) inline
#define PERCEPTAG_UNROLL _Pragma("GCC unroll 8")
#elif defined(_MSC_VER)
#include <intrin.h>
#define PERCEPTAG_INLINE __forceinline
#define PERCEPTAG_UNROLL
#else
#define PERCEPTAG_INLINE inline
#define PERCEPTAG_UNROLL
#endif

namespace perceptag {

// Ask for a line of memory that will be read soon; where that cannot be said, nothing is lost but time.
PERCEPTAG_INLINE void fetch_ahead([[maybe_unused]] const void* place) {
#if defined(__GNUC__)
    __builtin_prefetch(place);
#elif defined(_MSC_VER) && defined(_M_X64)
    _mm_prefetch(static_cast<const char*>(place), _MM_HINT_T0);
#elif defined(_MSC_VER) && defined(_M_ARM64)
    __prefetch(place);
#endif
}

}  // namespace perceptag

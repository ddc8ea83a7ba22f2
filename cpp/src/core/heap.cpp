#include "perceptag/core/heap.hpp"

#include <cstdlib>
#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace perceptag {

void trim_heap() noexcept {
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}

}  // namespace perceptag

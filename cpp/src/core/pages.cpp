#include "perceptag/core/pages.hpp"

#include <cstdlib>

#if defined(__unix__) || defined(__APPLE__)
#include <sys/mman.h>
#define PERCEPTAG_HAS_MMAP
#endif

namespace perceptag {

void* take_pages(std::size_t bytes, bool at_once) {
#ifdef PERCEPTAG_HAS_MMAP
    int flags = MAP_PRIVATE | MAP_ANONYMOUS;
#ifdef MAP_POPULATE
    if (at_once) flags |= MAP_POPULATE;
#else
    static_cast<void>(at_once);
#endif
    void* pages = mmap(nullptr, bytes ? bytes : 1, PROT_READ | PROT_WRITE, flags, -1, 0);
    if (pages == MAP_FAILED) throw std::bad_alloc();
#else
    void* pages = std::calloc(bytes ? bytes : 1, 1);
    static_cast<void>(at_once);
    if (!pages) throw std::bad_alloc();
#endif
    return pages;
}

void give_pages(void* pages, std::size_t bytes) noexcept {
#ifdef PERCEPTAG_HAS_MMAP
    munmap(pages, bytes ? bytes : 1);
#else
    static_cast<void>(bytes);
    std::free(pages);
#endif
}

}  // namespace perceptag

#include "perceptag/core/pages.hpp"

#include <cstdint>
#include <cstdlib>

#if defined(__unix__) || defined(__APPLE__)
#include <sys/mman.h>
#define PERCEPTAG_HAS_MMAP
#endif

namespace perceptag {
void* take_pages(std::size_t bytes, bool at_once) {
#ifdef PERCEPTAG_HAS_MMAP
    void* pages = mmap(nullptr, bytes ? bytes : 1, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED) throw std::bad_alloc();
    advise_large_pages(pages, bytes);
#ifdef MADV_POPULATE_WRITE
    if (at_once) madvise(pages, bytes, MADV_POPULATE_WRITE);
#else
    static_cast<void>(at_once);
#endif
#else
    void* pages = std::calloc(bytes ? bytes : 1, 1);
    static_cast<void>(at_once);
    if (!pages) throw std::bad_alloc();
#endif
    return pages;
}

void advise_large_pages([[maybe_unused]] void* place, [[maybe_unused]] std::size_t bytes) noexcept {
#if defined(PERCEPTAG_HAS_MMAP) && defined(MADV_HUGEPAGE)
    constexpr std::uintptr_t kPage = std::uintptr_t{2} << 20;
    const auto first = (reinterpret_cast<std::uintptr_t>(place) + kPage - 1) / kPage * kPage;
    const auto last = (reinterpret_cast<std::uintptr_t>(place) + bytes) / kPage * kPage;
    if (first < last) madvise(reinterpret_cast<void*>(first), last - first, MADV_HUGEPAGE);
#endif
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

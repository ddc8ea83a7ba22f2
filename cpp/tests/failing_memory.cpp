#include "failing_memory.hpp"

#include <atomic>
#include <cstdlib>
#include <new>

namespace {

std::atomic<long> left{-1};  // until one fails; negative: none will, or it has

}  // namespace

void fail_allocation(long n) { left = n; }

bool stop_failing() { return left.exchange(-1) < 0; }

void* operator new(std::size_t n) {
    if (left > 0 && --left == 0) {
        left = -1;
        throw std::bad_alloc();
    }
    if (void* memory = std::malloc(n ? n : 1)) return memory;
    throw std::bad_alloc();
}
// As that of the standard library, which sanitizers replace by one that does not call the function above.
void* operator new(std::size_t n, const std::nothrow_t&) noexcept {
    try {
        return operator new(n);
    } catch (const std::bad_alloc&) {
        return nullptr;
    }
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, const std::nothrow_t&) noexcept { std::free(memory); }

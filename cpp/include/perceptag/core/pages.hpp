// Memory that goes back to the system when it is freed. A tagger of endless text throws its tables away and makes new
// ones, on any of its threads. In the heaps of the threads these would leave holes, which other sizes do not fill.
#pragma once

#include <cstddef>
#include <memory>
#include <new>

namespace perceptag {

// Whole pages of zeros. `at_once`: all will be used, so the system gives them now and not one by one, which costs more.
void* take_pages(std::size_t bytes, bool at_once = false);
void give_pages(void* pages, std::size_t bytes) noexcept;

// For vectors that may become large; others stay on the heap.
template <class T>
struct PageAllocator {
    using value_type = T;
    PageAllocator() = default;
    template <class U>
    PageAllocator(const PageAllocator<U>&) {}

    T* allocate(std::size_t n) {
        if (n > static_cast<std::size_t>(-1) / sizeof(T)) throw std::bad_array_new_length();
        return static_cast<T*>(is_large(n) ? take_pages(n * sizeof(T)) : ::operator new(n * sizeof(T)));
    }
    void deallocate(T* place, std::size_t n) noexcept {
        is_large(n) ? give_pages(place, n * sizeof(T)) : ::operator delete(place);
    }
    bool operator==(const PageAllocator&) const { return true; }

  private:
    static bool is_large(std::size_t n) { return n * sizeof(T) >= (1 << 20); }
};

// An array of zeros, in pages of its own; `at_once`: see `take_pages`.
template <class T>
class PagedArray {
  public:
    PagedArray() = default;
    explicit PagedArray(std::size_t n, bool at_once = true)
        : place_(static_cast<T*>(take_pages(n * sizeof(T), at_once)), Give{n * sizeof(T)}) {}
    explicit operator bool() const { return static_cast<bool>(place_); }
    T* get() const { return place_.get(); }

  private:
    struct Give {
        std::size_t bytes = 0;
        void operator()(T* place) const { give_pages(place, bytes); }
    };
    std::unique_ptr<T, Give> place_;
};

}  // namespace perceptag

// The same work for many things, on several threads.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <functional>
#include <type_traits>

namespace perceptag {

// The numbers of [0, n) that no thread has taken yet.
class Remaining {
  public:
    Remaining(std::size_t n, std::size_t grain) : n_(n), grain_(grain) {}

    // Takes `grain` numbers at a time and calls work(i) for each, until none are left.
    template <class Work>
    void take(const Work& work) {
        for (std::size_t first; (first = next_.fetch_add(grain_)) < n_;)
            for (std::size_t i = first; i < std::min(n_, first + grain_); ++i) work(i);
    }
    void stop() { next_ = n_; }
    // How many threads have something to do if they start at the same time.
    std::size_t useful_threads() const { return (n_ + grain_ - 1) / grain_; }

  private:
    std::size_t n_, grain_;
    std::atomic<std::size_t> next_{0};
};

// Calls `run` once on each thread, and rethrows the first exception.
void run_on_threads(Remaining& remaining, int threads, const std::function<void()>& run);

// The type of the scratch memory that work(i, memory) asks for.
template <class Work>
struct ScratchOf : ScratchOf<decltype(&Work::operator())> {};
template <class Work, class Scratch>
struct ScratchOf<void (Work::*)(std::size_t, Scratch&) const> {
    using type = Scratch;
};

// Calls work(i), or work(i, scratch), for every i in [0, n) on the given number of threads, which take `grain` numbers
// at a time. Scratch memory is made once for each thread, of the type that `work` names. The first exception is
// rethrown.
template <class Work>
void parallel_for(std::size_t n, int threads, const Work& work, std::size_t grain = 16) {
    Remaining remaining(n, grain);
    run_on_threads(remaining, threads, [&] {
        if constexpr (std::is_invocable_v<const Work&, std::size_t>) {
            remaining.take(work);
        } else {
            typename ScratchOf<Work>::type scratch;
            remaining.take([&](std::size_t i) { work(i, scratch); });
        }
    });
}

}  // namespace perceptag

// The same work for many things, on several threads.
#pragma once

#include <cstddef>
#include <functional>

#include "perceptag/core/worker.hpp"

namespace perceptag {

// Calls work(i, worker) for every i in [0, n) on the given number of threads, which take `grain` numbers at a time.
// The first exception is rethrown.
void parallel_for(std::size_t n, int threads, const std::function<void(std::size_t, Worker&)>& work,
                  std::size_t grain = 16);

}  // namespace perceptag

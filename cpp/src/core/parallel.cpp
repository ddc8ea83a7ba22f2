#include "perceptag/core/parallel.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <new>
#include <system_error>
#include <thread>
#include <vector>

namespace perceptag {

void parallel_for(std::size_t n, int threads, const std::function<void(std::size_t, Worker&)>& work,
                  std::size_t grain) {
    std::atomic<std::size_t> next{0};
    std::exception_ptr error;
    std::mutex guard;
    const auto run = [&] {
        Worker worker;
        try {
            for (std::size_t i; (i = next.fetch_add(grain)) < n;)
                for (std::size_t k = i; k < std::min(n, i + grain); ++k) work(k, worker);
        } catch (...) {
            const std::lock_guard lock(guard);
            if (!error) error = std::current_exception();
            next = n;
        }
    };
    const std::size_t useful = (n + grain - 1) / grain;
    const std::size_t wanted = std::min(useful, static_cast<std::size_t>(std::max(1, threads)));
    std::vector<std::thread> others;
    try {
        others.reserve(wanted);
        while (others.size() + 1 < wanted) others.emplace_back(run);
    } catch (const std::system_error&) {  // the system allows no more threads: the existing ones do all the work
    } catch (const std::bad_alloc&) {
    }
    run();
    for (std::thread& other : others) other.join();
    if (error) std::rethrow_exception(error);
}

}  // namespace perceptag

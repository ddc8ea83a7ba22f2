#include "perceptag/core/parallel.hpp"

#include <exception>
#include <mutex>
#include <new>
#include <system_error>
#include <thread>
#include <vector>

namespace perceptag {

void run_on_threads(Remaining& remaining, int threads, const std::function<void()>& run) {
    std::exception_ptr error;
    std::mutex guard;
    const auto run_caught = [&] {
        try {
            run();
        } catch (...) {
            const std::lock_guard lock(guard);
            if (!error) error = std::current_exception();
            remaining.stop();
        }
    };
    const std::size_t wanted = std::min<std::size_t>(remaining.useful_threads(), std::max(1, threads));
    std::vector<std::thread> others;
    try {
        others.reserve(wanted);
        while (others.size() + 1 < wanted) others.emplace_back(run_caught);
    } catch (const std::system_error&) {  // the system allows no more threads: the existing ones do all the work
    } catch (const std::bad_alloc&) {
    }
    run_caught();
    for (std::thread& other : others) other.join();
    if (error) std::rethrow_exception(error);
}

}  // namespace perceptag

// The driver: usage  fuzz EXECUTIONS SEED.  Prints executions, inputs kept and places of code reached.
#include "fuzz.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>

namespace {

constexpr std::size_t kPlaces = 1 << 13;
std::array<std::uint8_t, kPlaces> reached;  // by this input
std::array<std::uint8_t, kPlaces> known;    // by any before
std::array<std::uint64_t, 256> compared;    // numbers that the code has compared with: good ones to try
std::uint8_t next_compared = 0;
std::uintptr_t last = 0;

void remember(std::uint64_t a, std::uint64_t b) {
    if (a != b) compared[next_compared++] = b, compared[next_compared++] = a;
}

}  // namespace

extern "C" {
void __sanitizer_cov_trace_pc() {
    const auto here = reinterpret_cast<std::uintptr_t>(__builtin_return_address(0));
    ++reached[((here >> 1) ^ last) % kPlaces];
    last = here >> 3;
}
void __sanitizer_cov_trace_cmp1(std::uint8_t a, std::uint8_t b) { remember(a, b); }
void __sanitizer_cov_trace_cmp2(std::uint16_t a, std::uint16_t b) { remember(a, b); }
void __sanitizer_cov_trace_cmp4(std::uint32_t a, std::uint32_t b) { remember(a, b); }
void __sanitizer_cov_trace_cmp8(std::uint64_t a, std::uint64_t b) { remember(a, b); }
void __sanitizer_cov_trace_const_cmp1(std::uint8_t a, std::uint8_t b) { remember(a, b); }
void __sanitizer_cov_trace_const_cmp2(std::uint16_t a, std::uint16_t b) { remember(a, b); }
void __sanitizer_cov_trace_const_cmp4(std::uint32_t a, std::uint32_t b) { remember(a, b); }
void __sanitizer_cov_trace_const_cmp8(std::uint64_t a, std::uint64_t b) { remember(a, b); }
void __sanitizer_cov_trace_cmpf(float, float) {}
void __sanitizer_cov_trace_cmpd(double, double) {}
void __sanitizer_cov_trace_switch(std::uint64_t, void*) {}
}

namespace {

// How often a place was reached counts only roughly: 1, 2, 3, 4-7, 8-15, …
std::uint8_t bucket(std::uint8_t n) {
    if (n < 4) return static_cast<std::uint8_t>(1 << n >> 1);
    return n < 8 ? 8 : n < 16 ? 16 : n < 32 ? 32 : n < 128 ? 64 : 128;
}

bool is_news() {
    bool news = false;
    for (std::size_t i = 0; i < kPlaces; ++i) {
        if (i % 8 == 0) {  // eight places at a time: most are not reached
            std::uint64_t eight;
            std::memcpy(&eight, &reached[i], 8);
            if (!eight) {
                i += 7;
                continue;
            }
        }
        if (!reached[i]) continue;
        const std::uint8_t seen = bucket(reached[i]);
        news |= (known[i] & seen) != seen;
        known[i] |= seen;
    }
    return news;
}

class Mutator {
  public:
    explicit Mutator(std::uint64_t seed) : random_(seed) {}

    std::size_t below(std::size_t n) { return n ? random_() % n : 0; }

    void change(Input& input, const Input& other) {
        for (std::size_t n = 1 + below(4); n > 0; --n) step(input, other);
        if (input.size() > 512) input.resize(512);
    }

  private:
    void step(Input& input, const Input& other) {
        const std::size_t i = below(input.size() + 1), size = input.size();
        const auto at = input.begin() + static_cast<std::ptrdiff_t>(i);
        switch (below(9)) {
            case 0:
                if (i < size) input[i] ^= static_cast<std::uint8_t>(1 << below(8));
                break;
            case 1:
                if (i < size) input[i] = static_cast<std::uint8_t>(random_());
                break;
            case 2:
                if (i < size) input[i] = static_cast<std::uint8_t>(input[i] + below(9) - 4);
                break;
            case 3:
                input.insert(at, static_cast<std::uint8_t>(random_()));
                break;
            case 4:
                input.erase(at, at + static_cast<std::ptrdiff_t>(std::min(size - i, 1 + below(8))));
                break;
            case 5:
                insert_number(input, i);
                break;
            case 6: {
                const std::size_t from = below(other.size() + 1), n = std::min(other.size() - from, 1 + below(32));
                const Input part(other.begin() + static_cast<std::ptrdiff_t>(from),
                                 other.begin() + static_cast<std::ptrdiff_t>(from + n));
                input.insert(at, part.begin(), part.end());
                break;
            }
            case 7: {
                const std::size_t n = std::min(size - i, 1 + below(16));
                const Input part(at, at + static_cast<std::ptrdiff_t>(n));
                input.insert(input.begin() + static_cast<std::ptrdiff_t>(below(size + 1)), part.begin(), part.end());
                break;
            }
            default:
                if (i < size) input[i] = static_cast<std::uint8_t>(compared[below(256)]);
                break;
        }
    }

    void insert_number(Input& input, std::size_t i) {
        Sink sink;
        static constexpr std::int64_t kOdd[] = {0,     -1,        255,       256,        65535,
                                                65536, INT32_MAX, INT32_MIN, UINT32_MAX, INT64_MAX};
        sink.number(below(2) ? static_cast<std::int64_t>(compared[below(256)]) : kOdd[below(std::size(kOdd))]);
        const std::size_t over = std::min(input.size() - i, below(2));
        input.erase(input.begin() + static_cast<std::ptrdiff_t>(i),
                    input.begin() + static_cast<std::ptrdiff_t>(i + over));
        input.insert(input.begin() + static_cast<std::ptrdiff_t>(i), sink.input.begin(), sink.input.end());
    }

    std::mt19937_64 random_;
};

const Input* current = nullptr;

// If the process ends for any reason, print the input that caused it.
void tell() {
    std::fprintf(stderr, "input:");
    for (const std::uint8_t byte : *current) std::fprintf(stderr, " %02x", byte);
    std::fprintf(stderr, "\n");
}

}  // namespace

extern "C" void __sanitizer_set_death_callback(void (*)()) __attribute__((weak));

int main(int count, char** words) {
    const unsigned long long executions = count > 1 ? std::strtoull(words[1], nullptr, 10) : 100000;
    Mutator mutator(count > 2 ? std::strtoull(words[2], nullptr, 10) : 0);
    if (__sanitizer_set_death_callback) __sanitizer_set_death_callback(tell);
    std::vector<Input> kept;
    unsigned long long taken = 0;
    const auto run = [&](const Input& input) {
        current = &input;
        reached.fill(0);
        last = 0;
        try {
            try_out(input);
            ++taken;
        } catch (const std::logic_error&) {  // invalid_argument, out_of_range, length_error: refused
        }
        return is_news();
    };
    for (const Input& seed : seeds()) {
        const unsigned long long before = taken;
        run(seed);
        if (taken == before) std::fprintf(stderr, "seed %zu is refused\n", kept.size());
        kept.push_back(seed);
    }
    const unsigned long long sound = taken;
    for (unsigned long long n = kept.size(); n < executions; ++n) {
        // The newest inputs are tried most, because the code they reach has been tried least.
        const std::size_t i = mutator.below(2)
                                  ? mutator.below(kept.size())
                                  : kept.size() - 1 - mutator.below(std::min<std::size_t>(kept.size(), 32));
        Input input = kept[i];
        mutator.change(input, kept[mutator.below(kept.size())]);
        if (run(input)) kept.push_back(std::move(input));
    }
    std::size_t places = 0;
    for (const std::uint8_t place : known) places += place != 0;
    std::printf("%llu executions, %zu inputs kept, %zu places, %llu of %zu seeds sound, %llu taken\n", executions,
                kept.size(), places, sound, seeds().size(), taken);
    return sound == seeds().size() ? 0 : 3;
}

#include "perceptag/core/thinning.hpp"

#include <cmath>

#include "perceptag/core/integers.hpp"
#include "perceptag/core/parallel.hpp"

namespace perceptag {
namespace {

// SplitMix64: Steele, Lea and Flood (2014).
std::uint64_t mixed(std::uint64_t z) {
    z += 0x9E3779B97F4A7C15u;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return z ^ z >> 31;
}

void thin(Sequence& x, double rate, std::uint64_t seed) {
    const auto least = static_cast<std::uint64_t>(std::ldexp(rate, 53));  // of 2^53
    auto& rows = x.rows[0];
    auto& amounts = x.amounts[0];
    auto& begin = x.begin[0];
    if (begin.empty()) return;
    std::size_t kept = 0;
    std::int32_t i = 0;
    for (int t = 0; t < x.T; ++t) {
        begin[t] = to_int32(kept);
        for (const std::int32_t end = begin[t + 1]; i < end; ++i) {
            if (mixed(seed + i) >> 11 < least) continue;
            rows[kept] = rows[i];
            if (!amounts.empty()) amounts[kept] = amounts[i];
            ++kept;
        }
    }
    begin[x.T] = to_int32(kept);
    rows.resize(kept);
    if (!amounts.empty()) amounts.resize(kept);
}

}  // namespace

Corpus thinned(const Corpus& corpus, double rate, std::uint64_t seed, int threads) {
    Corpus copy = corpus;
    parallel_for(copy.sequences.size(), threads,
                 [&](std::size_t i) { thin(copy.sequences[i], rate, mixed(mixed(seed) ^ i)); });
    return copy;
}

}  // namespace perceptag

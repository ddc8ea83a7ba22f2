#include "perceptag/core/thinning.hpp"

#include <cmath>
#include <vector>

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

// Rows without those that are left out. `first`: the place of the first row in the sequence.
template <class Offset>
void thin(std::vector<std::int32_t>& rows, std::vector<float>* amounts, std::vector<Offset>& begin, double rate,
          std::uint64_t seed, std::uint64_t first) {
    const auto least = static_cast<std::uint64_t>(std::ldexp(rate, 53));  // of 2^53
    std::size_t kept = 0, i = 0;
    for (std::size_t group = 0; group + 1 < begin.size(); ++group) {
        begin[group] = static_cast<Offset>(kept);
        for (const auto end = static_cast<std::size_t>(begin[group + 1]); i < end; ++i) {
            if (mixed(seed + first + i) >> 11 < least) continue;
            rows[kept] = rows[i];
            if (amounts) (*amounts)[kept] = (*amounts)[i];
            ++kept;
        }
    }
    begin.back() = static_cast<Offset>(kept);
    rows.resize(kept);
    if (amounts) amounts->resize(kept);
}

void thin(Sequence& x, double rate, std::uint64_t seed) {
    const std::size_t of_tokens = x.rows[0].size();
    if (!x.begin[0].empty()) thin(x.rows[0], x.amounts[0].empty() ? nullptr : &x.amounts[0], x.begin[0], rate, seed, 0);
    if (!x.spans.empty()) thin(x.spans.rows, nullptr, x.spans.begin, rate, seed, of_tokens);
}

}  // namespace

Corpus thinned(const Corpus& corpus, double rate, std::uint64_t seed, int threads,
               std::span<const std::int64_t> numbers) {
    Corpus copy = corpus;
    parallel_for(copy.sequences.size(), threads, [&](std::size_t i) {
        const auto number = numbers.empty() ? std::uint64_t{i} : static_cast<std::uint64_t>(numbers[i]);
        thin(copy.sequences[i], rate, mixed(mixed(seed) ^ number));
    });
    return copy;
}

}  // namespace perceptag

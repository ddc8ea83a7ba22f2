// n · log2 n for counts, in whole numbers: sums of them are the same in any order, on any machine, on any number of
// threads, so that a likelihood never falls by rounding and ties are real ties.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "perceptag/core/integers.hpp"

namespace perceptag {

// Bits, in units of 2^-20.
using Information = std::int64_t;
// Counts stay below this, so that n · log2 n stays below 2^57 units.
inline constexpr std::uint64_t kMostTokens = std::uint64_t{1} << 32;

// log2 n by additions, multiplications and divisions alone, whose last bit does not depend on a library.
inline double log2_of(std::uint64_t n) {
    const int exponent = to_int32(std::bit_width(n)) - 1;
    const double m = static_cast<double>(n) / static_cast<double>(std::uint64_t{1} << exponent);  // from 1 to 2
    const double s = (m - 1) / (m + 1), s2 = s * s;                                               // s up to 1/3
    double sum = 0;  // of s^2k / (2k + 1): log m is twice s times that
    for (int k = 16; k >= 0; --k) sum = sum * s2 + 1.0 / (2 * k + 1);
    constexpr double kLog2E = 0x1.71547652b82fep0;
    return exponent + 2 * s * sum * kLog2E;
}

// Rounded to the nearest whole number of units.
inline Information compute_information(std::uint64_t n) {
    if (n < 2) return 0;
    return static_cast<Information>(static_cast<double>(n) * log2_of(n) * 0x1p20 + 0.5);
}

// The same from a table, as long as the counts are small.
class InformationTable {
  public:
    explicit InformationTable(std::size_t size) : values_(size) {
        for (std::size_t n = 0; n < size; ++n) values_[n] = compute_information(n);
    }
    Information operator()(std::uint64_t n) const { return n < values_.size() ? values_[n] : compute_information(n); }
    // For counts below size().
    const Information* data() const { return values_.data(); }
    std::size_t size() const { return values_.size(); }

  private:
    std::vector<Information> values_;
};

}  // namespace perceptag

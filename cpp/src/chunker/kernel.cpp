#include "perceptag/chunker/kernel.hpp"

#include <algorithm>
#include <stdexcept>

#include "perceptag/core/dispatch.hpp"
#include "perceptag/core/integers.hpp"

namespace perceptag {
namespace {

std::size_t rounded(std::size_t n) { return (n + kLanes - 1) / kLanes * kLanes; }

std::uint64_t hash(Instance x) {
    std::uint64_t h = 0x9E3779B97F4A7C15u;
    for (const std::int32_t id : x) h = (h ^ id) * 0xBF58476D1CE4E5B9u, h ^= h >> 29;
    return h;
}

// Σ_l a_l (counts_l + 1)^degree. n is a multiple of kLanes.
PERCEPTAG_CLONES
double weigh(const std::uint16_t* counts, const double* a, std::size_t n, int degree) {
    double sums[kLanes] = {};
    for (std::size_t l = 0; l < n; l += kLanes) {
        double base[kLanes], power[kLanes];
        for (std::size_t i = 0; i < kLanes; ++i) power[i] = base[i] = static_cast<double>(counts[l + i] + 1);
        for (int d = 1; d < degree; ++d)
            for (std::size_t i = 0; i < kLanes; ++i) power[i] *= base[i];
        for (std::size_t i = 0; i < kLanes; ++i) sums[i] += a[l + i] * power[i];
    }
    double total = 0;
    for (const double sum : sums) total += sum;
    return total;
}

}  // namespace

SupportVectors::SupportVectors(std::size_t features, int columns, int degree)
    : columns_(columns), degree_(degree), postings_(features) {
    if (columns < 1) throw std::invalid_argument("expected one function or more");
    if (degree < 1 || degree > 9) throw std::invalid_argument("expected a degree from 1 to 9");
    coefficients_.resize(columns);
    moments_.resize(columns);
}

std::size_t SupportVectors::append(Instance sorted) {
    const std::uint32_t row = to_uint32(size());
    for (const std::int32_t id : sorted) postings_[id].push_back(row);
    ids_.insert(ids_.end(), sorted.begin(), sorted.end());
    begin_.push_back(ids_.size());
    for (auto* columns : {&coefficients_, &moments_})
        for (auto& column : *columns) column.resize(rounded(size()), 0.0);
    places_.emplace(hash(sorted), row);
    return row;
}

std::size_t SupportVectors::place(Instance sorted) {
    const auto [first, last] = places_.equal_range(hash(sorted));
    for (auto i = first; i != last; ++i)
        if (std::ranges::equal(row(i->second), sorted)) return i->second;
    return append(sorted);
}

void SupportVectors::add(Instance x, int column, int sign) {
    std::vector<std::int32_t> sorted(x.begin(), x.end());
    std::sort(sorted.begin(), sorted.end());
    const std::size_t row = place(sorted);
    coefficients_[column][row] += sign;
    moments_[column][row] += sign * clock_;
}

void SupportVectors::score(Instance x, ScoreScratch& scratch, double* out) const {
    const std::size_t n = rounded(size());
    scratch.counts.assign(n, 0);
    std::uint16_t* counts = scratch.counts.data();
    for (const std::int32_t id : x)
        for (const std::uint32_t row : postings_[id]) ++counts[row];
    for (int c = 0; c < columns_; ++c) out[c] = weigh(counts, coefficients_[c].data(), n, degree_);
}

double SupportVectors::kernel(Instance sorted, std::size_t row) const {
    const Instance other = this->row(row);
    double base = 1, power = 1;
    for (std::size_t i = 0, j = 0; i < sorted.size() && j < other.size();) {
        base += sorted[i] == other[j];
        const bool step = sorted[i] <= other[j];
        j += other[j] <= sorted[i];
        i += step;
    }
    for (int d = 0; d < degree_; ++d) power *= base;
    return power;
}

std::size_t SupportVectors::longest() const {
    std::size_t most = 0;
    for (std::size_t l = 0; l < size(); ++l) most = std::max(most, row(l).size());
    return most;
}

SupportVectors SupportVectors::averaged() const {
    auto voted = coefficients_;
    for (std::size_t c = 0; c < voted.size(); ++c)
        for (std::size_t l = 0; l < voted[c].size(); ++l) voted[c][l] = voted[c][l] * clock_ - moments_[c][l];
    SupportVectors kept = filtered(voted);
    kept.clock_ = clock_;
    return kept;
}

SupportVectors SupportVectors::frozen() const {
    SupportVectors kept = filtered(coefficients_);
    kept.clock_ = 1;
    return kept;
}

SupportVectors SupportVectors::filtered(const std::vector<std::vector<double>>& coefficients) const {
    SupportVectors kept(features(), columns_, degree_);
    for (std::size_t l = 0; l < size(); ++l) {
        if (std::ranges::all_of(coefficients, [l](const auto& column) { return column[l] == 0; })) continue;
        const std::size_t row = kept.append(this->row(l));
        for (std::size_t c = 0; c < coefficients.size(); ++c) kept.coefficients_[c][row] = coefficients[c][l];
    }
    return kept;
}

SupportVectors::Arrays SupportVectors::arrays() const {
    Arrays out{begin_, ids_, {}, {}};
    const std::size_t n = size();
    for (const auto& column : coefficients_)
        out.coefficients.insert(out.coefficients.end(), column.begin(), column.begin() + n);
    for (const auto& column : moments_) out.moments.insert(out.moments.end(), column.begin(), column.begin() + n);
    return out;
}

void SupportVectors::load(std::span<const std::uint64_t> begin, Instance ids, std::span<const double> coefficients,
                          std::span<const double> moments, double clock) {
    if (begin.empty() || begin.front() != 0 || begin.back() != ids.size() || !std::ranges::is_sorted(begin))
        throw std::invalid_argument("expected support vectors one after the other, found a gap or an overlap");
    const std::size_t n = begin.size() - 1, wanted = n * columns_;
    if (coefficients.size() != wanted || (!moments.empty() && moments.size() != wanted))
        throw std::invalid_argument("expected one coefficient for each support vector and function");
    SupportVectors fresh(features(), columns_, degree_);
    for (std::size_t l = 0; l < n; ++l) {
        const Instance x = ids.subspan(begin[l], begin[l + 1] - begin[l]);
        for (std::size_t i = 0; i < x.size(); ++i)
            if (!is_index(x[i], features()) || (i > 0 && x[i - 1] >= x[i]))
                throw std::invalid_argument("features of a support vector are out of range or out of order");
        if (fresh.place(x) != l) throw std::invalid_argument("expected different support vectors, found one twice");
        for (int c = 0; c < columns_; ++c) {
            fresh.coefficients_[c][l] = coefficients[c * n + l];
            if (!moments.empty()) fresh.moments_[c][l] = moments[c * n + l];
        }
    }
    fresh.clock_ = clock;
    *this = std::move(fresh);
}

}  // namespace perceptag

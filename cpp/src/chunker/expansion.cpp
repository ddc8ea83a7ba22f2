#include "perceptag/chunker/expansion.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

#include "perceptag/core/integers.hpp"

namespace perceptag {

Expansion::Expansion(const SupportVectors& vectors, double least)
    : columns_(vectors.columns()), rank_(vectors.features()), begin_{0} {
    if (vectors.degree() > 2)
        throw std::invalid_argument("expected a kernel of degree 1 or 2, which alone can be expanded");
    const std::size_t C = columns_;
    const std::size_t F = vectors.features();
    std::vector<std::uint32_t> order(F);
    std::iota(order.begin(), order.end(), 0U);
    std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
        return vectors.postings(a).size() < vectors.postings(b).size();
    });
    for (std::uint32_t i = 0; i < F; ++i) rank_[order[i]] = i;

    bias_.assign(C, 0.0);
    for (std::size_t c = 0; c < C; ++c)
        for (std::size_t l = 0; l < vectors.size(); ++l) bias_[c] += vectors.coefficient(l, c);
    single_.assign(F * C, 0.0);
    std::vector<double> sums(F * C, 0.0);
    std::vector<std::int32_t> touched;
    const double factor = vectors.degree() == 2 ? 3 : 1;
    for (std::size_t f = 0; f < F; ++f) {
        for (const std::uint32_t l : vectors.postings(f))
            for (std::size_t c = 0; c < C; ++c) single_[f * C + c] += factor * vectors.coefficient(l, c);
        if (vectors.degree() == 2) expand_row(vectors, f, least, sums, touched);
        begin_.push_back(partners_.size());
    }
}

// `sums` is all zero before and after.
void Expansion::expand_row(const SupportVectors& vectors, std::size_t f, double least, std::vector<double>& sums,
                           std::vector<std::int32_t>& touched) {
    const std::size_t C = columns_;
    touched.clear();
    for (const std::uint32_t l : vectors.postings(f)) {
        for (const std::int32_t g : vectors.row(l)) {
            if (rank_[g] <= rank_[f]) continue;
            touched.push_back(g);
            for (std::size_t c = 0; c < C; ++c) sums[g * C + c] += 2 * vectors.coefficient(l, c);
        }
    }
    std::sort(touched.begin(), touched.end());
    touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
    for (const std::int32_t g : touched) {
        double* w = sums.data() + g * C;
        if (std::any_of(w, w + C, [least](double v) { return v != 0 && std::abs(v) >= least; })) {
            partners_.push_back(g);
            weights_.insert(weights_.end(), w, w + C);
        }
        std::fill(w, w + C, 0.0);
    }
}

void Expansion::score(Instance x, ScoreScratch& scratch, double* out) const {
    const std::size_t C = columns_;
    if (scratch.marks.size() < features()) scratch.marks.resize(features(), 0);
    std::uint8_t* marks = scratch.marks.data();
    for (const std::int32_t f : x) marks[f] = 1;
    std::copy(bias_.begin(), bias_.end(), out);
    for (const std::int32_t id : x) {
        const std::size_t f = id;
        for (std::size_t c = 0; c < C; ++c) out[c] += single_[f * C + c];
        for (std::size_t i = begin_[f]; i < begin_[f + 1]; ++i)
            if (marks[partners_[i]])
                for (std::size_t c = 0; c < C; ++c) out[c] += weights_[i * C + c];
    }
    for (const std::int32_t f : x) marks[f] = 0;
}

double Expansion::weight(std::size_t f, std::size_t g, int column) const {
    const std::size_t C = columns_, c = column;
    if (f == g) return single_[f * C + c];
    if (rank_[f] > rank_[g]) std::swap(f, g);
    const auto first = partners_.begin() + begin_[f];
    const auto last = partners_.begin() + (begin_[f + 1]);
    const std::int32_t partner = to_int32(g);
    const auto found = std::lower_bound(first, last, partner);
    if (found == last || *found != partner) return 0;
    return weights_[(found - partners_.begin()) * C + c];
}

}  // namespace perceptag

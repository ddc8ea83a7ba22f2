#include "perceptag/search/bounded_step.hpp"

#include <algorithm>
#include <limits>

#include "perceptag/core/dispatch.hpp"
#include "perceptag/core/integers.hpp"
#include "perceptag/core/lanes.hpp"

namespace perceptag {
namespace {

template <class Real>
constexpr Real kForbidden = -std::numeric_limits<Real>::infinity();

template <class Real>
PERCEPTAG_INLINE Rest<Real> choose(const Real* from, const float* row, std::size_t L, std::size_t best,
                                   std::vector<std::uint32_t>& rows) {
    const Real level = from[best];
    Rest<Real> rest;
    const auto see = [&](std::size_t v) {
        const Real reach = from[v] + row[v];
        if (reach > level)
            rows.push_back(to_uint32(v));
        else
            rest.add(from[v], reach);
    };
    Real most_from[kLanes], most_reach[kLanes];
    std::fill_n(most_from, kLanes, kForbidden<Real>);
    std::fill_n(most_reach, kLanes, kForbidden<Real>);
    rows.assign(1, to_uint32(best));
    std::size_t v = 0;
    for (; v + kLanes <= L; v += kLanes) {
        Real reach[kLanes], top = kForbidden<Real>;
        for (std::size_t k = 0; k < kLanes; ++k) reach[k] = from[v + k] + row[v + k];
        for (std::size_t k = 0; k < kLanes; ++k) top = std::max(top, reach[k]);
        if (top > level || best - v < kLanes) {
            for (std::size_t k = v; k < v + kLanes; ++k)
                if (k != best) see(k);
            continue;
        }
        for (std::size_t k = 0; k < kLanes; ++k) {
            most_from[k] = std::max(most_from[k], from[v + k]);
            most_reach[k] = std::max(most_reach[k], reach[k]);
        }
    }
    for (; v < L; ++v)
        if (v != best) see(v);
    for (std::size_t k = 0; k < kLanes; ++k) rest.add(most_from[k], most_reach[k]);
    return rest;
}

template <class Real, class Sum>
PERCEPTAG_INLINE Best first_best(std::size_t n, Sum sum) {
    Real lanes[kLanes];
    std::fill_n(lanes, kLanes, kForbidden<Real>);
    std::size_t i = 0;
    for (; i + kLanes <= n; i += kLanes)
        for (std::size_t k = 0; k < kLanes; ++k) lanes[k] = std::max(lanes[k], sum(i + k));
    for (; i < n; ++i) lanes[0] = std::max(lanes[0], sum(i));
    const Real top = *std::max_element(lanes, lanes + kLanes);
    for (i = 0; i + kLanes <= n; i += kLanes) {
        bool found = false;
        for (std::size_t k = 0; k < kLanes; ++k) found |= sum(i + k) == top;
        if (found) break;
    }
    while (sum(i) != top) ++i;
    return {top, i};
}

}  // namespace

PERCEPTAG_CLONES Rest<float> choose_rows(const EdgeTable& table, const float* from, std::size_t best,
                                         std::vector<std::uint32_t>& rows) {
    return choose(from, table.row, table.L, best, rows);
}

PERCEPTAG_CLONES Rest<double> choose_rows(const EdgeTable& table, const double* from, std::size_t best,
                                          std::vector<std::uint32_t>& rows) {
    return choose(from, table.row, table.L, best, rows);
}

PERCEPTAG_CLONES void bounded_step(const EdgeTable& table, const float* from, std::span<const std::uint32_t> rows,
                                   Rest<float> rest, float* to, std::uint8_t* exact) {
    const std::size_t L = table.L;
    std::fill_n(to, L, kForbidden<float>);
    for (const std::uint32_t v : rows) {
        const float before = from[v];
        const float* edge = table.edge + v * L;
        for (std::size_t y = 0; y < L; ++y) to[y] = std::max(to[y], before + edge[y]);
    }
    for (std::size_t y = 0; y < L; ++y) {
        const float bound = std::min(rest.reach, rest.from + table.column[y]);
        exact[y] = to[y] >= bound;
        to[y] = std::max(to[y], bound);
    }
}

PERCEPTAG_CLONES void bounded_step(const EdgeTable& table, const double* from, std::span<const std::uint32_t> rows,
                                   Rest<double> rest, const float* node, double* to, std::uint8_t* exact) {
    const std::size_t L = table.L;
    std::fill_n(to, L, kForbidden<double>);
    for (const std::uint32_t v : rows) {
        const double before = from[v];
        const float* edge = table.edge + v * L;
        for (std::size_t y = 0; y < L; ++y) to[y] = std::max(to[y], before + node[y] + edge[y]);
    }
    for (std::size_t y = 0; y < L; ++y) {
        const double bound = std::min(rest.reach + node[y], rest.from + node[y] + table.column[y]);
        exact[y] = to[y] >= bound;
        to[y] = std::max(to[y], bound);
    }
}

PERCEPTAG_CLONES Best best_sum(const float* from, const float* edges, std::size_t L) {
    return first_best<float>(L, [=](std::size_t v) { return from[v] + edges[v]; });
}

PERCEPTAG_CLONES Best best_sum(const double* from, float node, const float* edges, std::size_t L) {
    return first_best<double>(L, [=](std::size_t v) { return from[v] + node + edges[v]; });
}

PERCEPTAG_CLONES Best best_label(const float* scores, std::size_t n) {
    return first_best<float>(n, [=](std::size_t i) { return scores[i]; });
}

PERCEPTAG_CLONES Best best_label(const double* scores, std::size_t n) {
    return first_best<double>(n, [=](std::size_t i) { return scores[i]; });
}

}  // namespace perceptag

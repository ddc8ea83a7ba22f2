// One step of first-order search that does not look at all pairs of labels:
//
//   to[y] = max_v  from[v] + edge[v, y]
//
// Only the edges from some labels v are looked at: those from which an edge could lead to more than the best label
// before has with an edge of zero. The others cannot give y more than
//
//   least of  max_v from[v] + row[v]   and   max_v from[v] + column[y]        (v: the others)
//
// where row[v] and column[y] are the largest edges from v and to y (edge_bounds.hpp). Where what was found is no less,
// it is exact. Elsewhere `to` gets that bound, and the caller may ask for the score if the bound says that it matters.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace perceptag {

// Edges in one direction, [L, L], and their bounds. Backwards it is the same with rows and columns swapped.
struct EdgeTable {
    const float* edge;
    const float* transposed;
    const float* row;
    const float* column;
    std::size_t L;
};

// The most that labels which are not looked at have, and the most that they can give.
template <class Real>
struct Rest {
    Real from = -std::numeric_limits<Real>::infinity(), reach = from;

    void add(Real score, Real most) {
        from = std::max(from, score);
        reach = std::max(reach, most);
    }
};

// Writes to `rows` which labels are to be looked at: `best`, the first with the largest score, and those that can give
// more than it gives by an edge of zero.
Rest<float> choose_rows(const EdgeTable& table, const float* from, std::size_t best, std::vector<std::uint32_t>& rows);
Rest<double> choose_rows(const EdgeTable& table, const double* from, std::size_t best,
                         std::vector<std::uint32_t>& rows);

// Looks at the edges from `rows`, of which there is one at least. Writes scores or bounds to `to`, and to `exact` which
// is which.
void bounded_step(const EdgeTable& table, const float* from, std::span<const std::uint32_t> rows, Rest<float> rest,
                  float* to, std::uint8_t* exact);
// The same in double with scores of the labels: to[y] = max_v  (from[v] + node[y]) + edge[v, y]
void bounded_step(const EdgeTable& table, const double* from, std::span<const std::uint32_t> rows, Rest<double> rest,
                  const float* node, double* to, std::uint8_t* exact);

struct Best {
    double score;
    std::size_t label;  // the first that has it
};

// max_v  from[v] + edges[v],  and in double  (from[v] + node) + edges[v]
Best best_sum(const float* from, const float* edges, std::size_t L);
Best best_sum(const double* from, float node, const float* edges, std::size_t L);

Best best_label(const float* scores, std::size_t n);
Best best_label(const double* scores, std::size_t n);

}  // namespace perceptag

// The most that plain edges can add, by the label before and by the label after; see lazy_scores.hpp.
#pragma once

#include <cstddef>
#include <vector>

#include "perceptag/core/edge_gaps.hpp"

namespace perceptag {

// With this many labels or fewer, the search with gaps or the full search is faster than the one with bounds.
inline constexpr int kFewEdgeLabels = 64;

struct EdgeBounds {
    std::vector<float> row, column;  // [L] no edge from a label, and none to a label, is above this
    std::vector<float> transposed;   // [L, L] the edges themselves, those to one label next to each other
    EdgeGaps gaps;                   // with kFirstGapLabels to kFewEdgeLabels labels

    bool is_ready() const { return !row.empty(); }
    void clear() {
        row.clear();
        gaps.clear();
    }

    // edge [L+1, L], of which the last row is the start, which has no bounds.
    void set(const float* edge, std::size_t L);
    // One edge has a new score. Bounds never fall here; now and then they are found again.
    void change(const float* edge, std::size_t L, std::size_t code);

  private:
    void find_bounds(const float* edge, std::size_t L);

    std::size_t changes_ = 0;  // since the bounds were found
};

}  // namespace perceptag

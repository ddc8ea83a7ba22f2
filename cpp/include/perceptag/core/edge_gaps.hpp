// How much more plain edges can give from one label than from another:
//
//   gap(k, v) ≥ max_y  edge(v, y) - edge(k, y)
//
// If v is behind k by more than that, no way through v is as good as the same way through k, so a search need not look
// at v (viterbi1.hpp). Gaps are made slightly larger than the true ones, so that rounding cannot make two sums equal.
#pragma once

#include <cstddef>
#include <vector>

namespace perceptag {

// From this number of labels on, a search gains more than gaps cost; above kFewEdgeLabels other bounds are used.
inline constexpr int kFirstGapLabels = 16;

class EdgeGaps {
  public:
    bool is_ready() const { return !gap_.empty(); }
    void clear() { gap_.clear(); }
    // [L] of what v may have more than k.
    const float* beside(std::size_t k) const { return gap_.data() + k * L_; }

    // edge [L+1, L], of which the last row is the start, which has no gaps; transposed [L, L].
    void set(const float* edge, std::size_t L);
    // The edge from a label to another one has a new score. Gaps never shrink here; now and then they are found again.
    void change(const float* edge, const float* transposed, std::size_t from, std::size_t to);

  private:
    std::size_t L_ = 0, changes_ = 0;  // since the gaps were found
    float reach_ = 0;                  // edges are within -reach and reach, or minus infinity
    float slack_ = 0;                  // more than rounding can do to sums of such edges
    std::vector<float> gap_;           // [L, L] by k and v
};

}  // namespace perceptag

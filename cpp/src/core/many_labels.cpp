#include "perceptag/core/weights.hpp"

// What weights keep where labels are not few, so that searches need not look at everything.

namespace perceptag {

void Weights::bound_edges() {
    const Block& edges = blocks_[kPlainEdges];
    const bool is_searched = L_ >= kFirstGapLabels && edges.rows && order() == 1 && !blocks_[1].rows;
    if (is_searched && !edge_bounds_.is_ready()) edge_bounds_.set(edges.w.data(), L_);
}

void Weights::follow(const Sequence& x, Labelling labels, Labelling other) {
    bound_edges();
    for (int t = 1; edge_bounds_.is_ready() && t < x.T; ++t)
        if (other.empty() || labels[t - 1] != other[t - 1] || labels[t] != other[t])
            edge_bounds_.change(blocks_[kPlainEdges].w.data(), L_, label_code(labels, t, 1, L_));
}

}  // namespace perceptag

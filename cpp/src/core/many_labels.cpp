#include "perceptag/core/weights.hpp"

// What weights keep where labels are many, so that searches and copies need not look at everything.

namespace perceptag {

void Weights::bound_edges() {
    const Block& edges = blocks_[kPlainEdges];
    const bool is_searched = has_many_labels() && edges.rows && order() == 1 && !blocks_[1].rows;
    if (is_searched && !edge_bounds_.is_ready()) edge_bounds_.set(edges.w.data(), L_);
}

void Weights::find_lines() {
    const Block& rows = blocks_[0];
    if (has_many_labels() && rows.dense && rows.rows && !lines_.is_ready())
        lines_.find(rows.w.data(), rows.sum.data(), rows.rows, L_);
}

void Weights::follow(const Sequence& x, const std::int32_t* labels, const std::int32_t* other) {
    bound_edges();
    find_lines();
    for (int t = 1; edge_bounds_.is_ready() && t < x.T; ++t)
        if (!other || labels[t - 1] != other[t - 1] || labels[t] != other[t])
            edge_bounds_.change(blocks_[kPlainEdges].w.data(), L_, label_code(labels, t, 1, L_));
    for (int t = 0; lines_.is_ready() && !x.begin[0].empty() && t < x.T; ++t)
        if (!other || labels[t] != other[t])
            for (const std::int32_t row : x.at(0, t)) lines_.note(row, labels[t]);
}

}  // namespace perceptag

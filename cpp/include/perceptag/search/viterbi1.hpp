// First-order search: over labels and the label before, exact.
//
//   α_0(y) = node_0(y) + edge_0(start, y);  α_t(y) = node_t(y) + max_v α_{t-1}(v) + edge_t(v, y)
//
// With some dozens of labels, most labels v of a position are never the best before any y: if k has the largest score,
// and α(v) + gap(k, v) < α(k), where gap(k, v) ≥ max_y edge(v, y) - edge(k, y), then for every y
//
//   α(v) + edge(v, y)  ≤  α(v) + gap(k, v) + edge(k, y)  <  α(k) + edge(k, y)
//
// so v is left out, and scores, labels and ties are those of the full search (core/edge_gaps.hpp).
#pragma once

#include <cstdint>

#include "perceptag/core/lattice.hpp"
#include "perceptag/search/worker.hpp"

namespace perceptag {

// Writes the best labelling of a lattice of order 1 with T > 0.
void viterbi1(const Lattice& lattice, Worker& worker, LabelsOut labels);

// The same by looking at all pairs of labels: what viterbi1 does for few labels or observed edges.
void full_viterbi1(const Lattice& lattice, Worker& worker, LabelsOut labels);
// With gaps, for lattices that bring them.
void gap_viterbi1(const Lattice& lattice, Worker& worker, LabelsOut labels);
// And with bounds (lazy_scores.hpp), for any number of labels with plain edges.
void lazy_viterbi1(const Lattice& lattice, Worker& worker, LabelsOut labels);

}  // namespace perceptag

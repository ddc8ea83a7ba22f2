// First-order search: over labels and the label before, exact.
#pragma once

#include <cstdint>

#include "perceptag/core/lattice.hpp"
#include "perceptag/search/worker.hpp"

namespace perceptag {

// Writes the best labelling of a lattice of order 1 with T > 0.
void viterbi1(const Lattice& lattice, Worker& worker, LabelsOut labels);

// The same by looking at all pairs of labels: what viterbi1 does for few labels or observed edges.
void full_viterbi1(const Lattice& lattice, Worker& worker, LabelsOut labels);
// And with bounds (lazy_scores.hpp), for any number of labels with plain edges.
void lazy_viterbi1(const Lattice& lattice, Worker& worker, LabelsOut labels);

}  // namespace perceptag

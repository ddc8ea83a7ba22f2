// Second-order search: over pairs of labels, exact, and only over labels that can be on the best way.
//
// A trigram is never worth more than the best one that ends in the same two labels:
//
//   bound_t(u, y) = edge_t(u, y) + max_v trigram_t(v, u, y)
//
// With these as edges, search of first order from the end gives for every label at every position the most that can
// come after it. A narrow search gives a labelling with a score that the best one reaches at least. Pairs of labels
// whose best past and bounded future together are below it are left out; the others, fewer than a tenth for fifty
// labels, are searched by the plain recursion. The result, ties included, is that of the full search: a pair on any
// best labelling always stays.
//
// This is A* with a bound of lower order; Weiss & Taskar (2010), "Structured Prediction Cascades", AISTATS, filter with
// max-marginals of lower order in the same way, but by a learned threshold. Here it is a true bound.
#pragma once

#include <cstdint>

#include "perceptag/core/lattice.hpp"
#include "perceptag/search/worker.hpp"

namespace perceptag {

// Writes the best labelling of a lattice of order 2 with T > 0.
void viterbi2(const Lattice& lattice, Worker& worker, LabelsOut labels);

// The same without leaving anything out: what viterbi2 does for few labels or observed trigrams.
void full_viterbi2(const Lattice& lattice, Worker& worker, LabelsOut labels);

}  // namespace perceptag

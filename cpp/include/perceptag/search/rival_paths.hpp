// For each token the best labelling that has another label there than a given one: the rivals of the given labels.
//
// Let α be the best scores of what comes before a state and β those of what comes after, as in max_marginals.hpp; a
// state is a label, or in second order a pair of labels. A best rival at t goes through a state with another label and
// the largest α + β there. Its beginning follows the back-pointers of `viterbi`, its end forward pointers along β. So
// one search in each direction is enough for the rivals of all tokens.
//
// Ties. Of equally good labellings `viterbi` takes the smallest, read from the last label to the first. Back-pointers
// that take the lowest label do that for beginnings. For ends, the states of each token are ranked by the best way
// that leads from them to the end of the sequence:
//
//   rank_{T-1}: by the last label, then by the one before it
//   next_t(s):  of the best states after s the one with the lowest rank
//   rank_t:     by rank_{t+1}(next_t(s)), then by the first label of s
//
// By induction from the end, rank_t orders states as the smallest of their best ways are ordered: two ways differ after
// t, and then rank_{t+1} orders them, or only in the label that t adds. Of the best states at t the one with the lowest
// rank is therefore on the labelling that `viterbi` would take.
//
// Where a rival comes to a state of the best labelling, both are the same from there on, in both directions: the best
// labelling is the smallest of all best ones, so its end is the smallest of the best ways from that state, which is the
// one that the pointers follow. Only what lies between is traced.
//
// Cost, with T tokens, L labels and S states: T · S · L steps for all pointers, and for each rival its length from
// where it leaves the best labelling to where it comes back, plus a copy of the rest.
//
// Sums are formed in double: exact for the weights that `viterbi` adds without rounding.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "perceptag/core/lattice.hpp"

namespace perceptag {

struct RivalPaths {
    bool is_found = false;                         // whether any labelling is allowed
    std::vector<std::vector<std::int32_t>> paths;  // [T] labellings, or empty ones where no other label is possible
    std::size_t steps = 0;                         // how many pointers were followed to trace them
};

RivalPaths rival_paths(const Lattice& lattice, Labelling labels);

}  // namespace perceptag

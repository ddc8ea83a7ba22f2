// First-order search for many labels: exact, without looking at all pairs of labels.
//
//   α_0(y) = node_0(y) + edge_0(start, y);  α_t(y) = node_t(y) + max_v α_{t-1}(v) + edge(v, y)
//
// Every position gets scores α, of which some are exact and the others upper bounds (bounded_step.hpp). A bound that
// decides nothing stays what it is: most labels are far below the best. Where a bound is the largest of some sums, the
// exact score is found in its place, from all labels before, and the sums are looked at again. So every decision is
// made among exact scores, and ties are decided as in the full search: the first of equal ones wins.
//
// This is CarpeDiem (Esposito & Radicioni, 2009, "CarpeDiem: Optimizing the Viterbi Algorithm and Applications to
// Supervised Sequential Learning", JMLR 10) with a vector of labels at each step: it, too, opens a label only when a
// bound says that it may be on the best way.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "perceptag/core/edge_bounds.hpp"
#include "perceptag/core/lattice.hpp"
#include "perceptag/search/bounded_step.hpp"

namespace perceptag {

// Scratch memory.
struct LazyMemory {
    EdgeBounds bounds;                                      // of lattices that do not bring their own
    std::vector<std::uint8_t> exact;                        // [T, L]
    std::vector<float> top;                                 // [T] what was subtracted from the scores of a position
    std::vector<std::uint32_t> rows;                        // of one step
    std::vector<std::pair<std::size_t, std::size_t>> open;  // positions and labels whose exact score is wanted
};

// Whether the search is made for this lattice.
bool has_many_plain_edges(const Lattice& lattice);
// The bounds that the lattice brings, or else its own.
const EdgeBounds& bounds_of(const Lattice& lattice, LazyMemory& memory);

// Scores in float are relative to the best of each position, scores in double are not: as the full searches have them.
template <class Real>
class LazyScores {
  public:
    // `score`: [T, L] or more, which may move while this is used.
    LazyScores(const Lattice& x, LazyMemory& memory, std::vector<Real>& score);

    // The best label at the last position, and the label before y at t on the best way there.
    std::size_t last() const { return best_; }
    std::size_t before(std::size_t t, std::size_t y);
    bool is_exact(std::size_t t, std::size_t y) const { return m_.exact[t * L_ + y]; }
    void make_exact(std::size_t t, std::size_t y);
    // Scores of the edges from all labels to y.
    const float* edges_to(std::size_t y) const { return table_.transposed + y * L_; }

  private:
    void start();
    void step(std::size_t t);
    // The labels at t whose edges are looked at, all exact, and what the others can give at most.
    Rest<Real> choose(std::size_t t);
    // Settles which label is the best at t.
    void find_best(std::size_t t);
    Best best_before(std::size_t t, std::size_t y) const;
    void set(std::size_t t, std::size_t y, double score);
    Real* at(std::size_t t) const { return score_.data() + t * L_; }

    const Lattice& x_;
    LazyMemory& m_;
    std::vector<Real>& score_;
    std::size_t L_;
    EdgeTable table_;
    std::size_t best_ = 0;
};

}  // namespace perceptag

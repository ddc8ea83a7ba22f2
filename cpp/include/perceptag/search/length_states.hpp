// Exact search with scores of whole spans, as a search over labels that know the length of their span.
//
// Sarawagi and Cohen (2004) search over spans. Here a label of the scheme IOBES becomes several states, one for each
// place that its word can have in its span: I with 2, 3, … words so far, E with spans of 2, 3, … words. The score of a
// span is then a score of the state of its last word, so that a lattice of states has what the lattice of labels and
// the spans have, and every search over lattices can be used:
//
//   O    S-c    B-c    I-c(2) … I-c(longest - 1)  I-c(more)    E-c(2) … E-c(longest)  E-c(more)
//
//   I-c(n + 1) and E-c(n + 1) come only after I-c(n), for n = 1 after B-c; "more" comes after the last I-c and after
//   itself. Spans of more than `longest` words are possible, and have no score of their own.
//
// Every labelling that follows the scheme is exactly one path of states, and every path is such a labelling. Of equal
// scores the lower state wins, from the last word to the first: the lower label, then the shorter span (if `longest` is
// below 3, of spans that are longer the one with the lower labels).
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "perceptag/core/lattice.hpp"
#include "perceptag/core/span_labels.hpp"

namespace perceptag {

class LengthStates {
  public:
    // Gets ready for labels, unless it is.
    void set(const SpanLabels& labels);

    std::size_t size() const { return label_.size(); }
    std::span<const std::int32_t> labels() const { return label_; }  // of each state

    // The lattice of the states. Its edges are memory of this.
    void expand(const Lattice& in, Lattice& out);
    // The best labelling, as a search in the lattice of the states finds it, from the lattice of labels: most states
    // have one state before them.
    void viterbi(const Lattice& in, LabelsOut labels);
    // The score of the best labelling, and what `bonus` gives to each label of a word besides: [T, L], or empty.
    double best_score(const Lattice& in, std::span<const double> bonus);
    // [T, size] The score of the best path to each state, added up as `Lattice::score` does it.
    void best_values(const Lattice& in, double* value);
    // The states that may come before a state, rising. There is at least one.
    std::span<const std::int32_t> before(std::size_t state) const {
        return {before_.data() + before_begin_[state], before_.data() + before_begin_[state + 1]};
    }
    // From states to their labels, in place.
    void read_labels(std::span<std::int32_t> states) const {
        for (std::int32_t& state : states) state = label_[state];
    }

  private:
    bool follows(std::size_t before, std::size_t state) const;
    void find_pairs();
    void prepare(const Lattice& in);
    void find_choices();
    void read_edges(const Lattice& in);
    void add_nodes(const Lattice& in, std::size_t t, float* to) const;
    // The scores of the best paths to the states at t, from those at the word before, and the states before those that
    // have a choice, unless `back` is null. `kNodeFirst`: scores of words are added before those of edges, otherwise
    // after them.
    template <bool kNodeFirst>
    void step(const Lattice& in, std::size_t t, const double* from, double* to, std::int32_t* back);
    template <bool kNodeFirst>
    void open_spans(const double* from, double* to, std::int32_t* back);
    std::size_t choices() const { return opens_.size() + twofold_.size(); }

    SpanLabels reading_;
    std::vector<std::int32_t> label_;    // of each state, rising
    std::vector<std::int32_t> place_;    // of each state: words of its span so far; I: at most longest, E: longest + 1
    std::vector<std::size_t> first_;     // [L] the first state of each label
    std::vector<std::int32_t> only_;     // of each state: the one that may come before it; -1: any, if labels allow it
    std::vector<std::int32_t> also_;     // of each state: another one, with a higher number, or -1
    std::vector<std::int32_t> opens_;    // states that any may come before, rising
    std::vector<std::int32_t> closes_;   // labels that a span, or no span, ends with, rising
    std::vector<std::int32_t> inner_;    // all other states
    std::vector<std::int32_t> twofold_;  // those of them that have another one before
    std::vector<std::int32_t> choice_;   // of each state: its place among `opens_` and `twofold_` together, or -1
    std::vector<std::int32_t> before_;   // of all states: those that may come before
    std::vector<std::size_t> before_begin_;  // [size + 1] where those of each state begin
    // Pairs of states that may follow each other, and of their labels: places in the two tables of edges.
    std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs_;
    std::vector<float> edge_;  // of the last lattice: [size + 1, size]

    // Of the last lattice: the edges from `only_` and from `also_`, and those between spans, [closes, opens].
    std::vector<float> edge_only_, edge_also_, edge_between_;

    // Scratch memory of the searches.
    std::vector<double> alpha_;            // [2, size]
    std::vector<std::int32_t> back_;       // [T, opens + twofold] the states before those that have a choice
    std::vector<float> node_;              // [size]
    std::vector<double> closed_;           // [closes] the best value of each label
    std::vector<std::int32_t> best_;       // [closes] its state
    std::vector<double> node_open_, top_;  // [opens]
    std::vector<std::int64_t> from_;       // [opens] which of `closes_` the best comes from
};

}  // namespace perceptag

// The labellings of a sequence under rules about spans, as the paths of a larger lattice.
//
// A rule is about one span [start, end) of one type. Whether a labelling contains it depends on pairs of neighbouring
// labels alone: at `start` a chunk of the type begins, it continues up to `end` - 1, and at `end` it does not continue.
// So the search need only know where the chunk that it is in began, and only if a rule asks for a chunk that began
// there. Its states are
//
//   (y, none)   label y, in no chunk that a rule asks for
//   (y, s)      label y, in a chunk of its type that began at s, where s is the start of a rule about that type whose
//               end is still to come
//
// Label and state before determine the state, so every labelling is exactly one path of states: the best path, the n
// best, and sums over paths are those over labellings. What rules add to the score is added where a chunk ends.
// Forced spans need no states: they allow only some pairs of labels.
//
// Where labels are not chunks, a span is a run of equal labels, whatever is around it. A run that began at s contains
// those that begin later, so the earliest start is enough.
//
// A position has L states, and for every (start, type) whose rules are active there as many as the type has labels.
// The starts of a type share states as soon as they are no longer active at the same position. Time is linear in the
// length of the sequence, and quadratic in the number of states (of second order: cubic).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "perceptag/core/lattice.hpp"

namespace perceptag {

// How labels make chunks. Pairs are [L+1, L], the start being number L.
struct ChunkPairs {
    std::vector<std::int32_t> kind;            // [L] the type of each label; none: -1
    std::vector<std::uint8_t> begins, joined;  // whether a chunk begins at the second label; whether one has both
    bool are_chunks = true;                    // else every label is a type of its own, and spans have no borders
};

enum class Say : std::uint8_t { kForce, kForbid, kSuggest };

struct SpanRule {
    std::int32_t start, end, kind;
    Say say;
    float weight;  // of a suggestion
};

// What rules say about one sequence.
struct SequenceRules {
    std::vector<SpanRule> spans;
    std::vector<std::int32_t> sentences;  // where sentences begin; 0 need not be among them
};

class SpanStates {
  public:
    SpanStates(const ChunkPairs& pairs, const SequenceRules& rules, int T);

    bool has_rules() const { return !rules_.spans.empty(); }
    std::size_t size() const { return label_.size(); }
    std::span<const std::int32_t> labels() const { return label_; }  // of each state

    // The lattice of the states. `in` must outlive `out`, and so must this.
    void expand(const Lattice& in, Lattice& out);

  private:
    // Rules about chunks of a type that begin at one place.
    struct Group {
        std::int32_t kind, start, end, copy;  // `end`: of the longest; `copy`: which states of its type it has
        std::vector<const SpanRule*> rules;
    };
    enum class Needed : std::uint8_t { kNothing, kBegin, kInside, kEnd };

    void force(const SpanRule& rule);
    void make_groups(const SequenceRules& rules);
    void make_states(std::size_t L);
    void place_groups();
    void expand_nodes(const Lattice& in, Lattice& out) const;
    void expand_edges(const Lattice& in, Lattice& out) const;
    void expand_trigrams(const Lattice& in, Lattice& out);

    bool is_alive(std::size_t t, std::size_t state) const { return group_[t * size() + state] != kDead; }
    bool is_allowed(std::size_t t, std::size_t y, bool begins, bool joined) const;
    std::size_t target(std::size_t t, std::int32_t group, std::size_t y, bool begins, bool joined) const;
    std::size_t state_of(std::size_t t, std::size_t y, std::int32_t start) const;
    float at_end(std::int32_t group, std::size_t t) const;

    static constexpr std::int32_t kPlain = -1, kDead = -2;

    const ChunkPairs& pairs_;
    const SequenceRules& rules_;
    std::size_t T_;
    std::vector<Group> groups_;
    std::vector<std::int32_t> copies_;    // of each type
    std::vector<std::int32_t> label_;     // of each state: by rising label, first the plain one, then its copies
    std::vector<std::size_t> first_;      // [L] the plain state of each label
    std::vector<std::int32_t> group_;     // [T, states] the group that a state belongs to
    std::vector<Needed> needed_;          // [T] what forced spans ask for
    std::vector<std::int32_t> kind_;      // [T] of which type
    std::vector<std::uint8_t> is_first_;  // [T] whether a sentence begins
    std::vector<float> trigram_;          // plain trigrams of the states
};

}  // namespace perceptag

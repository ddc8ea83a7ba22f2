// The labelling of one document by coordinate ascent on local plus non-local scores.
//
// As perceptag/models/document/search.py (`ascend`) does it: start from the best labelling of every sequence, go
// through the sequences, choose the best of its n-best list for each, given the others; end when nothing changes. The
// result is the same, but most lists are never made. Let y0 be the best labelling of a sequence under the local scores,
// and
//
//   total(y) = local(y) + Σ_mentions of y (what the mention adds, given the other sequences)
//
// Every mention has one label that opens it. Add to each label, at each token, the most that a mention which opens
// there can get (`bonus`, an upper bound over its ends and over all labellings of the sequence). Then the best path of
// that lattice, V, is at least total(y) for every y. So if total(y0) >= V, no labelling is better than y0, and y0 comes
// first in its list, so it wins ties. All sums are exact (exact_scores.hpp; else lists are made), so that no rounding
// can come between.
//
// A pair of mentions with a joining word between them has a score w(a, c) of its own. It is shared by the two: ψ(c) for
// the second and φ(a) = max_c max(0, w(a, c) − ψ(c)) for the first, with ψ >= 0. φ(a) + ψ(c) >= w(a, c) whatever ψ is,
// which is chosen so that y0 gets no more than it should.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "perceptag/core/lattice.hpp"
#include "perceptag/document/label_roles.hpp"
#include "perceptag/document/mention_weights.hpp"
#include "perceptag/document/occurrence_index.hpp"
#include "perceptag/search/nbest.hpp"
#include "perceptag/search/worker.hpp"

namespace perceptag {

struct AscentSettings {
    int n = 1;       // length of the lists
    int sweeps = 1;  // at most
    bool is_exact = false;
};

class DocumentSearch {
  public:
    // Scores a sequence into the lattice of the worker, writes its best labelling and returns the score of that.
    using Decode = std::function<double(std::size_t s, Worker& worker, std::int32_t* labels)>;

    // Sequence s is [begin[s], begin[s+1]) of the words; `joining[t]` is 1 at words such as "and".
    DocumentSearch(const MentionWeights& weights, const LabelRoles& roles, AscentSettings settings,
                   std::span<const std::int32_t> begin, std::span<const std::uint8_t> joining,
                   const OccurrenceIndex& where, Decode decode);

    // Writes the labels of all sequences. Returns how many lists it had to make.
    std::size_t run(std::span<std::int32_t> labels, Worker& worker);

  private:
    struct Sequence {
        Lattice lattice;                  // unless it is too large to keep
        int order = 0;                    // of the lattice
        std::vector<std::int32_t> first;  // the best local labelling
        std::vector<Mention> mentions;    // of that
        double local = 0;                 // its score
        NBest list;                       // once it is needed
        std::size_t chosen = 0;           // of the list
        std::size_t looked = 0;           // how many changes there had been when its candidates were last compared
    };

    void start(std::size_t s, Worker& worker);
    void make_list(std::size_t s, Worker& worker);
    bool improve(std::size_t s, Worker& worker);
    std::size_t best_candidate(std::size_t s, Worker& worker);
    bool is_settled(std::size_t s, Worker& worker);
    const Lattice& lattice_of(std::size_t s, Worker& worker);

    // The mentions of a candidate, into the scratch memory.
    void read_candidate(std::size_t s, std::size_t k);
    // Chosen mentions take the place of those that were chosen before.
    void place(std::size_t s, std::span<const Mention> mentions);
    // What the string [start, end) is elsewhere; true if it also occurs again in sequence s, which then does not count.
    bool look_around(std::int32_t start, std::int32_t end, std::size_t left_out);
    double nonlocal_score(std::span<const Mention> mentions);

    // Whether any label gets a bonus.
    bool fill_bonus(std::size_t s);
    bool has_kin(std::size_t s, std::int32_t t) const;
    void add_mentions(std::size_t s, std::int32_t t);
    void add_conjunction(std::size_t s, std::int32_t left, std::int32_t right);
    void add_bonus(std::size_t s, std::int32_t t, std::size_t y, double value);
    double best_with_bonus(const Lattice& lattice);

    std::size_t length(std::size_t s) const { return begin_[s + 1] - begin_[s]; }

    const MentionWeights& weights_;
    const LabelRoles& roles_;
    AscentSettings settings_;
    std::span<const std::int32_t> begin_;
    std::span<const std::uint8_t> joining_;
    const OccurrenceIndex& where_;
    Decode decode_;
    std::size_t L_;
    std::vector<Sequence> sequences_;
    std::vector<Mention> cover_;        // [words] the chosen mention at each word; of class -1 where there is none
    std::vector<std::int32_t> inside_;  // [different words] at how many places they are in mentions
    std::size_t changes_ = 1, lists_ = 0;

    // Scratch memory.
    std::vector<Mention> mentions_;
    Elsewhere elsewhere_;
    std::vector<std::int32_t> features_;
    std::vector<double> bonus_, alpha_, single_, longer_, shared_;
    bool has_bonus_ = false;
};

}  // namespace perceptag

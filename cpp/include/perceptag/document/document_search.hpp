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
//
// The cost of a document of T words is at most linear in T, whatever the words and labels are. Write B for the longest
// phrase that is compared (kLongestPhrase), n for the length of a list, S for the sweeps, L for the labels and K for
// the classes. For a sequence of T words,
//
//   place           counts it out and in again, as far as mentions differ: at most 2·T·B steps (phrase_tally.hpp)
//   nonlocal_score  a mention asks for the counts of its phrase once: T·K steps, and T·log2(features) to add them up
//   fill_bonus      at most B phrases begin at a word, and each class is tried for each: T·B·K², and T·(K² + L·K) for
//                   conjunctions
//   best_with_bonus T·L²
//   make_list       once, n·T·L (nbest.cpp)
//
// A sweep does these once for each sequence, or n times where there is a list. With finding the repeated phrases,
// T·(B + 1) (repeated_phrases.hpp), and the best labelling under local scores, T·L², a document takes at most
//
//   T · (B + 1 + L² + n·L + S · (n · (2·B + K + log2(features)) + B·K² + K² + L·K + L²))
//
// steps, up to a constant factor. No term has the number of mentions of a phrase, or the length of a sequence, squared.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "perceptag/core/lattice.hpp"
#include "perceptag/document/label_roles.hpp"
#include "perceptag/document/mention_weights.hpp"
#include "perceptag/document/phrase_tally.hpp"
#include "perceptag/document/repeated_phrases.hpp"
#include "perceptag/search/nbest.hpp"
#include "perceptag/search/worker.hpp"

namespace perceptag {

struct AscentSettings {
    int n = 1;  // length of the lists
    int longest = kLongestPhrase;
    bool is_exact = false;
};

class DocumentSearch {
  public:
    // Scores a sequence into the lattice of the worker, writes its best labelling and returns the score of that.
    using Decode = std::function<double(std::size_t s, Worker& worker, LabelsOut labels)>;

    // Sequence s is [begin[s], begin[s+1]) of the words; `joining[t]` is 1 at words such as "and".
    DocumentSearch(const MentionWeights& weights, const LabelRoles& roles, AscentSettings settings,
                   std::span<const std::int32_t> begin, std::span<const std::uint8_t> joining,
                   const RepeatedPhrases& phrases, Decode decode);

    // Writes the labels of all sequences. Returns how many lists it had to make.
    std::size_t run(LabelsOut labels, Worker& worker);
    // How many phrases it found and counted.
    std::size_t steps() const { return phrases_.places() + tally_.steps(); }

  private:
    struct Sequence {
        Lattice lattice;                  // unless it is too large to keep
        int order = 0;                    // of the lattice
        std::vector<std::int32_t> first;  // the best local labelling
        std::vector<Mention> mentions;    // of that
        std::vector<Mention> counted;     // those that the tally has
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
    // Chosen mentions replace those that were chosen before.
    void place(std::size_t s, const std::vector<Mention>& mentions);
    double nonlocal_score(std::span<const Mention> mentions);

    // Whether any label gets a bonus.
    bool fill_bonus(std::size_t s);
    void count_here(std::size_t s);
    void clear_here(std::size_t s);
    bool has_kin(std::int32_t t) const;
    void find_kin(std::size_t s);
    void add_mentions(std::size_t s);
    void add_mentions_at(std::size_t s, std::int32_t t);
    const double* values_of(std::int32_t phrase, const PhraseCounts& others);  // valid until the next call
    void add_conjunctions(std::size_t s);
    void add_conjunction(std::size_t s, std::int32_t left, std::int32_t right, int ends, bool begins);
    void add_bonus(std::size_t s, std::int32_t t, std::size_t y, double value);
    double best_with_bonus(const Lattice& labels, Worker& worker);

    std::size_t length(std::size_t s) const { return begin_[s + 1] - begin_[s]; }
    std::span<const std::int32_t> candidate(std::size_t s, std::size_t k) const { return sequences_[s].list[k]; }

    const MentionWeights& weights_;
    const LabelRoles& roles_;
    AscentSettings settings_;
    std::span<const std::int32_t> begin_;
    std::span<const std::uint8_t> joining_;
    const RepeatedPhrases& phrases_;
    Decode decode_;
    std::size_t L_;
    std::vector<Sequence> sequences_;
    PhraseTally tally_;                   // of what is chosen
    std::vector<std::int32_t> here_;      // [phrases] in add_mentions: how often each occurs in the sequence
    std::vector<std::int32_t> computed_;  // [phrases] where the values of a frequent one are in `frequent_`; or -1
    std::size_t changes_ = 1, lists_ = 0;

    // Scratch memory.
    std::vector<Mention> mentions_;
    std::vector<std::int32_t> features_;
    std::vector<std::int32_t> kin_;  // words of a sequence that have kin there or elsewhere
    std::vector<double> bonus_, alpha_, single_, longer_, shared_, rare_, frequent_;
    bool has_bonus_ = false;
};

}  // namespace perceptag

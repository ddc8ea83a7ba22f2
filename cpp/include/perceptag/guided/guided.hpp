// Bidirectional search of Shen, Satta and Joshi (2007): label the easiest token first, anywhere.
//
//   P, accepted spans     the maximal runs of labelled tokens
//   Q, candidates         one for each unlabelled token: what it would join if it were labelled next
//
// A span has up to B states, the best first. A state is what the rest of the sentence can see of a labelling: its
// two outermost labels on each side. Its score V is the sum of the action scores U that made it. The next token is
// the one whose best state has the highest U of its last action; of equal ones, the leftmost.
#pragma once

#include <cstdint>
#include <vector>

#include "perceptag/core/corpus.hpp"
#include "perceptag/guided/guided_weights.hpp"
#include "perceptag/search/nbest.hpp"

namespace perceptag {

// Which unlabelled tokens are candidates: all of them, the leftmost, or the rightmost.
enum class Direction { kBoth, kLeftToRight, kRightToLeft };

struct GuidedRules {
    int beam = 3;
    Direction direction = Direction::kBoth;
    double margin = 0;  // in learning: taken off U wherever an action gives the gold label
};

class GuidedSearch {
  public:
    // A forbidden label costs this much: more than any weights can outweigh, but finite, so that the search continues
    // where labels on both sides leave nothing that is allowed.
    static constexpr float kForbidden = -1048576.0F;

    GuidedSearch(const GuidedWeights& weights, GuidedRules rules, const TagDictionary* dictionary);

    // Makes the candidates of a sequence. It must outlive the search; with gold labels the search also follows
    // where the gold labelling is.
    void start(const Sequence& x);
    // The token to label next, or -1.
    int choose() const { return tree_.empty() ? -1 : tree_[1]; }
    // Moves the candidate to the accepted spans, and makes the candidates of its neighbours again.
    void accept(int token);
    // The weights have moved +1 along one action and -1 along another one at the same token: scores again what
    // they touch. Accepted spans stay as they are.
    void rescore(const Action& up, const Action& down);

    // The place of the gold labelling among the states of a span, or -1 if it is not there.
    int gold_state(int token) const { return spans_[token].gold; }
    Action top_action(int token) const;
    // The same action with the gold labels.
    Action with_gold(const Action& action) const;
    // All actions of a state of the span whose last action is at the token, the last one first; by default the best.
    std::vector<Action> actions(int token, int state = 0) const;
    // U of every label at the token, next to the labels of the action. [L]
    std::vector<float> scores(const Action& action) const;
    // Accepted spans, as pairs of first and last token; and tokens with a candidate.
    std::vector<std::pair<int, int>> accepted() const;
    std::vector<int> candidates() const;
    // The labels of the best hypothesis, once there is no candidate left.
    void labels(LabelsOut out) const;
    // The first n hypotheses that are left then, without forbidden ones after the first. They differ in their states.
    NBest nbest(int n) const;
    // Throws if accepted spans are not the maximal labelled runs, or candidates not one for each other token.
    void check() const;

    bool is_candidate(int token) const { return tree_[tree_.size() / 2 + token] >= 0; }
    // V of the states of a span, the best first.
    std::vector<double> beam(int token) const;
    bool has_gold() const { return x_ && !x_->labels.empty(); }
    int T() const { return x_ ? x_->T : 0; }
    const GuidedWeights& weights() const { return weights_; }
    const TagDictionary* dictionary() const { return dictionary_; }

  private:
    struct State {
        double v;
        float u;
        std::int32_t label;
        std::int32_t a, b;                              // states of the spans on the left and right
        std::int32_t first, second, second_last, last;  // outermost labels; kUnknown beyond the span

        bool sees_same(const State& other) const {
            return first == other.first && second == other.second && second_last == other.second_last &&
                   last == other.last;
        }
    };
    struct Span {
        int start = 0, end = 0;
        int left = -1, right = -1;  // spans that it joins, by the token of their last action
        int states = 0;
        int gold = -1;
    };
    enum Side { kLeftSide, kRightSide, kBothSides, kSides };

    State* states(int token) { return states_.data() + token * beam_; }
    const State* states(int token) const { return states_.data() + token * beam_; }
    Beside beside(const State* a, const State* b) const;
    Beside beside(int token, const State& state) const;
    bool may_be_next(int token, int first, int last) const;
    void score_words();
    void prepare_entries();
    void find_neighbours(int token);
    void generate(int token);
    void add_side(int token, Side side, const Beside& beside, float* out) const;
    void add_transitions(const Beside& beside, float* out) const;
    void score_side(int token, Side side, const State* first, int n, std::vector<float>& out);
    void score_pairs(int token, const State* a, int as, const State* b, int bs);
    void offer(int token, State state);
    void enter(int token);
    bool is_touched(int token, const Action& action) const;
    bool move_words(int token, std::int32_t up, std::int32_t down);
    float* node(int token) { return lattice_.node.data() + token * L_; }
    const float* node(int token) const { return lattice_.node.data() + token * L_; }

    const GuidedWeights& weights_;
    GuidedRules rules_;
    const TagDictionary* dictionary_;
    std::size_t L_, beam_;
    std::vector<float> forbidden_;  // [L+1, L] 0 or kForbidden; empty: no constraint

    const Sequence* x_ = nullptr;
    Lattice lattice_;                     // only its nodes are used: scores of the words, [T, L]
    std::vector<Span> spans_;             // [T] the candidate or accepted span whose last action is at the token
    std::vector<State> states_;           // [T, beam]
    std::vector<std::uint8_t> done_;      // [T] labelled
    std::vector<int> starting_, ending_;  // [T] the accepted span that starts or ends here
    std::vector<float> u_;                // [T] score of the last action of each candidate
    std::vector<int> tree_;               // a knock-out over the candidates: tree_[1] is the winner
    std::array<std::vector<ContextEntry>, kSides> entries_;
    std::array<std::vector<std::uint32_t>, kSides> entries_begin_;  // [T+1]
    std::vector<float> left_, right_, pair_;                        // scratch of generate()
    std::vector<std::int32_t> marks_;  // scratch of rescore(): rows of the token that moved
    std::int32_t mark_ = 0;
};

std::vector<std::int32_t> guided_decode(const GuidedWeights& weights, const GuidedRules& rules, const Corpus& corpus,
                                        const TagDictionary* dictionary, int threads);
// The labels, and what each label would have scored in the action that labelled its token: [tokens], [tokens, L].
struct GuidedScores {
    std::vector<std::int32_t> labels;
    std::vector<float> scores;
};
GuidedScores guided_scores(const GuidedWeights& weights, const GuidedRules& rules, const Corpus& corpus,
                           const TagDictionary* dictionary, int threads);
// For each sequence the n best hypotheses that the search ends with, at most as many as the beam has.
std::vector<NBest> guided_nbest(const GuidedWeights& weights, const GuidedRules& rules, const Corpus& corpus,
                                const TagDictionary* dictionary, int n, int threads);
std::vector<std::int32_t> guided_tag(const FeatureIndex& index, const GuidedWeights& weights, const GuidedRules& rules,
                                     const TagDictionary* dictionary, const Batch& batch, int threads);

}  // namespace perceptag

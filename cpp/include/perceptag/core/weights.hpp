// The weights of a model: all that a learner reads and changes.
//
// A feature owns a row with one weight for each combination of labels that it is crossed with, of all or of those that
// support gives it (block.hpp). Transitions without an observation, `bias * y-1 y0` and
// `bias * y-2 y-1 y0`, are single dense rows of their own.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "perceptag/core/block.hpp"
#include "perceptag/core/blocks.hpp"
#include "perceptag/core/byte_planes.hpp"
#include "perceptag/core/edge_bounds.hpp"
#include "perceptag/core/features.hpp"
#include "perceptag/core/label_parts.hpp"
#include "perceptag/core/lattice.hpp"
#include "perceptag/core/pair_bounds.hpp"
#include "perceptag/core/span_labels.hpp"
#include "perceptag/core/tag_dictionary.hpp"

namespace perceptag {

// One component of a sparse vector: which weight it belongs to, and its value.
struct Component {
    int block;
    std::size_t place;
    double value;
};

// A weight that counts at some token.
struct Fired {
    int block;
    std::size_t row;
    double weight;  // times the amount
    float amount;
};

class Weights {
  public:
    Weights(int labels, bool plain_edges, bool plain_trigrams);

    // Give labels parts, before there are weights of order 0: a row of these then has a weight for each label and each
    // part.
    void compose(LabelParts parts);
    const LabelParts& parts() const { return parts_; }
    // How many weights a row of order 0 has at most, and where a lattice has the sums of such rows.
    std::size_t node_width() const { return blocks_[0].width; }
    std::vector<float>& node_sums(Lattice& out) const { return parts_.empty() ? out.node : out.part; }

    // Support "all": every combination of labels for every row.
    void make_dense(int order, std::size_t rows);
    // The same, of order 0, in little memory where labels are many and few weights move.
    void make_lined(std::size_t rows);
    // Support "gold": row r has the combinations codes[begin[r] .. begin[r+1]), sorted.
    void make_compact(int order, std::span<const std::uint32_t> begin, std::span<const std::uint32_t> codes);
    // The same for weights that are known and not trained: they have no sums.
    void load_compact(int order, std::span<const std::uint32_t> begin, std::span<const std::uint32_t> codes,
                      std::span<const float> weights);
    // The same for combinations and weights as a compressed file has them.
    void load_packed(int order, std::span<const std::uint32_t> begin, const PackedPairs& packed);
    // Features of whole spans: for each a weight for each type of spans. Labels are those of the scheme IOBES.
    void make_spans(SpanLabels labels, std::size_t rows);
    const SpanLabels& span_labels() const { return span_labels_; }
    // Plain transitions that may not leave zero. [width]
    void fix_plain(int order, std::span<const std::uint8_t> fixed);
    // Forbid transitions and last labels outright: allowed [L+1, L], last [L].
    void constrain(std::span<const std::uint8_t> allowed, std::span<const std::uint8_t> last);
    // Add a score to one label at every token, whatever the features; it replaces an earlier one. No update moves it.
    void prefer(int label, float score);
    float preferred(int label) const { return preferred_.empty() ? 0.0F : preferred_.at(label); }

    int L() const { return L_; }
    int order() const;
    double ticks() const { return tick_; }

    void lattice(const Sequence& x, const TagDictionary* dictionary, Lattice& out) const;
    // The same on top of the sums [T, node_width] that `node_sums(out)` has already.
    void add_to(const Sequence& x, const TagDictionary* dictionary, Lattice& out) const;
    // The scores of whole spans besides, for a lattice of a sequence that was made without them. Where weights are
    // multiples of a power of two (`averaged`) sums are exact, and so the same as those of a sequence with them.
    void add_spans(const SpanHits& hits, Lattice& out) const;
    // w·Φ(x, labels), or minus infinity if constraints forbid the labels: as the lattice without a dictionary.
    double score(const Sequence& x, Labelling labels) const;
    // score(x, labels) − score(x, other), from what differs alone. `other` must be allowed.
    double margin(const Sequence& x, Labelling labels, Labelling other) const;
    // The weights that the score of the label at t is the sum of, constraints on the last label aside. The score that
    // `prefer` adds to labels is listed as block kBlocks.
    std::vector<Fired> fired(const Sequence& x, Labelling labels, int t) const;
    // The weights of order 0 of a label at t, each part by itself: (row, part).
    std::vector<std::pair<Fired, std::uint32_t>> fired_parts(const Sequence& x, int label, int t) const;
    // The weights of whole spans that a score has.
    struct FiredSpan {
        int start, length, kind;
        std::int32_t row;
        double weight;
    };
    std::vector<FiredSpan> fired_spans(const Sequence& x, Labelling labels) const;
    // w += scale·Φ(x, labels)
    void add(const Sequence& x, Labelling labels, double scale);
    // w += scale·(Φ(x, toward) − Φ(x, away)), touching only what differs
    void move(const Sequence& x, Labelling toward, Labelling away, double scale);
    // w += delta at one place, whatever the value of the component.
    void move(const Component& at, double delta);
    void tick() { tick_ += 1; }
    // Φ(x, toward) − Φ(x, away), of the features that have a weight: sorted by place, without zeros.
    std::vector<Component> difference(const Sequence& x, Labelling toward, Labelling away) const;

    // The average of the weights after every tick, rounded to multiples of a power of two so small that no
    // weight changes by more than 2^-21 of the largest possible score at one token, and so large that sums along
    // a lattice are exact in float32. `active`: the largest number of observed features at one token.
    Weights averaged(int active) const;
    // Get ready to search: with weights that no longer change, second order is faster, and first order with many
    // labels. A change undoes it; `add` and `move` keep what first order needs.
    void prepare();
    // The weights as they are, rounded in the same way.
    Weights rounded(int active) const;
    // The same weights and sums, with compact rows that have only what has ever moved: all scores and averages are the
    // same, and with many labels most weights of a row are zero.
    Weights condensed(int threads = 1) const;
    // A copy of the weights as they are, without what training needs.
    Weights frozen() const;

    Block& block(int i) {
        is_prepared_ = false;
        edge_bounds_.clear();
        return blocks_.at(i);
    }
    const Block& block(int i) const { return blocks_.at(i); }
    void set_ticks(double ticks) { tick_ = ticks; }

  private:
    void require_sums() const;
    template <class Value>
    Weights on_grid(int active, Value value) const;
    // Calls visit(block, row, code, amount) for the features of toward (+) and away (-) wherever they differ.
    template <class Visit>
    void compare(const Sequence& x, Labelling toward, Labelling away, Visit visit) const;
    void move_rounded(const Sequence& x, Labelling toward, Labelling away, double scale);
    Block& observed_block(int order, std::size_t rows);
    Block& checked_block(int order, std::span<const std::uint32_t> begin, std::span<const std::uint32_t> codes);
    bool has_many_labels() const { return L_ > kFewEdgeLabels; }
    // Finds the bounds of plain edges, unless labels are few.
    void bound_edges();
    // Keeps them right after the weights of a labelling have moved, all or those where `other` differs.
    void follow(const Sequence& x, Labelling labels, Labelling other);
    // The parts of `add_to`.
    void add_nodes(const Sequence& x, Lattice& out) const;
    void add_rows(const Sequence& x, float* out) const;
    void add_edges(const Sequence& x, Lattice& out) const;
    void add_trigrams(const Sequence& x, Lattice& out) const;
    void add_spans(const Sequence& x, Lattice& out) const;
    bool has_spans(const Sequence& x) const { return !span_labels_.empty() && !x.spans.empty(); }
    // Calls visit(row, kind) for the features of the spans of labels[first .. last).
    template <class Visit>
    void visit_spans(const Sequence& x, Labelling labels, int first, int last, Visit visit) const;
    template <class Visit>
    void visit(const Sequence& x, Labelling labels, int t, int block, Visit visit) const;

    int L_;
    double tick_ = 0;
    std::array<Block, kBlocks + 1> blocks_;  // the last one is kSpanBlock
    SpanLabels span_labels_;                 // empty: no features of spans
    LabelParts parts_;
    bool is_prepared_ = false;
    PairBounds bounds_;             // if prepared, of plain edges and trigrams
    EdgeBounds edge_bounds_;        // if ready, of plain edges
    std::vector<float> last_;       // [L] added at the last token: 0 or minus infinity; empty: no constraint
    std::vector<float> preferred_;  // [L] added at every token; empty: nothing
};

// Where the blocks of weights begin in a vector of all of them, and where the last one ends.
using Offsets = std::array<std::size_t, kBlocks + 1>;
Offsets block_offsets(const Weights& weights);

}  // namespace perceptag

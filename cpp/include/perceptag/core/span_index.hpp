// Features of whole spans: from the attribute values of a span's words, and of the words around it, to rows of weights.
//
// A template joins fields. Each says where it looks:
//
//   first + k, last + k   the value of one word, k words from the first or the last word of the span
//   all                   the values of all words, in their order
//   length                the number of words
//   any                   the value of a word of the span: one feature for each word; the only field of its template
//
// Features are made from the spans of the training data. A value that is a sequence of values is the number of a node
// in a tree of sequences, whose branches are those of training spans: it is found word by word, and a span that leaves
// the tree has no such feature. Look-up is exact, as that of the features of tokens (features.hpp). Attributes with
// several values at a word have none here.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "perceptag/core/feature_table.hpp"
#include "perceptag/core/integers.hpp"
#include "perceptag/core/span_labels.hpp"
#include "perceptag/core/span_rows.hpp"
#include "perceptag/core/types.hpp"

namespace perceptag {

enum class SpanPlace : std::uint8_t { kFirst, kLast, kAll, kLength, kAny };

struct SpanField {
    SpanPlace place;
    int column, attribute;  // unless it is the length
    int offset;             // of kFirst and kLast
};

using SpanTemplate = std::vector<SpanField>;

// Sequences of values as paths from the root, which is node 0.
class SequenceTree {
  public:
    std::int32_t find(std::int32_t node, std::int32_t value) const {
        return node < 0 || value < 0 ? -1 : children_.find(packed(node, value));
    }
    std::int32_t insert(std::int32_t node, std::int32_t value);
    // Every node but the root: the one before it and the value, in the order of their numbers.
    const std::vector<std::int32_t>& list() const { return list_; }
    void load(std::span<const std::int32_t> list, std::int32_t values);

  private:
    KeyMap children_;
    std::vector<std::int32_t> list_;
};

class SpanIndex {
  public:
    using Columns = std::span<const std::int32_t* const>;
    using Tables = std::span<const TypeTable* const>;

    // `padding` and `vocabularies` as in FeatureIndex.
    SpanIndex(std::vector<SpanTemplate> templates, int longest, int padding,
              const std::vector<std::vector<std::int32_t>>& vocabularies);

    int longest() const { return longest_; }
    std::int32_t rows() const { return next_; }
    std::size_t templates() const { return templates_.size(); }
    std::size_t trees() const { return trees_.size(); }

    // Adds the features of the spans of one sequence, tokens [first, last) of the columns.
    void insert(Tables tables, Columns columns, int first, int last, Labelling labels, const SpanLabels& reading);
    // The features of all spans of one sequence, each once: `scratch.hits`.
    void find(Tables tables, Columns columns, int first, int last, SpanScratch& scratch) const;
    // The same for each span, in the order of the templates.
    void find(Tables tables, Columns columns, int first, int last, SpanScratch& scratch, SpanRows& out) const;

    // To store the features, and to read them again: first the trees, then the templates.
    void list(std::size_t number, std::vector<std::int32_t>& values, std::vector<std::int32_t>& rows) const;
    void load(std::size_t number, std::span<const std::int32_t> values, std::span<const std::int32_t> rows);
    const SequenceTree& tree(std::size_t number) const { return trees_.at(number).paths; }
    void load_tree(std::size_t number, std::span<const std::int32_t> list);
    // Whether each row belongs to one feature.
    bool has_every_row() const;

  private:
    struct Read {
        int column, attribute;
        std::int32_t values;  // size of the vocabulary
    };
    struct Tree {
        std::size_t read;
        SequenceTree paths;
    };
    struct Place {
        SpanPlace place;
        std::size_t number;  // of the read or of the tree
        int offset;
        std::vector<std::uint8_t> seen;  // by value: whether any feature has it here
    };
    struct Pattern {
        std::vector<Place> places;
        SpanReach reach;
        FeatureTable features;
    };

    std::size_t read_number(const SpanField& field, const std::vector<std::vector<std::int32_t>>& vocabularies);
    std::size_t tree_number(std::size_t read);
    void find_users();
    void gather(Tables tables, Columns columns, int first, int last, SpanScratch& scratch) const;
    // Writes the values of a pattern for words [start, end); false if one of them is none.
    bool values_of(const Pattern& pattern, int start, int end, SpanScratch& scratch) const;
    std::int32_t row_of(const Pattern& pattern, int start, int end, SpanScratch& scratch) const {
        return values_of(pattern, start, end, scratch) ? pattern.features.find(scratch.key.data()) : -1;
    }
    void note(Pattern& pattern, const std::int32_t* values);
    void find_single(std::size_t number, int T, SpanScratch& scratch) const;
    void find_tried(int T, SpanScratch& scratch) const;
    void choose_spans(int T, SpanScratch& scratch) const;
    void find_whole(std::size_t number, SpanScratch& scratch) const;
    void find_by_values(std::size_t number, int T, SpanScratch& scratch) const;
    template <class Visit>
    void spread(SpanReach reach, const SpanHits::Hit& hit, int T, Visit visit) const;
    template <class Visit>
    void spread_all(const SpanHits& hits, int T, Visit visit) const;
    std::int32_t number_of(SpanScratch::Span span) const { return span.start * longest_ + span.length - 1; }
    void check_values(const Pattern& pattern, std::span<const std::int32_t> values, std::size_t features) const;

    int longest_, padding_;
    std::vector<Read> reads_;
    std::vector<Tree> trees_;
    std::vector<Pattern> templates_;
    std::int32_t next_ = 0;
    std::uint64_t whole_ = 0;           // the templates of whole spans, a bit for each of 64
    std::vector<std::uint64_t> users_;  // [trees] the templates that look at each, likewise
};

}  // namespace perceptag

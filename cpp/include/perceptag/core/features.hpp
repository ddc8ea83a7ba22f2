// Templates and the feature index: from attribute values at a position to rows of weights.
//
//   type ids [T] per column ──template──▶ (value, value, …) ──FeatureTable──▶ row
//
// Look-up is exact: values are packed into 64-bit keys without loss, in several stages where one key is too
// narrow. There is no hashing trick and no collision.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "perceptag/core/feature_table.hpp"
#include "perceptag/core/label_codes.hpp"
#include "perceptag/core/span_index.hpp"
#include "perceptag/core/types.hpp"

namespace perceptag {

struct Field {
    int column;
    int attribute;
    int offset;
};

struct Template {
    std::vector<Field> fields;  // empty: the bias
    int order;                  // 0, 1 or 2
};

// One sequence as rows of weights: for each order, rows[begin[t] .. begin[t+1]) fire at t.
struct Sequence {
    int T = 0;
    std::array<std::vector<std::int32_t>, kOrders> rows;
    std::array<std::vector<std::int32_t>, kOrders> begin;  // [T+1], or empty if no template has this order
    std::array<std::vector<float>, kOrders> amounts;       // what each row counts, or empty if all count 1
    std::vector<std::int32_t> labels;                      // [T] gold labels, or empty
    std::vector<std::int32_t> closed;                      // [T] entry of the tag dictionary or -1; may be empty
    SpanRows spans;                                        // of whole spans, if the model has such features

    std::span<const std::int32_t> at(int order, int t) const {
        const auto& b = begin[order];
        if (b.empty()) return {};
        return {rows[order].data() + b[t], rows[order].data() + b[t + 1]};
    }
    // Calls visit(row, amount) for what fires at t.
    template <class Visit>
    void for_each(int order, int t, Visit visit) const {
        const auto& b = begin[order];
        if (b.empty()) return;
        const std::int32_t* row = rows[order].data();
        if (amounts[order].empty()) {
            for (std::int32_t i = b[t]; i < b[t + 1]; ++i) visit(row[i], 1.0F);
            return;
        }
        const float* amount = amounts[order].data();
        for (std::int32_t i = b[t]; i < b[t + 1]; ++i) visit(row[i], amount[i]);
    }
    bool has_amounts() const {
        return std::ranges::any_of(amounts, [](const auto& of_order) { return !of_order.empty(); });
    }
    // Adds a row of an order to those of the last token.
    void push(int order, std::int32_t row, float amount) {
        if (amount != 1 || !amounts[order].empty()) {
            amounts[order].resize(rows[order].size(), 1.0F);  // those before counted 1
            amounts[order].push_back(amount);
        }
        rows[order].push_back(row);
    }
};

// Which templates to look up, and the attribute values that they read.
struct Plan {
    struct Read {
        std::size_t column, attribute;
    };
    struct Step {
        std::size_t number;                               // of the template
        std::vector<std::pair<std::size_t, int>> fields;  // which read, at which offset
    };
    std::vector<Read> reads;
    std::array<std::vector<Step>, kOrders> steps;
};

// Scratch memory for the look-up of one sequence.
struct LookupScratch {
    std::vector<const std::int32_t*> types;   // [T] attribute values of the types of one column
    std::vector<std::int32_t> values;         // [reads, T + 2·padding]
    std::vector<const std::int32_t*> fields;  // of one template: where its values for t = 0 stand
    std::vector<std::uint64_t> keys;          // [T]
    std::vector<std::int32_t> found;          // [T, templates of one order] rows, or -1
    SpanScratch spans;
};

// The features of one template, as `FeatureIndex::list` gives them.
struct FeatureList {
    std::span<const std::int32_t> values;  // [features, arity]
    std::span<const std::int32_t> rows;    // [features]
};

class FeatureIndex {
  public:
    // `padding`: how many positions before and after a sequence have values of their own; values 0 ..
    // 2*padding-1 of every attribute are those. `vocabularies[c][a]`: number of values of attribute a of
    // column c, padding included.
    FeatureIndex(std::vector<Template> templates, int padding, std::vector<std::vector<std::int32_t>> vocabularies);

    // Fill `out` for tokens [first, last) of the columns of type ids. New features are left out.
    using Columns = std::span<const std::int32_t* const>;
    using Tables = std::span<const TypeTable* const>;
    void find(Tables tables, Columns columns, int first, int last, LookupScratch& scratch, Sequence& out) const {
        find(all_, tables, columns, first, last, scratch, out);
        if (spans_) spans_->find(tables, columns, first, last, scratch.spans, out.spans);
    }
    // With some of the templates only, and without those of whole spans.
    void find(const Plan& plan, Tables tables, Columns columns, int first, int last, LookupScratch& scratch,
              Sequence& out) const;
    Plan plan(std::span<const std::size_t> templates) const;
    // Fill out[i] for tokens [begin[i], begin[i+1]). New features are added. Their rows do not depend on the number of
    // threads: they follow each other as one thread meets them that looks at one sequence after the other.
    void insert(Tables tables, Columns columns, std::span<const std::int32_t> begin, std::span<Sequence> out,
                int threads);

    void renumber(int order, std::span<const std::int32_t> renumber, std::int32_t rows, int threads);
    void list(int number, std::vector<std::int32_t>& values, std::vector<std::int32_t>& rows) const;
    void load(int number, std::span<const std::int32_t> values, std::span<const std::int32_t> rows);
    // Adds the features of another index over the same templates and vocabularies, in the order of its rows. So when
    // the indices of parts of the data are merged one after the other, the result is the index of all data. Returns the
    // row here of each row there, for each order.
    std::array<std::vector<std::int32_t>, kOrders> merge(std::span<const FeatureList> lists);

    std::int32_t rows(int order) const { return next_[order]; }
    // Whether each row of an order belongs to one feature.
    bool has_every_row(int order) const;
    const std::vector<Template>& templates() const { return templates_; }
    int padding() const { return padding_; }
    std::int32_t find(std::size_t number, const std::int32_t* values) const { return features_[number].find(values); }
    // Throws unless the tables have the columns and attributes that the templates read.
    void check(Tables tables) const;

    // Features of whole spans, which `find` fills in as well. None unless they are made.
    void make_spans(std::vector<SpanTemplate> templates, int longest) {
        spans_.emplace(std::move(templates), longest, padding_, vocabularies_);
    }
    const std::optional<SpanIndex>& spans() const { return spans_; }
    std::optional<SpanIndex>& spans() { return spans_; }

  private:
    void check_values(std::size_t number, std::span<const std::int32_t> values, std::size_t features) const;
    // A feature in a list: the number of its template, and its values.
    struct Listed {
        std::size_t number;
        const std::int32_t* values;
    };
    std::vector<Listed> by_row(int order, std::span<const FeatureList> lists) const;
    bool gather(const Plan& plan, Tables tables, Columns columns, int first, int T,
                std::vector<const std::int32_t*>& types, std::int32_t* values) const;
    // Where the values of the fields of a template stand that `gather` found: those for t = 0.
    void place_fields(const Plan::Step& step, const std::int32_t* values, int T,
                      std::vector<const std::int32_t*>& fields) const;
    friend class FeatureGrowth;

    std::vector<Template> templates_;
    int padding_;
    std::vector<std::vector<std::int32_t>> vocabularies_;
    std::vector<FeatureTable> features_;  // one for each template
    Plan all_;
    std::array<std::int32_t, kOrders> next_{};
    std::optional<SpanIndex> spans_;
};

}  // namespace perceptag

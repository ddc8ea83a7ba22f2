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
#include <span>
#include <utility>
#include <vector>

#include "perceptag/core/compiler.hpp"
#include "perceptag/core/label_codes.hpp"
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

// Open addressing from 64-bit keys to numbers >= 0.
class KeyMap {
  public:
    std::int32_t find(std::uint64_t key) const {
        if (slots_.empty()) return -1;
        for (std::size_t i = place(key);; i = after(i)) {
            if (slots_[i].value < 0) return -1;
            if (slots_[i].key == key) return slots_[i].value;
        }
    }
    // Returns the value of the key, `fresh` if it was not there before.
    std::int32_t insert(std::uint64_t key, std::int32_t fresh);
    // Starts again with these keys, whose values are their places; false if one of them is there twice.
    bool number(std::span<const std::uint64_t> keys);
    // Changes the value of a key that is there.
    void change(std::uint64_t key, std::int32_t value);
    void reserve(std::size_t n);
    void prefetch(std::uint64_t key) const {
        if (!slots_.empty()) fetch_ahead(&slots_[place(key)]);
    }
    // Calls visit(key, value) for all keys, in no order.
    template <class Visit>
    void for_each(Visit visit) const {
        for (const Slot& slot : slots_)
            if (slot.value >= 0) visit(slot.key, slot.value);
    }

  private:
    struct Slot {
        std::uint64_t key;
        std::int32_t value;
    };
    // The upper half of a mixed key, as a share of the slots: their number need not be a power of two.
    std::size_t place(std::uint64_t key) const { return (key * 0x9E3779B97F4A7C15u >> 32) * slots_.size() >> 32; }
    std::size_t after(std::size_t i) const { return i + 1 < slots_.size() ? i + 1 : 0; }
    void grow(std::size_t capacity);

    std::vector<Slot> slots_;
    std::size_t size_ = 0;
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
};

// All features of one template.
class FeatureTable {
  public:
    // `bits[i]`: width of the i-th value. No value may need more.
    explicit FeatureTable(std::vector<int> bits);

    std::int32_t find(const std::int32_t* values) const;
    // Returns the row; a new feature gets `fresh`.
    std::int32_t insert(const std::int32_t* values, std::int32_t fresh);
    // Adds features that are all known; false if one is there twice. Their list is made when it is needed.
    bool load(std::span<const std::int32_t> values, std::span<const std::int32_t> rows);
    // The same for T positions at once: fields[i][t] is the i-th value at t, negative: none. The row, or -1, goes to
    // out[t·stride].
    using Fields = std::span<const std::int32_t* const>;
    void find_all(Fields fields, int T, std::vector<std::uint64_t>& keys, std::int32_t* out, std::size_t stride) const;
    // New features get the numbers from `fresh` on; the rows go to out[t].
    void insert_all(Fields fields, int T, std::int32_t fresh, std::vector<std::uint64_t>& keys, std::int32_t* out);
    // Gives the feature that was added as number `feature` another row.
    void change(std::size_t feature, std::int32_t row);
    std::size_t size() const { return size_; }
    // Makes room for n features, no more.
    void reserve(std::size_t n);
    // Rewrites rows by `renumber` and drops those that map to -1.
    void renumber(std::span<const std::int32_t> renumber);
    // Every feature: its values (arity numbers each) and its row, in the order of insertion.
    void list(std::vector<std::int32_t>& values, std::vector<std::int32_t>& rows) const;
    // Calls visit(row) for each feature, in no order.
    template <class Visit>
    void for_each_row(Visit visit) const {
        if (!stages_.empty()) return stages_.back().map.for_each([&](std::uint64_t, std::int32_t row) { visit(row); });
        for (const std::int32_t row : direct_)
            if (row >= 0) visit(row);
    }

  private:
    struct Stage {
        std::size_t first, last;  // fields packed here, after the number given by the stage before
        KeyMap map;
    };
    std::uint64_t key(const Stage& stage, std::int32_t before, const std::int32_t* values) const;
    // The row of some values; new ones get `fresh`, without an entry in the list.
    std::int32_t enter(const std::int32_t* values, std::int32_t fresh);
    void make_list();

    std::vector<int> bits_;
    std::vector<Stage> stages_;         // two values or more
    std::vector<std::int32_t> direct_;  // one value: row by value; none: direct_[0]
    std::size_t size_ = 0;
    // The list, for those that are learned. What was loaded in the order of its rows needs none.
    bool is_listed_ = true;
    std::vector<std::int32_t> values_;     // [features, arity]
    std::vector<std::int32_t> rows_;       // [features]
    std::vector<std::int32_t> numbers_{};  // next number of each inner stage
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
    }
    // With some of the templates only.
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
    bool has_order(int order) const;
    // Throws unless the tables have the columns and attributes that the templates read.
    void check(Tables tables) const;

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
};

}  // namespace perceptag

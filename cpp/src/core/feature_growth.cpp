// New features of many sequences, on several threads.
//
//   some thousand tokens ──gather──▶ values ──each template for itself──▶ rows, those of new features for now
//                                                        ──in the order of the sequences──▶ rows
//
// A template has a table of its own, so threads look at different templates at the same time. The rows of new features
// follow from where each was met, so they do not depend on threads.
#include <algorithm>
#include <limits>

#include "perceptag/core/features.hpp"
#include "perceptag/core/integers.hpp"
#include "perceptag/core/parallel.hpp"

namespace perceptag {

namespace {

constexpr std::int32_t kTokens = 4096;  // that are looked at together, so that their values stay in a cache
constexpr std::size_t kNoBags = std::numeric_limits<std::size_t>::max();

// What the features of one template are in the sequences that are looked at.
struct OfTemplate {
    OfTemplate(const Plan::Step& of, int of_order) : step(&of), order(of_order) {}

    const Plan::Step* step;
    int order;
    std::int32_t base = 0;           // rows from here on stand for new features
    std::size_t known = 0;           // features before
    std::vector<std::int32_t> rows;  // [tokens] the row or -1; where the template sees bags: how many rows a token has
    std::vector<std::size_t> bags;   // [sequences] kNoBags, or where the rows of a sequence begin in the next two
    std::vector<std::int32_t> bag_rows;
    std::vector<float> amounts;
    std::vector<std::int32_t> met;    // [new features] the token that each was met at
    std::vector<std::int32_t> given;  // [new features] their rows

    std::int32_t row(std::int32_t found) const { return found < base ? found : given[found - base]; }
};

}  // namespace

// The sequences that are looked at together, again and again.
class FeatureGrowth {
  public:
    FeatureGrowth(FeatureIndex& index, FeatureIndex::Tables tables, FeatureIndex::Columns columns,
                  std::span<const std::int32_t> begin, std::span<Sequence> out)
        : index_(index), tables_(tables), columns_(columns), begin_(begin), out_(out) {
        for (int order = 0; order < kOrders; ++order)
            for (const Plan::Step& step : index.all_.steps[order]) templates_.emplace_back(step, order);
    }

    void run(int threads) {
        for (first_ = 0; first_ < out_.size(); first_ = last_) {
            take_sequences();
            parallel_for(last_ - first_, threads, [&](std::size_t i, LookupScratch& scratch) { gather(i, scratch); });
            parallel_for(
                templates_.size(), threads,
                [&](std::size_t k, LookupScratch& scratch) { look_up(templates_[k], scratch); }, 1);
            give_rows();
            parallel_for(templates_.size(), threads, [&](std::size_t k) { settle(templates_[k]); }, 1);
            parallel_for(last_ - first_, threads, [&](std::size_t i) { write(i); });
        }
    }

  private:
    int token(std::size_t i) const { return begin_[first_ + i]; }
    int length(std::size_t i) const { return begin_[first_ + i + 1] - token(i); }
    std::size_t place(std::size_t i) const { return token(i) - token(0); }  // among the tokens looked at

    void take_sequences() {
        places_.assign(1, 0);
        for (last_ = first_; last_ < out_.size() && begin_[last_] - begin_[first_] < kTokens; ++last_)
            places_.push_back(places_.back() +
                              index_.all_.reads.size() * (length(last_ - first_) + 2 * index_.padding_));
        values_.resize(places_.back());
        is_single_.resize(last_ - first_);
    }

    void gather(std::size_t i, LookupScratch& scratch) {
        is_single_[i] = index_.gather(index_.all_, tables_, columns_, token(i), length(i), scratch.types,
                                      values_.data() + places_[i]);
    }

    void look_up(OfTemplate& found, LookupScratch& scratch) {
        FeatureTable& table = index_.features_[found.step->number];
        found.base = index_.next_[found.order];
        found.known = table.size();
        found.rows.resize(begin_[last_] - begin_[first_]);
        found.bags.resize(last_ - first_);
        found.bag_rows.clear();
        found.amounts.clear();
        found.met.clear();
        for (std::size_t i = 0; i < last_ - first_; ++i) {
            index_.place_fields(*found.step, values_.data() + places_[i], length(i), scratch.fields);
            const bool has_bags = !is_single_[i] && sees_bags(scratch.fields, length(i));
            found.bags[i] = has_bags ? found.bag_rows.size() : kNoBags;
            has_bags ? look_up_bags(found, table, i, scratch) : look_up_single(found, table, i, scratch);
        }
    }

    static bool sees_bags(std::span<const std::int32_t* const> fields, int T) {
        return std::ranges::any_of(fields, [T](const std::int32_t* values) {
            return std::any_of(values, values + T, [](std::int32_t value) { return value <= kBag; });
        });
    }

    void look_up_single(OfTemplate& found, FeatureTable& table, std::size_t i, LookupScratch& scratch) {
        std::int32_t* rows = found.rows.data() + place(i);
        const std::int32_t fresh = found.base + to_int32(found.met.size());
        table.insert_all(scratch.fields, length(i), fresh, scratch.keys, rows);
        if (table.size() == found.known + found.met.size()) return;
        for (int t = 0; t < length(i); ++t)
            if (rows[t] - found.base == std::ssize(found.met)) found.met.push_back(token(i) + t);
    }

    void look_up_bags(OfTemplate& found, FeatureTable& table, std::size_t i, LookupScratch& scratch) {
        const std::vector<Field>& fields = index_.templates_[found.step->number].fields;
        const auto table_of = [&](std::size_t f) -> const TypeTable& { return *tables_[fields[f].column]; };
        for (int t = 0; t < length(i); ++t) {
            const std::size_t before = found.bag_rows.size();
            values_at(scratch.fields, t, scratch.found);
            for_each_combination(scratch.found, table_of, [&](const std::int32_t* values, float amount) {
                const std::int32_t fresh = found.base + to_int32(found.met.size());
                found.bag_rows.push_back(table.insert(values, fresh));
                found.amounts.push_back(amount);
                if (found.bag_rows.back() == fresh) found.met.push_back(token(i) + t);
            });
            found.rows[place(i) + t] = to_int32(found.bag_rows.size() - before);
        }
    }

    static void values_at(std::span<const std::int32_t* const> fields, int t, std::vector<std::int32_t>& values) {
        values.clear();
        for (const std::int32_t* field : fields) values.push_back(field[t]);
    }

    // In a sequence the features of one template come after those of another; where there are bags, those of one token
    // after those of another.
    void give_rows() {
        for (OfTemplate& one : templates_) one.given.clear();
        for (std::size_t i = 0; i < last_ - first_; ++i) {
            const int end = token(i) + length(i);
            for (int until = is_single_[i] ? end : token(i) + 1; until <= end; ++until)
                for (OfTemplate& one : templates_)
                    while (one.given.size() < one.met.size() && one.met[one.given.size()] < until)
                        one.given.push_back(index_.next_[one.order]++);
        }
    }

    void settle(OfTemplate& one) {
        FeatureTable& table = index_.features_[one.step->number];
        for (std::size_t j = 0; j < one.given.size(); ++j) table.change(one.known + j, one.given[j]);
    }

    void write(std::size_t i) {
        Sequence& x = out_[first_ + i];
        x.T = length(i);
        auto some = templates_.begin();
        for (int order = 0; order < kOrders; ++order) {
            const auto end = std::find_if(some, templates_.end(), [&](const auto& one) { return one.order != order; });
            x.rows[order].clear();
            x.begin[order].clear();
            x.amounts[order].clear();
            if (some != end) is_single_[i] ? write_single({some, end}, i, x) : write_bags({some, end}, i, x);
            some = end;
        }
    }

    // Rows of templates of one order.
    void write_single(std::span<const OfTemplate> templates, std::size_t i, Sequence& x) {
        std::vector<std::int32_t>& rows = x.rows[templates[0].order];
        std::vector<std::int32_t>& begin = x.begin[templates[0].order];
        std::size_t count = 0;
        for (const OfTemplate& one : templates)
            count += x.T - std::count(one.rows.data() + place(i), one.rows.data() + place(i) + x.T, -1);
        rows.reserve(count);
        begin.reserve(x.T + 1U);
        begin.push_back(0);
        for (std::size_t t = place(i); t < place(i) + x.T; ++t) {
            for (const OfTemplate& one : templates)
                if (one.rows[t] >= 0) rows.push_back(one.row(one.rows[t]));
            begin.push_back(to_int32(rows.size()));
        }
    }

    // The same where some of them see bags.
    void write_bags(std::span<const OfTemplate> templates, std::size_t i, Sequence& x) {
        const int order = templates[0].order;
        std::vector<std::size_t> next;
        for (const OfTemplate& one : templates) next.push_back(one.bags[i]);
        x.begin[order].reserve(x.T + 1U);
        x.begin[order].push_back(0);
        for (std::size_t t = place(i); t < place(i) + x.T; ++t) {
            for (std::size_t k = 0; k < templates.size(); ++k) write_token(templates[k], t, next[k], x);
            x.begin[order].push_back(to_int32(x.rows[order].size()));
        }
        x.rows[order].shrink_to_fit();
        x.amounts[order].shrink_to_fit();
    }

    // `next`: where its rows begin among those of bags, and then where those of the next token begin.
    static void write_token(const OfTemplate& one, std::size_t t, std::size_t& next, Sequence& x) {
        if (next == kNoBags) {
            if (one.rows[t] >= 0) x.push(one.order, one.row(one.rows[t]), 1.0F);
            return;
        }
        for (const std::size_t end = next + one.rows[t]; next < end; ++next)
            x.push(one.order, one.row(one.bag_rows[next]), one.amounts[next]);
    }

    FeatureIndex& index_;
    FeatureIndex::Tables tables_;
    FeatureIndex::Columns columns_;
    std::span<const std::int32_t> begin_;
    std::span<Sequence> out_;
    std::vector<OfTemplate> templates_;    // by order
    std::size_t first_ = 0, last_ = 0;     // the sequences that are looked at
    std::vector<std::size_t> places_;      // [sequences + 1] where their values begin
    std::vector<std::int32_t> values_;     // as `gather` finds them
    std::vector<std::uint8_t> is_single_;  // [sequences] whether each attribute has one value at most
};

void FeatureIndex::insert(Tables tables, Columns columns, std::span<const std::int32_t> begin, std::span<Sequence> out,
                          int threads) {
    FeatureGrowth(*this, tables, columns, begin, out).run(threads);
}

}  // namespace perceptag

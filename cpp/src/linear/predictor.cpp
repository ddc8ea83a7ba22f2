#include "perceptag/linear/predictor.hpp"

#include <algorithm>

#include "perceptag/core/compiler.hpp"
#include "perceptag/core/dispatch.hpp"
#include "perceptag/core/integers.hpp"
#include "perceptag/core/parallel.hpp"
#include "perceptag/core/vector_math.hpp"
#include "perceptag/search/viterbi.hpp"

namespace perceptag {
namespace {

// node[t][y] += sums[t + offset_g][g][y] for every group g that looks at a token inside; null: no sums
PERCEPTAG_CLONES void add_sums(const float* const* sums, const int* offsets, std::size_t groups, int T, std::size_t L,
                               float* node) {
    for (int s = 0; s < T; ++s) {
        if (!sums[s]) continue;
        for (std::size_t g = 0; g < groups; ++g) {
            const int t = s - offsets[g];
            if (t < 0 || t >= T) continue;
            const float* row = sums[s] + g * L;
            float* to = node + t * L;
            for (std::size_t y = 0; y < L; ++y) to[y] += row[y];
        }
    }
}

}  // namespace

Predictor::Predictor(const FeatureIndex& index, const Weights& weights, std::vector<const TypeTable*> tables,
                     std::size_t memory, std::vector<std::size_t> computed)
    : index_(index),
      weights_(weights),
      tables_(std::move(tables)),
      width_(weights.node_width()),
      columns_(tables_.size()),
      everywhere_(weights.node_width(), 0.0F) {
    std::vector<std::size_t> joint;
    for (std::size_t i = 0; i < index.templates().size(); ++i) add_template(i, joint);
    joint_ = index.plan(joint);
    for (const std::size_t c : computed) columns_.at(c).is_computed = true;
    for (Column& column : columns_) {
        const std::size_t bytes = column.groups.size() * width_ * sizeof(float);
        column.limit = bytes && !column.is_computed ? memory / columns_.size() / bytes / kChunk * kChunk : 0;
        column.chunks.resize(column.limit / kChunk);  // never again, since other threads read it
        for (Group& group : column.groups) fill_outside(group);
    }
}

void Predictor::add_template(std::size_t number, std::vector<std::size_t>& joint) {
    const Template& pattern = index_.templates()[number];
    if (pattern.order == 0 && pattern.fields.empty()) return add_features(number, nullptr, everywhere_.data());
    const bool is_single =
        pattern.order == 0 && std::ranges::all_of(pattern.fields, [&](const Field& field) {
            return field.column == pattern.fields[0].column && field.offset == pattern.fields[0].offset;
        });
    if (!is_single) return joint.push_back(number);
    std::vector<Group>& groups = columns_.at(pattern.fields[0].column).groups;
    const int offset = pattern.fields[0].offset;
    auto group = std::ranges::find(groups, offset, &Group::offset);
    if (group == groups.end()) group = groups.insert(group, Group{offset, {}, {}});
    group->templates.push_back(number);
}

void Predictor::fill_outside(Group& group) {
    const std::size_t L = width_;
    const std::int32_t places = 2 * index_.padding();
    group.outside.assign(places * L, 0.0F);
    for (const std::size_t number : group.templates)
        for (std::int32_t place = 0; place < places; ++place) {
            const std::vector<std::int32_t> values(index_.templates()[number].fields.size(), place);
            add_features(number, values.data(), group.outside.data() + place * L);
        }
}

void Predictor::add_features(std::size_t number, const std::int32_t* values, float* out) const {
    if (const std::int32_t row = index_.find(number, values); row >= 0) weights_.block(0).add_row(row, 1.0F, out);
}

void Predictor::find_rows(const TypeTable& table, const Group& group, std::int32_t type, FoundRows& found) const {
    const Block& block = weights_.block(0);
    const std::int32_t* attributes = table.row(type);
    for (const std::size_t number : group.templates) {
        const auto add = [&](const std::int32_t* some, float amount) {
            const std::int32_t row = index_.find(number, some);
            if (row < 0) return;
            block.prefetch_row(row);
            found.rows.push_back({row, amount});
        };
        const std::vector<Field>& fields = index_.templates()[number].fields;
        if (fields.size() == 1 && attributes[fields[0].attribute] > kBag) {  // by far the most
            if (attributes[fields[0].attribute] != kNone) add(attributes + fields[0].attribute, 1.0F);
            continue;
        }
        found.values.clear();
        for (const Field& field : fields) found.values.push_back(attributes[field.attribute]);
        for_each_combination(found.values, [&](std::size_t) -> const TypeTable& { return table; }, add);
    }
    found.ends.push_back(found.rows.size());
}

void Predictor::add_type(const TypeTable& table, const Group& group, std::int32_t type, FoundRows& found,
                         float* out) const {
    found.clear();
    find_rows(table, group, type, found);
    for (const auto& [row, amount] : found.rows) weights_.block(0).add_row(row, amount, out);
}

// The sums of all groups for one type. All rows come first, so that memory is waited for once.
void Predictor::make_type(const TypeTable& table, const Column& column, std::int32_t type, FoundRows& found) const {
    found.clear();
    for (const Group& group : column.groups) find_rows(table, group, type, found);
    const Block& block = weights_.block(0);
    for (const FoundRows::Row& one : found.rows) block.prefetch_slots(one.row);
    float* to = sums_place(column, type);
    for (std::size_t g = 0, i = 0; g < found.ends.size(); ++g, to += width_)
        for (; i < found.ends[g]; ++i) block.add_row(found.rows[i].row, found.rows[i].amount, to);
}

void Predictor::make_sums(const Batch& batch, int threads) {
    const std::size_t L = width_, tokens = batch.begin.back();
    const std::lock_guard lock(guard_);
    for (std::size_t c = 0; c < columns_.size(); ++c) {
        Column& column = columns_[c];
        if (column.groups.empty() || !tokens) continue;
        const std::int32_t highest = *std::max_element(batch.columns[c], batch.columns[c] + tokens);
        const auto wanted = static_cast<std::int32_t>(std::min(column.limit, static_cast<std::size_t>(highest) + 1));
        if (wanted <= column.made) continue;
        const std::size_t size = column.groups.size() * L;
        for (std::size_t k = 0; k * kChunk < static_cast<std::size_t>(wanted); ++k)
            if (!column.chunks[k]) column.chunks[k] = PagedArray<float>(kChunk * size);
        const auto make = [&](std::size_t i, FoundRows& found) {
            make_type(*tables_[c], column, column.made + to_int32(i), found);
        };
        parallel_for(wanted - column.made, threads, make, 64);
        column.made = wanted;
    }
}

// Adds what the tokens of one column add by themselves.
void Predictor::add_column(std::size_t c, const Batch& batch, std::size_t i, Worker& worker) const {
    const Column& column = columns_[c];
    const int first = batch.begin[i], T = batch.begin[i + 1] - first;
    const std::size_t L = width_;
    float* node = weights_.node_sums(worker.lattice).data();
    worker.sums.resize(T);
    for (int t = 0; t < T; ++t) {
        worker.sums[t] = sums(column, batch.columns[c][first + t]);
        fetch_ahead(worker.sums[t]);
    }
    worker.offsets.clear();
    for (const Group& group : column.groups) {
        worker.offsets.push_back(group.offset);
        for (int t = 0; t < T; ++t) {  // places outside, and types without sums
            const int place = t + group.offset;
            float* to = node + t * L;
            if (place >= 0 && place < T) {
                const std::int32_t type = batch.columns[c][first + place];
                if (!worker.sums[place] && !(column.is_computed && type == 0))
                    add_type(*batch.tables[c], group, type, worker.found, to);
                continue;
            }
            const int number = place < 0 ? -place - 1 : index_.padding() + place - T;
            add_vector(to, group.outside.data() + number * L, L);
        }
    }
    add_sums(worker.sums.data(), worker.offsets.data(), worker.offsets.size(), T, L, node);
}

void Predictor::score(const TagDictionary* dictionary, const Batch& batch, std::size_t i, Worker& worker) const {
    Sequence& x = worker.sequence;
    index_.find(joint_, batch.tables, batch.columns, batch.begin[i], batch.begin[i + 1], worker.lookup, x);
    batch.attach(i, x);
    const std::size_t T = x.T, L = width_;
    std::vector<float>& sums = weights_.node_sums(worker.lattice);
    sums.resize(T * L);
    for (std::size_t t = 0; t < T; ++t) std::copy(everywhere_.begin(), everywhere_.end(), sums.begin() + (t * L));
    for (std::size_t c = 0; c < columns_.size(); ++c)
        if (!columns_[c].groups.empty()) add_column(c, batch, i, worker);
    weights_.add_to(x, dictionary, worker.lattice);
    if (!index_.spans()) return;
    SpanScratch& spans = worker.lookup.spans;
    index_.spans()->find(batch.tables, batch.columns, batch.begin[i], batch.begin[i + 1], spans);
    weights_.add_spans(spans.hits, worker.lattice);
    spans.release_much();
}

std::vector<std::int32_t> Predictor::tag(const TagDictionary* dictionary, const Batch& batch, int threads) {
    make_sums(batch, threads);
    std::vector<std::int32_t> labels(batch.begin.back());
    parallel_for(batch.size(), threads,
                 [&](std::size_t i, Worker& worker) { best(dictionary, batch, i, worker, batch.part(labels, i)); });
    return labels;
}

double Predictor::best(const TagDictionary* dictionary, const Batch& batch, std::size_t i, Worker& worker,
                       LabelsOut labels) const {
    return with_fallback(dictionary, [&](const TagDictionary* used) {
        score(used, batch, i, worker);
        return viterbi(worker.lattice, worker, labels);
    });
}

}  // namespace perceptag

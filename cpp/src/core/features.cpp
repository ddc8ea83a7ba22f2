#include "perceptag/core/features.hpp"

#include <algorithm>
#include <bit>
#include <functional>
#include <limits>
#include <numeric>
#include <stdexcept>

#include "perceptag/core/integers.hpp"
#include "perceptag/core/parallel.hpp"
#include "perceptag/core/stored_arrays.hpp"

namespace perceptag {

namespace {

constexpr std::ptrdiff_t kAhead = 16;  // how many keys later a slot is needed that is fetched now

}  // namespace

// ---------------------------------------------------------------------------------------------- KeyMap

void KeyMap::grow(std::size_t capacity) {
    std::vector<Slot> old(capacity, Slot{0, -1});
    old.swap(slots_);
    for (const Slot& slot : old) {
        if (slot.value < 0) continue;
        std::size_t i = place(slot.key);
        while (slots_[i].value >= 0) i = after(i);
        slots_[i] = slot;
    }
}

void KeyMap::reserve(std::size_t n) {
    const std::size_t wanted = std::max<std::size_t>(16, n * 2);
    if (wanted > slots_.size()) grow(wanted);
}

std::int32_t KeyMap::insert(std::uint64_t key, std::int32_t fresh) {
    if ((size_ + 1) * 2 > slots_.size()) grow(std::max<std::size_t>(16, slots_.size() * 2));
    std::size_t i = place(key);
    while (slots_[i].value >= 0) {
        if (slots_[i].key == key) return slots_[i].value;
        i = after(i);
    }
    slots_[i] = {key, fresh};
    ++size_;
    return fresh;
}

bool KeyMap::number(std::span<const std::uint64_t> keys) {
    *this = {};
    reserve(keys.size());
    for (std::int32_t i = 0; i < std::ssize(keys); ++i) {
        if (i + kAhead < std::ssize(keys)) prefetch(keys[i + kAhead]);
        if (insert(keys[i], i) != i) return false;
    }
    return true;
}

void KeyMap::change(std::uint64_t key, std::int32_t value) {
    std::size_t i = place(key);
    while (slots_[i].key != key || slots_[i].value < 0) i = after(i);
    slots_[i].value = value;
}

// ---------------------------------------------------------------------------------------- FeatureTable

FeatureTable::FeatureTable(std::vector<int> bits) : bits_(std::move(bits)) {
    if (bits_.empty()) direct_.assign(1, -1);
    if (bits_.size() < 2) return;
    int used = 65;  // opens the first stage
    for (std::size_t i = 0; i < bits_.size(); ++i) {
        if (used + bits_[i] > 64) {
            used = stages_.empty() ? 0 : 32;  // a later stage starts with the number given by the one before
            stages_.push_back({i, i, {}});
        }
        used += bits_[i];
        stages_.back().last = i + 1;
    }
    numbers_.assign(stages_.size(), 0);
}

std::uint64_t FeatureTable::key(const Stage& stage, std::int32_t before, const std::int32_t* values) const {
    std::uint64_t key = static_cast<std::uint32_t>(before);
    for (std::size_t i = stage.first; i < stage.last; ++i)
        key = (key << bits_[i]) | static_cast<std::uint32_t>(values[i]);
    return key;
}

std::int32_t FeatureTable::find(const std::int32_t* values) const {
    if (bits_.size() == 1) {
        const std::size_t v = values[0];
        return v < direct_.size() ? direct_[v] : -1;
    }
    if (bits_.empty()) return direct_[0];
    std::int32_t number = 0;
    for (const Stage& stage : stages_) {
        number = stage.map.find(key(stage, number, values));
        if (number < 0) return -1;
    }
    return number;
}

std::int32_t FeatureTable::enter(const std::int32_t* values, std::int32_t fresh) {
    if (bits_.size() < 2) {
        const std::size_t v = bits_.empty() ? 0 : values[0];
        if (v >= direct_.size()) direct_.resize(std::max(v + 1, direct_.size() * 2), -1);
        return direct_[v] >= 0 ? direct_[v] : direct_[v] = fresh;
    }
    std::int32_t number = 0;
    for (std::size_t s = 0; s + 1 < stages_.size(); ++s) {
        number = stages_[s].map.insert(key(stages_[s], number, values), numbers_[s]);
        if (number == numbers_[s]) ++numbers_[s];
    }
    return stages_.back().map.insert(key(stages_.back(), number, values), fresh);
}

std::int32_t FeatureTable::insert(const std::int32_t* values, std::int32_t fresh) {
    if (!is_listed_) make_list();
    const std::int32_t row = enter(values, fresh);
    if (row != fresh) return row;
    values_.insert(values_.end(), values, values + bits_.size());
    rows_.push_back(row);
    ++size_;
    return row;
}

bool FeatureTable::load(std::span<const std::int32_t> values, std::span<const std::int32_t> rows) {
    const std::size_t arity = bits_.size();
    const bool needs_list = size_ > 0 || !std::ranges::is_sorted(rows);
    if (needs_list) {
        reserve(rows.size());
        for (std::size_t i = 0; i < rows.size(); ++i)
            if (insert(values.data() + i * arity, rows[i]) != rows[i]) return false;
        return true;
    }
    is_listed_ = rows.empty();
    size_ = rows.size();
    if (!stages_.empty()) stages_.back().map.reserve(rows.size());
    if (arity == 1 && !values.empty()) direct_.assign(std::ranges::max(values) + 1U, -1);
    if (stages_.size() != 1) {
        for (std::size_t i = 0; i < rows.size(); ++i)
            if (enter(values.data() + i * arity, rows[i]) != rows[i]) return false;
        return true;
    }
    Stage& stage = stages_.front();
    std::array<std::uint64_t, kAhead> keys;
    for (std::size_t first = 0; first < rows.size(); first += keys.size()) {
        const std::size_t last = std::min(rows.size(), first + keys.size());
        for (std::size_t i = first; i < last; ++i)
            stage.map.prefetch(keys[i - first] = key(stage, 0, values.data() + i * arity));
        for (std::size_t i = first; i < last; ++i)
            if (stage.map.insert(keys[i - first], rows[i]) != rows[i]) return false;
    }
    return true;
}

namespace {

// The values that the fields of a template have at one token.
class TokenValues {
  public:
    explicit TokenValues(FeatureTable::Fields fields) : fields_(fields), values_(fields.size()) {}

    // False if a field has none.
    bool read(int t) {
        std::int32_t all = 0;
        for (std::size_t i = 0; i < values_.size(); ++i) all |= values_[i] = fields_[i][t];
        return all >= 0;
    }
    const std::int32_t* data() const { return values_.data(); }

  private:
    FeatureTable::Fields fields_;
    std::vector<std::int32_t> values_;
};

}  // namespace

void FeatureTable::find_all(Fields fields, int T, std::vector<std::uint64_t>& keys, std::int32_t* out,
                            std::size_t stride) const {
    const auto at = [stride](int t) { return t * stride; };
    if (bits_.size() < 2) {
        for (int t = 0; t < T; ++t) {
            const std::size_t v = bits_.empty() ? 0 : fields[0][t];  // none is beyond all
            out[at(t)] = v < direct_.size() ? direct_[v] : -1;
        }
        return;
    }
    TokenValues values(fields);
    // All keys first, so that their slots are on the way from memory when the first one is looked at.
    const Stage& first = stages_.front();
    keys.resize(T);
    for (int t = 0; t < T; ++t) {
        out[at(t)] = values.read(t) ? 0 : -1;
        if (out[at(t)] < 0) continue;
        keys[t] = key(first, 0, values.data());
        first.map.prefetch(keys[t]);
    }
    for (int t = 0; t < T; ++t) {
        if (out[at(t)] < 0) continue;
        std::int32_t number = first.map.find(keys[t]);
        if (stages_.size() > 1 && number >= 0) {
            values.read(t);
            for (std::size_t s = 1; s < stages_.size() && number >= 0; ++s)
                number = stages_[s].map.find(key(stages_[s], number, values.data()));
        }
        out[at(t)] = number;
    }
}

void FeatureTable::insert_all(Fields fields, int T, std::int32_t fresh, std::vector<std::uint64_t>& keys,
                              std::int32_t* out) {
    if (bits_.size() == 1) {  // most templates
        for (int t = 0; t < T; ++t) {
            const std::int32_t value = fields[0][t];
            const bool is_known = is_index(value, direct_.size()) && direct_[value] >= 0;
            out[t] = is_known ? direct_[value] : value < 0 ? -1 : insert(&value, fresh);
            fresh += out[t] == fresh;
        }
        return;
    }
    TokenValues values(fields);
    if (!stages_.empty()) {  // as in find_all
        keys.resize(T);
        for (int t = 0; t < T; ++t)
            if (values.read(t)) stages_.front().map.prefetch(keys[t] = key(stages_.front(), 0, values.data()));
    }
    for (int t = 0; t < T; ++t) {
        out[t] = values.read(t) ? insert(values.data(), fresh) : -1;
        fresh += out[t] == fresh;
    }
}

void FeatureTable::change(std::size_t feature, std::int32_t row) {
    if (!is_listed_) make_list();
    const std::int32_t* values = values_.data() + feature * bits_.size();
    rows_[feature] = row;
    if (stages_.empty()) {
        direct_[bits_.empty() ? 0 : values[0]] = row;
        return;
    }
    std::int32_t number = 0;
    for (std::size_t s = 0; s + 1 < stages_.size(); ++s) number = stages_[s].map.find(key(stages_[s], number, values));
    stages_.back().map.change(key(stages_.back(), number, values), row);
}

void FeatureTable::renumber(std::span<const std::int32_t> renumber) {
    if (!is_listed_) make_list();
    const std::size_t arity = bits_.size();
    std::vector<std::int32_t> values, rows;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
        const std::int32_t row = renumber[rows_[i]];
        if (row < 0) continue;
        rows.push_back(row);
        values.insert(values.end(), values_.begin() + (i * arity), values_.begin() + ((i + 1) * arity));
    }
    *this = FeatureTable(bits_);
    reserve(rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) insert(values.data() + i * arity, rows[i]);
}

void FeatureTable::reserve(std::size_t n) {
    if (!stages_.empty()) stages_.back().map.reserve(n);
    values_.reserve(n * bits_.size());
    rows_.reserve(n);
}

void FeatureTable::list(std::vector<std::int32_t>& values, std::vector<std::int32_t>& rows) const {
    if (is_listed_) {
        values = values_;
        rows = rows_;
        return;
    }
    std::vector<std::pair<std::int32_t, std::uint64_t>> found;  // rows, and the keys of the last stage
    found.reserve(size_);
    for (std::size_t v = 0; v < direct_.size(); ++v)
        if (direct_[v] >= 0) found.emplace_back(direct_[v], v);
    std::vector<std::vector<std::uint64_t>> inner(stages_.size());  // [stages before it] the key of each number
    for (std::size_t s = 0; s < stages_.size(); ++s) {
        const bool is_last = s + 1 == stages_.size();
        if (!is_last) inner[s].resize(numbers_[s]);
        stages_[s].map.for_each([&](std::uint64_t key, std::int32_t number) {
            is_last ? static_cast<void>(found.emplace_back(number, key)) : static_cast<void>(inner[s][number] = key);
        });
    }
    std::ranges::sort(found);
    const std::size_t arity = bits_.size();
    values.assign(found.size() * arity, 0);
    rows.resize(found.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
        std::uint64_t key = found[i].second;
        rows[i] = found[i].first;
        if (arity == 1) values[i] = static_cast<std::int32_t>(key);
        for (std::size_t s = stages_.size(); s-- > 0;) {
            for (std::size_t k = stages_[s].last; k-- > stages_[s].first; key >>= bits_[k])
                values[i * arity + k] = static_cast<std::int32_t>(key & ((std::uint64_t{1} << bits_[k]) - 1));
            if (s) key = inner[s - 1][key];
        }
    }
}

void FeatureTable::make_list() {
    list(values_, rows_);
    is_listed_ = true;
}

// ---------------------------------------------------------------------------------------- FeatureIndex

namespace {

std::vector<int> widths(const Template& pattern, const std::vector<std::vector<std::int32_t>>& vocabularies) {
    std::vector<int> bits;
    for (const Field& field : pattern.fields) {
        const std::uint32_t size = vocabularies.at(field.column).at(field.attribute);
        bits.push_back(std::max<int>(1, std::bit_width(size)));
    }
    return bits;
}

}  // namespace

FeatureIndex::FeatureIndex(std::vector<Template> templates, int padding,
                           std::vector<std::vector<std::int32_t>> vocabularies)
    : templates_(std::move(templates)), padding_(padding), vocabularies_(std::move(vocabularies)) {
    for (const Template& pattern : templates_) {
        if (pattern.order < 0 || pattern.order >= kOrders)
            throw std::invalid_argument("order of a template: expected 0, 1 or 2");
        for (const Field& field : pattern.fields)
            if (std::abs(field.offset) > padding) throw std::invalid_argument("an offset is beyond the padding");
        features_.emplace_back(widths(pattern, vocabularies_));
    }
    std::vector<std::size_t> every(templates_.size());
    std::iota(every.begin(), every.end(), std::size_t{0});
    all_ = plan(every);
}

Plan FeatureIndex::plan(std::span<const std::size_t> templates) const {
    Plan plan;
    for (const std::size_t number : templates) {
        const Template& pattern = templates_.at(number);
        Plan::Step step{number, {}};
        for (const Field& field : pattern.fields) {
            const std::size_t column = field.column;
            const std::size_t attribute = field.attribute;
            const auto known = std::find_if(plan.reads.begin(), plan.reads.end(), [&](const Plan::Read& read) {
                return read.column == column && read.attribute == attribute;
            });
            step.fields.emplace_back(known - plan.reads.begin(), field.offset);
            if (known == plan.reads.end()) plan.reads.push_back({column, attribute});
        }
        plan.steps[pattern.order].push_back(std::move(step));
    }
    return plan;
}

bool FeatureIndex::has_every_row(int order) const {
    std::size_t features = 0;
    for (std::size_t i = 0; i < templates_.size(); ++i)
        if (templates_[i].order == order) features += features_[i].size();
    if (features != static_cast<std::size_t>(next_[order])) return false;  // so a row far out costs no memory
    // As many bits as features: all are set if each feature sets another one. No bit is looked at on the way.
    std::vector<std::uint64_t> seen((features + 63) / 64);
    for (std::size_t i = 0; i < templates_.size(); ++i) {
        if (templates_[i].order != order) continue;
        features_[i].for_each_row([&](std::int32_t row) {
            if (is_index(row, features)) seen[row / 64] |= std::uint64_t{1} << row % 64;
        });
    }
    return std::transform_reduce(seen.begin(), seen.end(), std::size_t{0}, std::plus<>{},
                                 [](std::uint64_t bits) { return std::size_t(std::popcount(bits)); }) == features;
}

void FeatureIndex::check(Tables tables) const {
    bool fits = tables.size() == vocabularies_.size();
    for (std::size_t c = 0; fits && c < tables.size(); ++c)
        fits = tables[c]->attributes() == std::ssize(vocabularies_[c]);
    if (!fits) throw std::invalid_argument("the type tables belong to another feature index");
}

namespace {

// Calls `fire(values, amount)` for every combination of the values that the fields of a template have at t.
class Reader {
  public:
    Reader(FeatureIndex::Tables tables, FeatureIndex::Columns columns, int first, int last, int padding)
        : tables_(tables), columns_(columns), first_(first), last_(last), padding_(padding) {}

    template <class Fire>
    void read(const Template& pattern, int t, Fire fire) {
        values_.clear();
        for (const Field& field : pattern.fields) values_.push_back(at(field, t));
        const auto table_of = [&](std::size_t i) -> const TypeTable& { return *tables_[pattern.fields[i].column]; };
        for_each_combination(values_, table_of, fire);
    }

  private:
    std::int32_t at(const Field& field, int t) const {
        const int position = t + field.offset;
        if (position < first_) return first_ - position - 1;
        if (position >= last_) return padding_ + position - last_;
        return tables_[field.column]->row(columns_[field.column][position])[field.attribute];
    }

    FeatureIndex::Tables tables_;
    FeatureIndex::Columns columns_;
    int first_, last_, padding_;
    std::vector<std::int32_t> values_;
};

}  // namespace

// Attribute values of tokens [first, first + T) and of the places before and after them. Returns whether all are
// single values.
bool FeatureIndex::gather(const Plan& plan, Tables tables, Columns columns, int first, int T,
                          std::vector<const std::int32_t*>& types, std::int32_t* values) const {
    const std::size_t n = T, pad = padding_, width = n + 2 * pad;
    types.resize(n);
    std::size_t column = tables.size();  // whose types are in the scratch memory
    std::int32_t lowest = 0;
    for (std::size_t r = 0; r < plan.reads.size(); ++r) {
        if (plan.reads[r].column != column) {
            column = plan.reads[r].column;
            for (std::size_t t = 0; t < n; ++t) types[t] = tables[column]->row(columns[column][first + t]);
        }
        std::int32_t* to = values + r * width;
        for (std::int32_t k = 0; k < padding_; ++k) {
            to[pad - 1 - k] = k;
            to[pad + n + k] = padding_ + k;
        }
        for (std::size_t t = 0; t < n; ++t) lowest = std::min(lowest, to[pad + t] = types[t][plan.reads[r].attribute]);
    }
    return lowest > kBag;
}

void FeatureIndex::place_fields(const Plan::Step& step, const std::int32_t* values, int T,
                                std::vector<const std::int32_t*>& fields) const {
    fields.clear();
    for (const auto& [read, offset] : step.fields)
        fields.push_back(values + read * (T + 2 * padding_) + padding_ + offset);
}

void FeatureIndex::find(const Plan& plan, Tables tables, Columns columns, int first, int last, LookupScratch& scratch,
                        Sequence& out) const {
    const int T = out.T = last - first;
    scratch.values.resize(plan.reads.size() * (T + 2 * padding_));
    const bool single = gather(plan, tables, columns, first, T, scratch.types, scratch.values.data());
    Reader reader(tables, columns, first, last, padding_);
    for (int order = 0; order < kOrders; ++order) {
        const std::vector<Plan::Step>& steps = plan.steps[order];
        std::vector<std::int32_t>&rows = out.rows[order], &begin = out.begin[order];
        rows.clear();
        begin.clear();
        out.amounts[order].clear();
        if (steps.empty()) continue;
        begin.reserve(T + 1U);
        begin.push_back(0);
        scratch.found.resize(T * steps.size());
        for (std::size_t k = 0; single && k < steps.size(); ++k) {
            place_fields(steps[k], scratch.values.data(), T, scratch.fields);
            features_[steps[k].number].find_all(scratch.fields, T, scratch.keys, scratch.found.data() + k,
                                                steps.size());
        }
        for (int t = 0; t < T; ++t) {
            for (std::size_t k = 0; single && k < steps.size(); ++k)
                if (const std::int32_t row = scratch.found[t * steps.size() + k]; row >= 0) rows.push_back(row);
            for (std::size_t k = 0; !single && k < steps.size(); ++k) {
                const std::size_t number = steps[k].number;
                reader.read(templates_[number], first + t, [&](const std::int32_t* values, float amount) {
                    const std::int32_t row = features_[number].find(values);
                    if (row >= 0) out.push(order, row, amount);
                });
            }
            begin.push_back(to_int32(rows.size()));
        }
    }
    out.spans.clear();
}

void FeatureIndex::renumber(int order, std::span<const std::int32_t> renumber, std::int32_t rows, int threads) {
    const auto work = [&](std::size_t i) {
        if (templates_[i].order == order) features_[i].renumber(renumber);
    };
    parallel_for(templates_.size(), threads, work, 1);
    next_[order] = rows;
}

void FeatureIndex::list(int number, std::vector<std::int32_t>& values, std::vector<std::int32_t>& rows) const {
    features_.at(number).list(values, rows);
}

void FeatureIndex::check_values(std::size_t number, std::span<const std::int32_t> values, std::size_t features) const {
    const std::vector<Field>& fields = templates_[number].fields;
    if (values.size() != features * fields.size())
        throw std::invalid_argument("values and rows of a template differ in number");
    for (std::size_t i = 0; i < values.size(); ++i) {
        const Field& field = fields[i % fields.size()];
        if (values[i] < 0 || values[i] >= vocabularies_[field.column][field.attribute])
            throw std::invalid_argument("a feature has a value that is not in the vocabulary");
    }
}

void FeatureIndex::load(int number, std::span<const std::int32_t> values, std::span<const std::int32_t> rows) {
    const std::size_t n = number;
    if (n >= templates_.size()) throw std::out_of_range("template");
    check_values(n, values, rows.size());
    std::int32_t& next = next_[templates_[n].order];
    for (const std::int32_t row : rows) {
        if (row < 0 || row == std::numeric_limits<std::int32_t>::max())
            throw std::invalid_argument("a feature has a row that is out of range");
        next = std::max(next, row + 1);
    }
    if (!features_[n].load(values, rows)) throw std::invalid_argument("a feature is listed twice");
}

}  // namespace perceptag

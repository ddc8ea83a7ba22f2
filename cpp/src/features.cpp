#include "perceptag/features.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <stdexcept>

namespace perceptag {

// ---------------------------------------------------------------------------------------------- KeyMap

void KeyMap::grow(std::size_t capacity) {
    std::vector<Slot> old(capacity, Slot{0, -1});
    old.swap(slots_);
    mask_ = capacity - 1;
    shift_ = 64 - std::countr_zero(capacity);
    for (const Slot& slot : old) {
        if (slot.value < 0) continue;
        std::size_t i = place(slot.key);
        while (slots_[i].value >= 0) i = (i + 1) & mask_;
        slots_[i] = slot;
    }
}

void KeyMap::reserve(std::size_t n) {
    const std::size_t wanted = std::bit_ceil(std::max<std::size_t>(16, n * 2));
    if (wanted > slots_.size()) grow(wanted);
}

std::int32_t KeyMap::insert(std::uint64_t key, std::int32_t fresh) {
    if ((size_ + 1) * 2 > slots_.size()) grow(std::max<std::size_t>(16, slots_.size() * 2));
    std::size_t i = place(key);
    while (slots_[i].value >= 0) {
        if (slots_[i].key == key) return slots_[i].value;
        i = (i + 1) & mask_;
    }
    slots_[i] = {key, fresh};
    ++size_;
    return fresh;
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
        const auto v = static_cast<std::size_t>(values[0]);
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

std::int32_t FeatureTable::insert(const std::int32_t* values, std::int32_t fresh) {
    std::int32_t row;
    if (bits_.size() < 2) {
        const std::size_t v = bits_.empty() ? 0 : static_cast<std::size_t>(values[0]);
        if (v >= direct_.size()) direct_.resize(std::max(v + 1, direct_.size() * 2), -1);
        if (direct_[v] >= 0) return direct_[v];
        row = direct_[v] = fresh;
    } else {
        std::int32_t number = 0;
        for (std::size_t s = 0; s + 1 < stages_.size(); ++s) {
            number = stages_[s].map.insert(key(stages_[s], number, values), numbers_[s]);
            if (number == numbers_[s]) ++numbers_[s];
        }
        row = stages_.back().map.insert(key(stages_.back(), number, values), fresh);
        if (row != fresh) return row;
    }
    values_.insert(values_.end(), values, values + bits_.size());
    rows_.push_back(row);
    return row;
}

void FeatureTable::renumber(std::span<const std::int32_t> renumber) {
    const std::size_t arity = bits_.size();
    std::vector<std::int32_t> values, rows;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
        const std::int32_t row = renumber[static_cast<std::size_t>(rows_[i])];
        if (row < 0) continue;
        rows.push_back(row);
        values.insert(values.end(), values_.begin() + static_cast<std::ptrdiff_t>(i * arity),
                      values_.begin() + static_cast<std::ptrdiff_t>((i + 1) * arity));
    }
    *this = FeatureTable(bits_);
    if (!stages_.empty()) stages_.back().map.reserve(rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) insert(values.data() + i * arity, rows[i]);
}

void FeatureTable::list(std::vector<std::int32_t>& values, std::vector<std::int32_t>& rows) const {
    values = values_;
    rows = rows_;
}

// ---------------------------------------------------------------------------------------- FeatureIndex

namespace {

std::vector<int> widths(const Template& pattern, const std::vector<std::vector<std::int32_t>>& vocabularies) {
    std::vector<int> bits;
    for (const Field& field : pattern.fields) {
        const auto size = static_cast<std::uint32_t>(
            vocabularies.at(static_cast<std::size_t>(field.column)).at(static_cast<std::size_t>(field.attribute)));
        bits.push_back(std::max(1, static_cast<int>(std::bit_width(size))));
    }
    return bits;
}

}  // namespace

FeatureIndex::FeatureIndex(std::vector<Template> templates, int padding,
                           std::vector<std::vector<std::int32_t>> vocabularies)
    : templates_(std::move(templates)), padding_(padding), vocabularies_(std::move(vocabularies)) {
    for (const Template& pattern : templates_) {
        if (pattern.order < 0 || pattern.order >= kOrders)
            throw std::invalid_argument("the order of a template is 0, 1 or 2");
        for (const Field& field : pattern.fields)
            if (std::abs(field.offset) > padding) throw std::invalid_argument("an offset is beyond the padding");
        features_.emplace_back(widths(pattern, vocabularies_));
    }
}

bool FeatureIndex::has_order(int order) const {
    return std::any_of(templates_.begin(), templates_.end(),
                       [order](const Template& pattern) { return pattern.order == order; });
}

void FeatureIndex::check(Tables tables) const {
    bool fits = tables.size() == vocabularies_.size();
    for (std::size_t c = 0; fits && c < tables.size(); ++c)
        fits = static_cast<std::size_t>(tables[c]->attributes()) == vocabularies_[c].size();
    if (!fits) throw std::invalid_argument("the type tables belong to another feature index");
}

namespace {

// Calls `fire(values)` for every combination of the values that the fields of a template have at t.
class Reader {
  public:
    Reader(FeatureIndex::Tables tables, FeatureIndex::Columns columns, int first, int last, int padding)
        : tables_(tables), columns_(columns), first_(first), last_(last), padding_(padding) {}

    template <class Fire>
    void read(const Template& pattern, int t, Fire fire) {
        const std::size_t arity = pattern.fields.size();
        values_.resize(arity);
        bool bags = false;
        for (std::size_t i = 0; i < arity; ++i) {
            const std::int32_t value = at(pattern.fields[i], t);
            if (value == kNone) return;
            bags |= value <= kBag;
            values_[i] = value;
        }
        if (!bags) return fire(values_.data());
        const std::vector<std::int32_t> given = values_;
        combine(pattern, given, 0, fire);
    }

  private:
    std::int32_t at(const Field& field, int t) const {
        const int position = t + field.offset;
        if (position < first_) return first_ - position - 1;
        if (position >= last_) return padding_ + position - last_;
        return tables_[field.column]->row(columns_[field.column][position])[field.attribute];
    }

    template <class Fire>
    void combine(const Template& pattern, const std::vector<std::int32_t>& given, std::size_t i, Fire& fire) {
        if (i == given.size()) return fire(values_.data());
        if (given[i] > kBag) {
            values_[i] = given[i];
            return combine(pattern, given, i + 1, fire);
        }
        for (const std::int32_t value : tables_[pattern.fields[i].column]->bag(given[i])) {
            values_[i] = value;
            combine(pattern, given, i + 1, fire);
        }
    }

    FeatureIndex::Tables tables_;
    FeatureIndex::Columns columns_;
    int first_, last_, padding_;
    std::vector<std::int32_t> values_;
};

}  // namespace

template <class Lookup>
void FeatureIndex::run(Tables tables, Columns columns, int first, int last, Sequence& out, Lookup lookup) const {
    const int T = last - first;
    out.T = T;
    Reader reader(tables, columns, first, last, padding_);
    for (int order = 0; order < kOrders; ++order) {
        out.rows[order].clear();
        out.begin[order].clear();
        if (!has_order(order)) continue;
        out.begin[order].reserve(static_cast<std::size_t>(T) + 1);
        out.begin[order].push_back(0);
        for (int t = first; t < last; ++t) {
            for (std::size_t i = 0; i < templates_.size(); ++i) {
                if (templates_[i].order != order) continue;
                reader.read(templates_[i], t, [&](const std::int32_t* values) {
                    const std::int32_t row = lookup(i, order, values);
                    if (row >= 0) out.rows[order].push_back(row);
                });
            }
            out.begin[order].push_back(static_cast<std::int32_t>(out.rows[order].size()));
        }
    }
}

void FeatureIndex::insert(Tables tables, Columns columns, int first, int last, Sequence& out) {
    run(tables, columns, first, last, out, [this](std::size_t i, int order, const std::int32_t* values) {
        const std::int32_t row = features_[i].insert(values, next_[order]);
        if (row == next_[order]) ++next_[order];
        return row;
    });
}

void FeatureIndex::find(Tables tables, Columns columns, int first, int last, Sequence& out) const {
    run(tables, columns, first, last, out,
        [this](std::size_t i, int, const std::int32_t* values) { return features_[i].find(values); });
}

void FeatureIndex::renumber(int order, std::span<const std::int32_t> renumber, std::int32_t rows) {
    for (std::size_t i = 0; i < templates_.size(); ++i)
        if (templates_[i].order == order) features_[i].renumber(renumber);
    next_[order] = rows;
}

void FeatureIndex::list(int number, std::vector<std::int32_t>& values, std::vector<std::int32_t>& rows) const {
    features_.at(static_cast<std::size_t>(number)).list(values, rows);
}

void FeatureIndex::load(int number, std::span<const std::int32_t> values, std::span<const std::int32_t> rows) {
    const auto n = static_cast<std::size_t>(number);
    const std::size_t arity = templates_.at(n).fields.size();
    if (values.size() != rows.size() * arity)
        throw std::invalid_argument("values and rows of a template differ in number");
    std::int32_t& next = next_[templates_[n].order];
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (rows[i] < 0 || rows[i] == std::numeric_limits<std::int32_t>::max())
            throw std::invalid_argument("a feature has a row that is out of range");
        for (std::size_t k = 0; k < arity; ++k) {
            const Field& field = templates_[n].fields[k];
            const std::int32_t value = values[i * arity + k];
            if (value < 0 || value >= vocabularies_[field.column][field.attribute])
                throw std::invalid_argument("a feature has a value that is not in the vocabulary");
        }
        if (features_[n].insert(values.data() + i * arity, rows[i]) != rows[i])
            throw std::invalid_argument("a feature is listed twice");
        next = std::max(next, rows[i] + 1);
    }
}

}  // namespace perceptag

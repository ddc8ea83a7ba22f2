#include "perceptag/core/span_index.hpp"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <limits>
#include <stdexcept>

#include "perceptag/core/integers.hpp"
#include "perceptag/core/limits.hpp"
#include "perceptag/core/scratch.hpp"

namespace perceptag {
namespace {

constexpr int kNodeBits = 28;  // of the number of a node of a tree
constexpr std::int32_t kMostNodes = (1 << kNodeBits) - 1;

constexpr std::size_t kMuch = 1 << 22;  // numbers of a long sequence, which are not kept for the next one

int bits_of(std::uint32_t most) { return std::max<int>(1, std::bit_width(most)); }

}  // namespace

// ----------------------------------------------------------------------------------------- SequenceTree

std::int32_t SequenceTree::insert(std::int32_t node, std::int32_t value) {
    const std::int32_t fresh = to_int32(list_.size() / 2 + 1);
    if (fresh > kMostNodes) throw LimitExceeded("spans: too many different sequences of values");
    const std::int32_t found = children_.insert(packed(node, value), fresh);
    if (found == fresh) list_.insert(list_.end(), {node, value});
    return found;
}

void SequenceTree::load(std::span<const std::int32_t> list, std::int32_t values) {
    if (list.size() % 2 != 0) throw std::invalid_argument("sequences of values: expected pairs of numbers");
    *this = {};
    children_.reserve(list.size() / 2);
    for (std::size_t i = 0; i < list.size(); i += 2) {
        const auto nodes = to_int32(i / 2 + 1);
        if (!is_index(list[i], nodes) || !is_index(list[i + 1], values) || insert(list[i], list[i + 1]) != nodes)
            throw std::invalid_argument("sequences of values: expected each once, after those that it continues");
    }
}

// -------------------------------------------------------------------------------------------- SpanIndex

SpanIndex::SpanIndex(std::vector<SpanTemplate> templates, int longest, int padding,
                     const std::vector<std::vector<std::int32_t>>& vocabularies)
    : longest_(longest), padding_(padding) {
    if (longest < 1 || longest > kLongestSpan) throw std::invalid_argument("longest: expected a number from 1 to 64");
    for (const SpanTemplate& fields : templates) {
        std::vector<Place> places;
        std::vector<int> bits;
        bool at_start = false, at_end = false, is_any = false;
        for (const SpanField& field : fields) {
            const bool is_length = field.place == SpanPlace::kLength;
            const std::size_t read = is_length ? 0 : read_number(field, vocabularies);
            const bool is_all = field.place == SpanPlace::kAll;
            if (std::abs(field.offset) > padding) throw std::invalid_argument("an offset is beyond the padding");
            places.push_back({field.place, is_all ? tree_number(read) : read, field.offset, {}});
            if (!is_all && !is_length) places.back().seen.resize(reads_[read].values);
            bits.push_back(is_length ? bits_of(longest) : is_all ? kNodeBits : bits_of(reads_[read].values));
            at_start |= field.place != SpanPlace::kLast;
            at_end |= field.place != SpanPlace::kFirst;
            is_any |= field.place == SpanPlace::kAny;
        }
        if (fields.empty() || (is_any && fields.size() > 1))
            throw std::invalid_argument("template of spans: expected fields, or one that looks at any word");
        const Reach reach = is_any ? Reach::kAnyWord : !at_end ? Reach::kStart : at_start ? Reach::kWhole : Reach::kEnd;
        templates_.push_back({std::move(places), reach, FeatureTable(std::move(bits))});
    }
}

std::size_t SpanIndex::read_number(const SpanField& field, const std::vector<std::vector<std::int32_t>>& vocabularies) {
    const std::int32_t values = vocabularies.at(field.column).at(field.attribute);
    const auto known = std::ranges::find_if(
        reads_, [&](const Read& read) { return read.column == field.column && read.attribute == field.attribute; });
    const std::size_t number = known - reads_.begin();
    if (known == reads_.end()) reads_.push_back({field.column, field.attribute, values});
    return number;
}

std::size_t SpanIndex::tree_number(std::size_t read) {
    const auto known = std::ranges::find(trees_, read, &Tree::read);
    const std::size_t number = known - trees_.begin();
    if (known == trees_.end()) trees_.push_back({read, {}});
    return number;
}

// The values of all words, and of the places before and after them.
void SpanIndex::gather(Tables tables, Columns columns, int first, int last, SpanScratch& scratch) const {
    const int T = last - first, stride = T + 2 * padding_;
    scratch.stride = stride;
    scratch.values.resize(reads_.size() * stride);
    for (std::size_t r = 0; r < reads_.size(); ++r) {
        std::int32_t* const at = scratch.values.data() + r * stride + padding_;
        const TypeTable& table = *tables[reads_[r].column];
        const std::int32_t* types = columns[reads_[r].column] + first;
        for (int k = 1; k <= padding_; ++k) {
            at[-k] = k - 1;
            at[T + k - 1] = padding_ + k - 1;
        }
        for (int t = 0; t < T; ++t) {
            const std::int32_t value = table.row(types[t])[reads_[r].attribute];
            at[t] = value <= kBag ? kNone : value;
        }
    }
    scratch.nodes.resize(trees_.size());
}

bool SpanIndex::values_of(const Pattern& pattern, int start, int end, SpanScratch& scratch) const {
    scratch.key.resize(std::max(scratch.key.size(), pattern.places.size()));
    for (std::size_t i = 0; i < pattern.places.size(); ++i) {
        const Place& one = pattern.places[i];
        const auto value_at = [&](int t) { return scratch.values[one.number * scratch.stride + padding_ + t]; };
        std::int32_t value = 0;
        switch (one.place) {
            case SpanPlace::kFirst:
            case SpanPlace::kAny:
                value = value_at(start + one.offset);
                break;
            case SpanPlace::kLast:
                value = value_at(end - 1 + one.offset);
                break;
            case SpanPlace::kAll:
                value = scratch.nodes[one.number];
                break;
            case SpanPlace::kLength:
                value = end - start;
                break;
        }
        if (value < 0) return false;
        scratch.key[i] = value;
    }
    return true;
}

void SpanIndex::insert(Tables tables, Columns columns, int first, int last, Labelling labels,
                       const SpanLabels& reading) {
    SpanScratch scratch;
    gather(tables, columns, first, last, scratch);
    const auto add = [&](Pattern& pattern, int start, int end) {
        if (!values_of(pattern, start, end, scratch)) return;
        next_ += pattern.features.insert(scratch.key.data(), next_) == next_;
        note(pattern, scratch.key.data());
    };
    reading.for_each(labels, 0, last - first, [&](int start, int length, int) {
        if (length > longest_) return;
        for (std::size_t i = 0; i < trees_.size(); ++i) {
            std::int32_t node = 0;
            const std::int32_t* values = scratch.values.data() + trees_[i].read * scratch.stride + padding_;
            for (int t = start; t < start + length && node >= 0; ++t)
                node = values[t] < 0 ? -1 : trees_[i].paths.insert(node, values[t]);
            scratch.nodes[i] = node;
        }
        for (Pattern& pattern : templates_) {
            if (pattern.reach != Reach::kAnyWord) {
                add(pattern, start, start + length);
                continue;
            }
            for (int t = start; t < start + length; ++t) add(pattern, t, t + 1);
        }
    });
}

void SpanIndex::note(Pattern& pattern, const std::int32_t* values) {
    for (std::size_t i = 0; i < pattern.places.size(); ++i)
        if (!pattern.places[i].seen.empty()) pattern.places[i].seen[values[i]] = 1;
}

// The templates of whole spans that can have a feature, by a single word of theirs: most words stand nowhere in a
// training span, or beside one. A bit for each template, as far as they go.
void SpanIndex::find_tried(int T, SpanScratch& scratch) const {
    for (auto& tried : scratch.tried) tried.assign(T, ~std::uint64_t{0});
    for (std::size_t i = 0; i < std::min<std::size_t>(templates_.size(), 64); ++i) {
        if (templates_[i].reach != Reach::kWhole) continue;
        for (const Place& one : templates_[i].places) {
            if (one.place != SpanPlace::kFirst && one.place != SpanPlace::kLast) continue;
            std::vector<std::uint64_t>& tried = scratch.tried[one.place == SpanPlace::kLast];
            const std::int32_t* values = scratch.values.data() + one.number * scratch.stride + padding_ + one.offset;
            for (int t = 0; t < T; ++t)
                if (values[t] < 0 || !one.seen[values[t]]) tried[t] &= ~(std::uint64_t{1} << i);
        }
    }
}

namespace {

// Scratch memory of `find`.
struct WholeSpans {
    std::vector<std::vector<std::int32_t>> nodes;   // [trees] by the first word, of spans of one length
    std::vector<std::uint64_t> users;               // [trees] the templates that look at each, a bit for each of 64
    std::vector<std::vector<std::int32_t>> starts;  // [templates] first words of the spans to look up
    std::vector<std::vector<std::int32_t>> values;  // [fields] of one template, for these spans
    std::vector<const std::int32_t*> fields;        // the same as find_all takes them
    std::vector<std::uint64_t> keys;
    std::vector<std::int32_t> rows;   // of these spans
    std::vector<std::int32_t> found;  // [T, longest, templates] all rows that there are
    // Which templates have a row, a bit for each: [T, words] those that look at one word, by their reach;
    // [T, longest, words] those of whole spans.
    std::vector<std::uint64_t> by_start, by_end, by_any, by_span;
};

}  // namespace

void SpanIndex::find(Tables tables, Columns columns, int first, int last, SpanScratch& scratch, SpanRows& out) const {
    const int T = last - first;
    gather(tables, columns, first, last, scratch);
    const std::size_t W = templates_.size(), words = (W + 63) / 64;
    auto& own = thread_scratch<WholeSpans>();
    for (auto* masks : {&own.by_start, &own.by_end, &own.by_any}) masks->assign(T * words, 0);
    own.by_span.assign(static_cast<std::size_t>(T) * longest_ * words, 0);
    scratch.by_token.resize(W);
    for (std::size_t i = 0; i < W; ++i) {
        const Reach reach = templates_[i].reach;
        if (reach == Reach::kWhole) continue;
        auto& masks = reach == Reach::kStart ? own.by_start : reach == Reach::kEnd ? own.by_end : own.by_any;
        scratch.by_token[i].resize(T);
        for (int t = 0; t < T; ++t) {
            const std::int32_t row = row_of(templates_[i], t, t + 1, scratch);
            scratch.by_token[i][t] = row;
            if (row >= 0) masks[t * words + i / 64] |= std::uint64_t{1} << i % 64;
        }
    }
    find_tried(T, scratch);
    // All spans of one length at a time: what is looked up is known before, so that memory is fetched early.
    own.found.resize(static_cast<std::size_t>(T) * longest_ * W);
    own.nodes.resize(trees_.size());
    for (auto& nodes : own.nodes) nodes.assign(T, 0);
    own.starts.resize(W);
    own.users.assign(trees_.size(), 0);
    std::uint64_t whole = 0;  // the templates of whole spans
    for (std::size_t i = 0; i < std::min<std::size_t>(W, 64); ++i) {
        if (templates_[i].reach == Reach::kWhole) whole |= std::uint64_t{1} << i;
        for (const Place& one : templates_[i].places)
            if (one.place == SpanPlace::kAll) own.users[one.number] |= std::uint64_t{1} << i;
    }
    for (int length = 1; length <= std::min(longest_, T); ++length) {
        const int spans = T - length + 1;
        for (std::size_t i = 0; i < trees_.size(); ++i) {
            const std::int32_t* values =
                scratch.values.data() + trees_[i].read * scratch.stride + padding_ + length - 1;
            for (int t = 0; t < spans; ++t) own.nodes[i][t] = trees_[i].paths.find(own.nodes[i][t], values[t]);
        }
        for (auto& starts : own.starts) starts.clear();
        for (int t = 0; t < spans; ++t) {
            std::uint64_t tried = scratch.tried[0][t] & scratch.tried[1][t + length - 1] & whole;
            for (std::size_t i = 0; i < trees_.size(); ++i)
                if (own.nodes[i][t] < 0) tried &= ~own.users[i];
            for (; tried; tried &= tried - 1) own.starts[std::countr_zero(tried)].push_back(t);
            for (std::size_t i = 64; i < W; ++i)
                if (templates_[i].reach == Reach::kWhole) own.starts[i].push_back(t);
        }
        for (std::size_t i = 0; i < W; ++i) {
            const std::vector<std::int32_t>& starts = own.starts[i];
            if (starts.empty()) continue;
            const std::vector<Place>& places = templates_[i].places;
            own.values.resize(std::max(own.values.size(), places.size()));
            own.fields.clear();
            for (std::size_t k = 0; k < places.size(); ++k) {
                const Place& one = places[k];
                std::vector<std::int32_t>& values = own.values[k];
                values.resize(starts.size());
                const std::int32_t* from = nullptr;
                if (one.place == SpanPlace::kAll)
                    from = own.nodes[one.number].data();
                else if (one.place != SpanPlace::kLength)
                    from = scratch.values.data() + one.number * scratch.stride + padding_ + one.offset +
                           (one.place == SpanPlace::kLast ? length - 1 : 0);
                for (std::size_t n = 0; n < starts.size(); ++n) values[n] = from ? from[starts[n]] : length;
                own.fields.push_back(values.data());
            }
            own.rows.resize(starts.size());
            templates_[i].features.find_all(own.fields, to_int32(starts.size()), own.keys, own.rows.data(), 1);
            for (std::size_t n = 0; n < starts.size(); ++n) {
                if (own.rows[n] < 0) continue;
                const std::size_t number = static_cast<std::size_t>(starts[n]) * longest_ + length - 1;
                own.found[number * W + i] = own.rows[n];
                own.by_span[number * words + i / 64] |= std::uint64_t{1} << i % 64;
            }
        }
    }
    out.longest = longest_;
    out.rows.clear();
    out.begin.clear();
    out.begin.reserve(static_cast<std::size_t>(T) * longest_ + 1);
    out.begin.push_back(0);
    // In the order of the templates, and only those that have a row.
    const auto push = [&](std::size_t i, int start, int end) {
        const std::vector<std::int32_t>& rows = scratch.by_token[i];
        switch (templates_[i].reach) {
            case Reach::kStart:
                return out.rows.push_back(rows[start]);
            case Reach::kEnd:
                return out.rows.push_back(rows[end - 1]);
            case Reach::kWhole:
                return out.rows.push_back(
                    own.found[(static_cast<std::size_t>(start) * longest_ + end - start - 1) * W + i]);
            case Reach::kAnyWord:
                for (int t = start; t < end; ++t)
                    if (rows[t] >= 0) out.rows.push_back(rows[t]);
        }
    };
    std::vector<std::uint64_t> any(words);  // of the words of a span
    const std::uint64_t* by_span = own.by_span.data();
    for (int start = 0; start < T; ++start) {
        std::ranges::fill(any, 0);
        for (int end = start + 1; end <= start + longest_; ++end, by_span += words) {
            for (std::size_t w = 0; end <= T && w < words; ++w) {
                any[w] |= own.by_any[(end - 1) * words + w];
                std::uint64_t have =
                    own.by_start[start * words + w] | own.by_end[(end - 1) * words + w] | by_span[w] | any[w];
                for (; have; have &= have - 1) push(w * 64 + std::countr_zero(have), start, end);
            }
            out.begin.push_back(std::ssize(out.rows));
        }
    }
    if (own.found.capacity() > kMuch) own = {};
}

// ---------------------------------------------------------------------------------------------- storage

void SpanIndex::list(std::size_t number, std::vector<std::int32_t>& values, std::vector<std::int32_t>& rows) const {
    templates_.at(number).features.list(values, rows);
}

void SpanIndex::check_values(const Pattern& pattern, std::span<const std::int32_t> values, std::size_t features) const {
    const std::size_t arity = pattern.places.size();
    if (values.size() != features * arity) throw std::invalid_argument("features of spans: expected all their values");
    for (std::size_t i = 0; i < values.size(); ++i) {
        const Place& one = pattern.places[i % arity];
        std::size_t most = 0;
        if (one.place == SpanPlace::kLength)
            most = longest_ + 1;
        else if (one.place == SpanPlace::kAll)
            most = trees_[one.number].paths.list().size() / 2 + 1;
        else
            most = reads_[one.number].values;
        if (!is_index(values[i], most)) throw std::invalid_argument("a feature of spans has a value out of range");
    }
}

void SpanIndex::load(std::size_t number, std::span<const std::int32_t> values, std::span<const std::int32_t> rows) {
    Pattern& pattern = templates_.at(number);
    check_values(pattern, values, rows.size());
    for (const std::int32_t row : rows)
        if (row < 0 || row == std::numeric_limits<std::int32_t>::max())
            throw std::invalid_argument("a feature of spans has a row that is out of range");
    for (std::size_t i = 0; i < rows.size(); ++i) note(pattern, values.data() + i * pattern.places.size());
    if (!pattern.features.load(values, rows)) throw std::invalid_argument("a feature of spans is there twice");
    for (const std::int32_t row : rows) next_ = std::max(next_, row + 1);
}

void SpanIndex::load_tree(std::size_t number, std::span<const std::int32_t> list) {
    Tree& tree = trees_.at(number);
    tree.paths.load(list, reads_[tree.read].values);
}

bool SpanIndex::has_every_row() const {
    std::size_t features = 0, found = 0;
    for (const Pattern& pattern : templates_) features += pattern.features.size();
    if (features != static_cast<std::size_t>(next_)) return false;
    std::vector<bool> seen(features);
    for (const Pattern& pattern : templates_)
        pattern.features.for_each_row([&](std::int32_t row) {
            found += !seen[row];
            seen[row] = true;
        });
    return found == features;
}

}  // namespace perceptag

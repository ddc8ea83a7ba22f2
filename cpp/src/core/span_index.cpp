#include "perceptag/core/span_index.hpp"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <limits>
#include <numeric>
#include <stdexcept>

#include "perceptag/core/integers.hpp"
#include "perceptag/core/limits.hpp"

namespace perceptag {
namespace {

constexpr int kNodeBits = 28;  // of the number of a node of a tree
constexpr std::int32_t kMostNodes = (1 << kNodeBits) - 1;

constexpr std::size_t kMasked = 64;  // templates that have a bit in masks

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
        bool at_start = false, at_end = false, is_any = false, is_length = true;
        for (const SpanField& field : fields) {
            const bool counts = field.place == SpanPlace::kLength;
            const std::size_t read = counts ? 0 : read_number(field, vocabularies);
            const bool is_all = field.place == SpanPlace::kAll;
            if (std::abs(field.offset) > padding) throw std::invalid_argument("an offset is beyond the padding");
            places.push_back({field.place, is_all ? tree_number(read) : read, field.offset, {}});
            if (!is_all && !counts) places.back().seen.resize(reads_[read].values);
            bits.push_back(counts ? bits_of(longest) : is_all ? kNodeBits : bits_of(reads_[read].values));
            at_start |= field.place != SpanPlace::kLast;
            at_end |= field.place != SpanPlace::kFirst;
            is_any |= field.place == SpanPlace::kAny;
            is_length &= counts;
        }
        if (fields.empty() || (is_any && fields.size() > 1))
            throw std::invalid_argument("template of spans: expected fields, or one that looks at any word");
        const SpanReach reach = is_any      ? SpanReach::kAnyWord
                                : is_length ? SpanReach::kLength
                                : !at_end   ? SpanReach::kStart
                                : at_start  ? SpanReach::kWhole
                                            : SpanReach::kEnd;
        templates_.push_back({std::move(places), reach, FeatureTable(std::move(bits))});
    }
    find_users();
}

void SpanIndex::find_users() {
    users_.assign(trees_.size(), 0);
    for (std::size_t i = 0; i < std::min(templates_.size(), kMasked); ++i) {
        const std::uint64_t bit = std::uint64_t{1} << i;
        if (templates_[i].reach == SpanReach::kWhole) whole_ |= bit;
        for (const Place& one : templates_[i].places)
            if (one.place == SpanPlace::kAll) users_[one.number] |= bit;
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
            if (pattern.reach != SpanReach::kAnyWord) {
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

// ---------------------------------------------------------------------------------------------- look-up

// The rows of a template that looks at one word, or at the length alone.
void SpanIndex::find_single(std::size_t number, int T, SpanScratch& scratch) const {
    const Pattern& pattern = templates_[number];
    std::vector<SpanHits::Hit>& hits = scratch.hits.of(pattern.reach);
    if (pattern.reach == SpanReach::kLength) {
        for (int n = 1; n <= std::min(longest_, T); ++n)
            if (const std::int32_t row = row_of(pattern, 0, n, scratch); row >= 0)
                hits.push_back({n - 1, row, to_int32(number)});
        return;
    }
    scratch.fields.clear();
    for (const Place& one : pattern.places)
        scratch.fields.push_back(scratch.values.data() + one.number * scratch.stride + padding_ + one.offset);
    scratch.rows.resize(T);
    pattern.features.find_all(scratch.fields, T, scratch.keys, scratch.rows.data(), 1);
    for (int t = 0; t < T; ++t)
        if (scratch.rows[t] >= 0) hits.push_back({t, scratch.rows[t], to_int32(number)});
}

// The templates of whole spans that can have a feature, by a single word of theirs: most words stand nowhere in a
// training span, or beside one. A bit for each template, as far as they go.
void SpanIndex::find_tried(int T, SpanScratch& scratch) const {
    for (auto& tried : scratch.tried) tried.assign(T, whole_);
    for (std::uint64_t left = whole_; left; left &= left - 1) {
        const std::size_t i = std::countr_zero(left);
        for (const Place& one : templates_[i].places) {
            if (one.place != SpanPlace::kFirst && one.place != SpanPlace::kLast) continue;
            std::vector<std::uint64_t>& tried = scratch.tried[one.place == SpanPlace::kLast];
            const std::int32_t* values = scratch.values.data() + one.number * scratch.stride + padding_ + one.offset;
            for (int t = 0; t < T; ++t) {
                const std::uint64_t is_new = values[t] < 0 || !one.seen[values[t]];
                tried[t] &= ~(is_new << i);
            }
        }
    }
}

// Which spans to look up for each template of whole spans, and their nodes in the trees.
void SpanIndex::choose_spans(int T, SpanScratch& scratch) const {
    find_tried(T, scratch);
    scratch.paths.resize(trees_.size());
    for (auto& path : scratch.paths) path.resize(static_cast<std::size_t>(T) * longest_);
    scratch.spans.resize(templates_.size());
    for (auto& spans : scratch.spans) spans.clear();
    for (int start = 0; start < T; ++start) {
        const int room = std::min(longest_, T - start);
        std::uint64_t alive[kLongestSpan];  // by length: the templates whose trees have the span
        std::fill_n(alive, room, scratch.tried[0][start]);
        for (std::size_t i = 0; i < trees_.size(); ++i) {
            const std::int32_t* values = scratch.values.data() + trees_[i].read * scratch.stride + padding_ + start;
            std::int32_t* nodes = scratch.paths[i].data() + static_cast<std::size_t>(start) * longest_;
            std::int32_t node = 0;
            for (int n = 0; n < room; ++n) {
                if (node >= 0) nodes[n] = node = trees_[i].paths.find(node, values[n]);
                if (node < 0) alive[n] &= ~users_[i];
            }
        }
        for (int n = 0; n < room; ++n)
            for (std::uint64_t left = alive[n] & scratch.tried[1][start + n]; left; left &= left - 1)
                scratch.spans[std::countr_zero(left)].push_back({start, n + 1});
    }
}

// The rows of a template of whole spans. All keys first, so that their slots are on the way from memory when the first
// one is looked at.
void SpanIndex::find_whole(std::size_t number, SpanScratch& scratch) const {
    const Pattern& pattern = templates_[number];
    const std::vector<SpanScratch::Span>& spans = scratch.spans[number];
    scratch.keys.assign(spans.size(), 0);
    for (std::size_t p = 0; p < pattern.places.size(); ++p) {
        const Place& one = pattern.places[p];
        const int bits = pattern.features.bits(p);
        const auto append = [&](auto value_of) {
            for (std::size_t i = 0; i < spans.size(); ++i)
                scratch.keys[i] = scratch.keys[i] << bits | static_cast<std::uint32_t>(value_of(spans[i]));
        };
        if (one.place == SpanPlace::kLength) {
            append([](const SpanScratch::Span& span) { return span.length; });
        } else if (one.place == SpanPlace::kAll) {
            const std::int32_t* nodes = scratch.paths[one.number].data();
            append([&](const SpanScratch::Span& span) { return nodes[number_of(span)]; });
        } else {
            const std::int32_t* values = scratch.values.data() + one.number * scratch.stride + padding_ + one.offset;
            if (one.place == SpanPlace::kLast)
                append([&](const SpanScratch::Span& span) { return values[span.start + span.length - 1]; });
            else
                append([&](const SpanScratch::Span& span) { return values[span.start]; });
        }
    }
    for (const std::uint64_t key : scratch.keys) pattern.features.prefetch(key);
    for (std::size_t i = 0; i < spans.size(); ++i)
        if (const std::int32_t row = pattern.features.find_key(scratch.keys[i]); row >= 0)
            scratch.hits.of(SpanReach::kWhole).push_back({number_of(spans[i]), row, to_int32(number)});
}

// The same where the values need several keys, or where `choose_spans` has no bit for the template.
void SpanIndex::find_by_values(std::size_t number, int T, SpanScratch& scratch) const {
    for (int start = 0; start < T; ++start) {
        std::ranges::fill(scratch.nodes, 0);
        for (int n = 1; n <= std::min(longest_, T - start); ++n) {
            for (std::size_t i = 0; i < trees_.size(); ++i) {
                const std::int32_t* values = scratch.values.data() + trees_[i].read * scratch.stride + padding_;
                scratch.nodes[i] = trees_[i].paths.find(scratch.nodes[i], values[start + n - 1]);
            }
            if (const std::int32_t row = row_of(templates_[number], start, start + n, scratch); row >= 0)
                scratch.hits.of(SpanReach::kWhole).push_back({number_of({start, n}), row, to_int32(number)});
        }
    }
}

void SpanIndex::find(Tables tables, Columns columns, int first, int last, SpanScratch& scratch) const {
    const int T = last - first;
    gather(tables, columns, first, last, scratch);
    choose_spans(T, scratch);
    scratch.hits.longest = longest_;
    for (auto& hits : scratch.hits.by_reach) hits.clear();
    for (std::size_t i = 0; i < templates_.size(); ++i) {
        if (templates_[i].reach != SpanReach::kWhole)
            find_single(i, T, scratch);
        else if (i < kMasked && templates_[i].features.has_one_key())
            find_whole(i, scratch);
        else
            find_by_values(i, T, scratch);
    }
}

// Calls visit(span, row) for the spans that have a row.
template <class Visit>
void SpanIndex::spread(SpanReach reach, const SpanHits::Hit& hit, int T, Visit visit) const {
    const auto room = [&](int start) { return std::min(longest_, T - start); };
    switch (reach) {
        case SpanReach::kWhole:
            return visit(hit.place, hit.row);
        case SpanReach::kLength:
            for (int start = 0; start + hit.place < T; ++start) visit(number_of({start, hit.place + 1}), hit.row);
            return;
        case SpanReach::kStart:
            for (int n = 1; n <= room(hit.place); ++n) visit(number_of({hit.place, n}), hit.row);
            return;
        case SpanReach::kEnd:
            for (int n = 1; n <= std::min(longest_, hit.place + 1); ++n)
                visit(number_of({hit.place + 1 - n, n}), hit.row);
            return;
        case SpanReach::kAnyWord:
            for (int start = std::max(0, hit.place + 1 - longest_); start <= hit.place; ++start)
                for (int n = hit.place - start + 1; n <= room(start); ++n) visit(number_of({start, n}), hit.row);
    }
}

// Calls visit(span, row) for all rows, by rising template and within each by rising word.
template <class Visit>
void SpanIndex::spread_all(const SpanHits& hits, int T, Visit visit) const {
    std::array<std::size_t, kSpanReaches> next{};
    for (std::size_t i = 0; i < templates_.size(); ++i) {
        const SpanReach reach = templates_[i].reach;
        const std::vector<SpanHits::Hit>& list = hits.of(reach);
        std::size_t& at = next[static_cast<std::size_t>(reach)];
        for (; at < list.size() && list[at].number == to_int32(i); ++at) spread(reach, list[at], T, visit);
    }
}

void SpanIndex::find(Tables tables, Columns columns, int first, int last, SpanScratch& scratch, SpanRows& out) const {
    const int T = last - first;
    find(tables, columns, first, last, scratch);
    const SpanHits& hits = scratch.hits;
    // Sorted by their spans: count them, find where each span begins, put them there.
    out.longest = longest_;
    out.begin.assign(static_cast<std::size_t>(T) * longest_ + 1, 0);
    spread_all(hits, T, [&](std::int32_t span, std::int32_t) { ++out.begin[span]; });
    std::exclusive_scan(out.begin.begin(), out.begin.end(), out.begin.begin(), std::int64_t{0});
    out.rows.resize(out.begin.back());
    spread_all(hits, T, [&](std::int32_t span, std::int32_t row) { out.rows[out.begin[span]++] = row; });
    std::shift_right(out.begin.begin(), out.begin.end(), 1);  // each span now begins where the next one should
    out.begin[0] = 0;
    scratch.release_much();
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

#include "perceptag/chunker/chunk_features.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <stdexcept>

#include "perceptag/core/integers.hpp"

namespace perceptag {
namespace {

// A key is a kind (4 bits) and its content. The numbers are part of the model file.
enum Kind : std::uint64_t {
    kWindow,  // word features
    kOutside,
    kPattern,
    kStart,  // phrase features
    kStartOutside,
    kEnd,
    kEndOutside,
    kLeft,
    kInside,
    kInnerPattern,
    kForm,
    kFormPattern,
    kGazetteer,
    kGazetteerWord,
    kKinds,
};
constexpr std::array<const char*, kKinds> kNames{
    "window", "outside", "pattern",    "s.window", "s.outside",      "e.window",  "e.outside",
    "left",   "in",      "in.pattern", "phrase",   "phrase.pattern", "gazetteer", "gazetteer.word"};

constexpr int kLongestPattern = 19;  // three bits for each word and a leading 1 fit next to the kind
constexpr int kKindPlace = 60, kHighPlace = 44;
constexpr int kMiddle = 8;  // what offsets are counted from, so that none is negative

constexpr std::uint64_t low_bits(std::uint64_t key, int n) { return key & ((std::uint64_t{1} << n) - 1); }

std::uint64_t key(Kind kind, std::uint64_t high, std::uint64_t low) {
    return kind << kKindPlace | high << kHighPlace | low;
}
std::uint64_t kind_of(std::uint64_t key) { return key >> kKindPlace; }
std::uint64_t high_of(std::uint64_t key) { return low_bits(key, kKindPlace) >> kHighPlace; }
std::uint64_t low_of(std::uint64_t key) { return low_bits(key, kHighPlace); }
std::uint64_t shifted(int offset) { return offset + kMiddle; }
int unshifted(std::uint64_t offset) { return to_int32(offset) - kMiddle; }

std::uint64_t pattern(const ChunkSentence& x, int first, int last) {
    std::uint64_t code = 1;
    for (int t = first; t <= last; ++t) code = code << 3 | x.type[t];
    return code;
}

std::vector<int> pattern_types(std::uint64_t code) {
    std::vector<int> types;
    for (; code > 1; code >>= 3) types.push_back(to_int32(code & 7));
    std::reverse(types.begin(), types.end());
    return types;
}

void window_keys(const ChunkSentence& x, int centre, int from, int to, Kind kind, Kind outside,
                 std::vector<std::uint64_t>& keys) {
    for (int offset = from; offset <= to; ++offset) {
        const int t = centre + offset;
        if (t < 0 || t >= x.T) {
            keys.push_back(key(outside, shifted(offset), 0));
            continue;
        }
        for (const std::int32_t value : x.window_at(t)) keys.push_back(key(kind, shifted(offset), value));
    }
}

void add_values(const TypeTable& table, std::int32_t value, std::vector<std::int32_t>& out) {
    if (value >= 0) out.push_back(value);
    if (value <= kBag) {
        const auto& bag = table.bag(value).values;
        out.insert(out.end(), bag.begin(), bag.end());
    }
}

void insert_sorted(std::vector<std::int32_t>& values, std::int32_t value) {
    const auto place = std::lower_bound(values.begin(), values.end(), value);
    if (place == values.end() || *place != value) values.insert(place, value);
}

}  // namespace

ChunkFeature read_key(std::uint64_t key) {
    const std::uint64_t kind = kind_of(key), high = high_of(key), low = low_of(key);
    if (kind >= kKinds) throw std::invalid_argument("a feature is of an unknown kind");
    const char* name = kNames[kind];
    switch (kind) {
        case kPattern:
            return {name, unshifted(high >> 4), unshifted(high & 15), 0, pattern_types(low)};
        case kInnerPattern:
            return {name, 0, 0, 0, pattern_types(low)};
        case kFormPattern:
            return {name, 0, 0, 0, pattern_types(low_bits(key, kKindPlace))};
        case kLeft:
            return {name, -to_int32(high), -to_int32(high), low};
        default:
            return {name, unshifted(high), unshifted(high), low};
    }
}

void ChunkSentence::fill(std::span<const TypeTable* const> tables, std::span<const std::int32_t* const> columns,
                         int first, int last) {
    T = last - first;
    window.clear(), inside.clear();
    window_begin.assign(1, 0), inside_begin.assign(1, 0);
    word.assign(T, kNone);
    type.assign(T, kWordTypes - 1);
    for (int t = 0; t < T; ++t) {
        for (std::size_t c = 0; c < tables.size(); ++c) {
            const std::int32_t* row = tables[c]->row(columns[c][first + t]);
            add_values(*tables[c], row[kWindowSlot], window);
            add_values(*tables[c], row[kInsideSlot], inside);
            if (row[kWordSlot] >= 0) word[t] = row[kWordSlot];
            if (row[kTypeSlot] >= 0) type[t] = narrow<std::uint8_t>(row[kTypeSlot]);
        }
        window_begin.push_back(to_int32(window.size()));
        inside_begin.push_back(to_int32(inside.size()));
    }
}

std::int32_t WordTrie::insert(std::int32_t parent, std::int32_t word) {
    const auto fresh = to_int32(parents.size());
    const std::int32_t node = map_.insert(packed(parent, word), fresh);
    if (node == fresh) {
        parents.push_back(parent);
        words.push_back(word);
    }
    return node;
}

void Gazetteer::add(const WordTrie& trie, std::int32_t node, std::int32_t category) {
    if (!is_index(node, of_node.size())) of_node.resize(node + 1U);
    insert_sorted(of_node[node], category);
    for (std::int32_t at = node; at > 0; at = trie.parents[at]) {
        const std::size_t word = trie.words[at];
        if (of_word.size() <= word) of_word.resize(word + 1);
        insert_sorted(of_word[word], category);
    }
}

void KeyIndex::count(std::span<const std::uint64_t> keys) {
    for (const std::uint64_t key : keys) {
        const auto fresh = to_int32(keys_.size());
        const std::int32_t id = map_.insert(key, fresh);
        if (id == fresh) {
            keys_.push_back(key);
            counts_.push_back(0);
        }
        ++counts_[id];
    }
}

void KeyIndex::freeze(std::uint32_t cutoff) {
    std::vector<std::uint64_t> kept;
    for (std::size_t id = 0; id < keys_.size(); ++id)
        if (counts_[id] >= cutoff) kept.push_back(keys_[id]);
    load(kept);
}

void KeyIndex::load(std::span<const std::uint64_t> keys) {
    std::vector<std::uint64_t> copy(keys.begin(), keys.end());
    if (!map_.number(copy)) throw std::invalid_argument("expected different features, found one twice");
    keys_.swap(copy);
    counts_.assign(keys_.size(), kLoaded);
}

void KeyIndex::find(std::span<const std::uint64_t> keys, std::vector<std::int32_t>& ids) const {
    ids.clear();
    for (const std::uint64_t key : keys) map_.prefetch(key);
    for (const std::uint64_t key : keys)
        if (const std::int32_t id = map_.find(key); id >= 0) ids.push_back(id);
}

ChunkFeatures::ChunkFeatures(int word_window, int phrase_window)
    : word_window_(word_window), phrase_window_(phrase_window) {
    for (const int window : {word_window, phrase_window})
        if (window < 0 || window > kMaxWindow) throw std::invalid_argument("expected windows from 0 to 5");
}

bool ChunkFeatures::fit(std::size_t window, std::size_t inside, std::size_t categories) const {
    std::array<std::size_t, kKinds> limits;
    limits.fill(std::numeric_limits<std::size_t>::max());
    limits[kWindow] = limits[kStart] = limits[kEnd] = window;
    limits[kInside] = inside;
    limits[kForm] = trie.parents.size();
    limits[kLeft] = limits[kGazetteer] = limits[kGazetteerWord] = categories;
    const auto fits = [&](std::uint64_t key) { return kind_of(key) < kKinds && low_of(key) < limits[kind_of(key)]; };
    return std::ranges::all_of(words.keys(), fits) && std::ranges::all_of(phrases.keys(), fits);
}

void ChunkFeatures::word_keys(const ChunkSentence& x, int i, std::vector<std::uint64_t>& keys) const {
    keys.clear();
    window_keys(x, i, -word_window_, word_window_, kWindow, kOutside, keys);
    for (int first = std::max(0, i - word_window_); first <= i; ++first)
        for (int last = i; last <= std::min(x.T - 1, i + word_window_); ++last)
            keys.push_back(key(kPattern, shifted(first - i) << 4 | shifted(last - i), pattern(x, first, last)));
}

std::int32_t ChunkFeatures::find_form(const ChunkSentence& x, int s, int e) const {
    std::int32_t node = 0;
    for (int t = s; t <= e && node >= 0; ++t) {
        const std::int32_t word = x.word[t];
        node = word < 0 ? -1 : trie.find(node, word);
    }
    return node;
}

void ChunkFeatures::phrase_keys(const ChunkSentence& x, int s, int e, LeftContext left, const Gazetteer& gazetteer,
                                std::vector<std::uint64_t>& keys) const {
    keys.clear();
    window_keys(x, s, -phrase_window_, 0, kStart, kStartOutside, keys);
    window_keys(x, e, 0, phrase_window_, kEnd, kEndOutside, keys);
    for (std::size_t d = 0; d < left.size(); ++d)
        if (left[d] >= 0) keys.push_back(key(kLeft, d + 1, left[d]));
    if (e - s < kLongestPattern) keys.push_back(key(kFormPattern, 0, pattern(x, s, e)));

    const std::size_t bag = keys.size();  // from here on the same feature may come from several words
    for (int t = s; t <= e; ++t) {
        for (const std::int32_t value : x.inside_at(t)) keys.push_back(key(kInside, 0, value));
        for (int last = t + 1; last <= std::min(e, t + 3); ++last)
            keys.push_back(key(kInnerPattern, 0, pattern(x, t, last)));
        if (is_index(x.word[t], gazetteer.of_word.size()))
            for (const std::int32_t k : gazetteer.of_word[x.word[t]]) keys.push_back(key(kGazetteerWord, 0, k));
    }
    if (const std::int32_t node = find_form(x, s, e); node > 0) {
        keys.push_back(key(kForm, 0, node));
        if (is_index(node, gazetteer.of_node.size()))
            for (const std::int32_t k : gazetteer.of_node[node]) keys.push_back(key(kGazetteer, 0, k));
    }
    const auto first = keys.begin() + bag;
    std::sort(first, keys.end());
    keys.erase(std::unique(first, keys.end()), keys.end());
}

void ChunkFeatures::count_words(const ChunkSentence& x) {
    std::vector<std::uint64_t> keys;
    for (int i = 0; i < x.T; ++i) {
        word_keys(x, i, keys);
        words.count(keys);
    }
}

void ChunkFeatures::count_phrase(const ChunkSentence& x, int s, int e, LeftContext left, const Gazetteer& gazetteer) {
    std::int32_t node = 0;
    for (int t = s; t <= e && node >= 0; ++t) {
        const std::int32_t word = x.word[t];
        node = word < 0 ? -1 : trie.insert(node, word);
    }
    std::vector<std::uint64_t> keys;
    phrase_keys(x, s, e, left, gazetteer, keys);
    phrases.count(keys);
}

void ChunkFeatures::word(const ChunkSentence& x, int i, FoundFeatures& found) const {
    word_keys(x, i, found.keys);
    words.find(found.keys, found.ids);
}

void ChunkFeatures::phrase(const ChunkSentence& x, int s, int e, LeftContext left, const Gazetteer& gazetteer,
                           FoundFeatures& found) const {
    phrase_keys(x, s, e, left, gazetteer, found.keys);
    phrases.find(found.keys, found.ids);
}

}  // namespace perceptag

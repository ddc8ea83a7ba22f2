#include "perceptag/document/phrase_table.hpp"

#include <algorithm>
#include <stdexcept>

#include "perceptag/core/integers.hpp"

namespace perceptag {

void PhraseTable::add(std::span<const std::string_view> words, int kind) {
    std::vector<HashedWord> hashed;
    for (const std::string_view word : words) hashed.push_back({word, TextLexicon::hash(word)});
    add(hashed, kind);
}

void PhraseTable::add(std::span<const HashedWord> words, int kind) {
    if (words.empty() || kind < 0) throw std::invalid_argument("expected a phrase of at least one word and its class");
    kinds_ = std::max(kinds_, kind + 1);
    std::int32_t node = -1;
    for (const auto& [text, hash] : words) {
        const std::int32_t number = words_.number(text, hash, to_int32(first_.size()));
        if (is_new(number)) first_.push_back(-1);
        const auto fresh = to_int32(ending_.size());
        std::int32_t& first = first_[number];
        node = node >= 0 ? next_.insert(packed(node, number), fresh) : first = first < 0 ? fresh : first;
        if (node == fresh) ending_.push_back(0);
    }
    ending_[node] = joined(ending_[node], kind);
}

void PhraseTable::reserve(std::size_t phrases, std::size_t words) {
    const std::size_t more = phrases / 4 * 3;  // about three words for four phrases of a long list are new
    words_.reserve_exactly(words_.size() + more, 0);
    next_.reserve(ending_.size() + words - std::min(words, phrases));
    first_.reserve(first_.size() + more);
    ending_.reserve(ending_.size() + words);
}

std::int32_t PhraseTable::joined(std::int32_t set, int kind) {
    with_one_more_.resize(sets_.size());
    with_one_more_[set].resize(kinds_, -1);
    std::int32_t& known = with_one_more_[set][kind];
    if (known >= 0) return known;
    std::vector<int> kinds = sets_[set];
    const auto place = std::ranges::lower_bound(kinds, kind);
    if (place == kinds.end() || *place != kind) kinds.insert(place, kind);
    const auto [found, is_new] = numbers_.try_emplace(std::move(kinds), to_int32(sets_.size()));
    if (is_new) sets_.push_back(found->first);
    return known = found->second;
}

std::int32_t PhraseTable::step(std::int32_t node, std::int32_t word) const {
    if (word < 0) return -1;
    return node < 0 ? first_[word] : next_.find(packed(node, word));
}

void PhraseTable::longest(std::span<const std::int32_t> words, std::vector<Match>& found) const {
    found.clear();
    std::int32_t node = -1;
    for (std::size_t length = 1; length <= words.size(); ++length) {
        node = step(node, words[length - 1]);
        if (node < 0) break;
        for (const int kind : sets_[ending_[node]]) {
            const auto place = std::ranges::lower_bound(found, kind, {}, &Match::kind);
            if (place != found.end() && place->kind == kind)
                place->length = length;
            else
                found.insert(place, {kind, length});
        }
    }
}

PhraseTable::Position PhraseTable::position(std::size_t k, std::size_t length) {
    if (length == 1) return kOnly;
    return k == 0 ? kFirst : k + 1 == length ? kLast : kInside;
}

void PhraseTable::match(std::span<const std::int32_t> words, std::vector<std::vector<std::int32_t>>& marks) const {
    std::vector<std::size_t> covered(kinds_, 0);  // where the last match of each class ends
    std::vector<Match> found;
    for (std::size_t t = 0; t < words.size(); ++t) {
        if (words[t] < 0) continue;
        longest(words.subspan(t), found);
        for (const auto& [kind, length] : found) {
            if (t < covered[kind]) continue;
            for (std::size_t k = 0; k < length; ++k) marks[t + k].push_back(kPositions * kind + position(k, length));
            covered[kind] = t + length;
        }
    }
}

}  // namespace perceptag

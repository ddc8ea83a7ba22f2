#include "perceptag/rules/phrase_trie.hpp"

#include <algorithm>

namespace perceptag {
namespace {

constexpr bool is_blank(unsigned char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
constexpr bool is_of_run(unsigned char c) {
    return c >= 0x80 || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
// Bytes of a sign of general punctuation (U+2000 to U+207F) at the beginning of a text, or 0.
constexpr std::size_t punctuation(std::string_view text) {
    return text.size() >= 3 && text[0] == '\xE2' && (text[1] == '\x80' || text[1] == '\x81') ? 3 : 0;
}

void cut_into_pieces(std::string_view text, std::vector<std::string_view>& pieces) {
    pieces.clear();
    std::size_t i = 0;
    while (i < text.size()) {
        if (is_blank(static_cast<unsigned char>(text[i]))) {
            ++i;
            continue;
        }
        const std::size_t begin = i;
        if (const std::size_t sign = punctuation(text.substr(i)))
            i += sign;
        else if (!is_of_run(static_cast<unsigned char>(text[i])))
            ++i;
        else
            while (i < text.size() && is_of_run(static_cast<unsigned char>(text[i])) && !punctuation(text.substr(i)))
                ++i;
        pieces.push_back(text.substr(begin, i - begin));
    }
}

}  // namespace

PhraseTrie::Added PhraseTrie::add_lines(std::string_view text, std::int32_t rule) {
    Added added;
    std::vector<std::string_view> pieces;
    std::size_t number = 0;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        cut_into_pieces(text.substr(0, end), pieces);
        text.remove_prefix(std::min(end + 1, text.size()));
        ++number;
        if (pieces.empty()) continue;
        if (pieces.size() > kMostPieces) {
            if (!added.too_long++) added.first_too_long = number;
            continue;
        }
        add(pieces, rule);
        ++added.phrases;
    }
    return added;
}

std::vector<std::int32_t> PhraseTrie::pieces(std::string_view word) const {
    std::vector<std::string_view> cut;
    cut_into_pieces(word, cut);
    std::vector<std::int32_t> numbers;
    for (const auto piece : cut) numbers.push_back(words_.find(piece));
    return numbers;
}

void PhraseTrie::add(std::span<const std::string_view> pieces, std::int32_t rule) {
    std::int32_t node = 0;
    for (const auto piece : pieces) {
        const auto hash = TextLexicon::hash(piece);
        std::int32_t number = words_.find(piece, hash);
        if (number < 0) {
            number = static_cast<std::int32_t>(words_.size());
            words_.add(piece, number);
        }
        const auto fresh = static_cast<std::int32_t>(ending_.size());
        node = edges_.insert(key(node, number), fresh);
        if (node == fresh) ending_.push_back(kNobody);
    }
    end_at(node, rule);
}

void PhraseTrie::end_at(std::int32_t node, std::int32_t rule) {
    std::int32_t& found = ending_[node];
    if (found == kNobody || found == rule) {
        found = rule;
        return;
    }
    if (found >= 0) {
        several_.push_back({found});
        found = -1 - static_cast<std::int32_t>(several_.size());
    }
    auto& rules = several_[-2 - found];
    if (std::ranges::find(rules, rule) == rules.end()) rules.push_back(rule);
}

}  // namespace perceptag

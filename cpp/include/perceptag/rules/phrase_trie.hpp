// Lists of phrases, of any number: a tree whose edges are pieces of words.
//
// Phrases and tokens are cut in the same way, into runs of letters and digits and single other signs. So "Dr. No" is
// found whether a tokeniser writes "Dr." or "Dr" and ".". A match begins and ends with a token.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "perceptag/core/features.hpp"
#include "perceptag/text/column_text.hpp"

namespace perceptag {

inline constexpr std::size_t kMostPieces = 100;  // of a phrase; so matching is linear in the text

class PhraseTrie {
  public:
    struct Added {
        std::size_t phrases = 0;
        std::size_t too_long = 0;        // lines with phrases of more than kMostPieces pieces, which are left out
        std::size_t first_too_long = 0;  // the number of the first of these lines, from 1
    };
    // Adds the phrases of a rule: one on each line, without blank lines.
    Added add_lines(std::string_view text, std::int32_t rule);
    // The numbers of the pieces of a word; -1 for those of no phrase.
    std::vector<std::int32_t> pieces(std::string_view word) const;
    std::int32_t step(std::int32_t node, std::int32_t piece) const { return edges_.find(key(node, piece)); }
    // The rules whose phrases end at a node.
    std::span<const std::int32_t> ending(std::int32_t node) const {
        const std::int32_t found = ending_[node];
        if (found == kNobody) return {};
        if (found >= 0) return {&ending_[node], 1};
        return several_[-2 - found];
    }
    bool is_empty() const { return ending_.size() <= 1; }

  private:
    static constexpr std::int32_t kNobody = -1;  // below it: numbers of lists in `several_`
    static std::uint64_t key(std::int32_t node, std::int32_t piece) {
        return static_cast<std::uint64_t>(node) << 32 | static_cast<std::uint32_t>(piece);
    }
    void add(std::span<const std::string_view> pieces, std::int32_t rule);
    void end_at(std::int32_t node, std::int32_t rule);

    TextLexicon words_;
    KeyMap edges_;                               // (node, piece) -> node
    std::vector<std::int32_t> ending_{kNobody};  // [nodes] a rule, or several
    std::vector<std::vector<std::int32_t>> several_;
};

}  // namespace perceptag

// Lists of phrases: the longest matches in a sentence, from left to right and separately for each class.
//
// As perceptag/features/gazetteer.py defines them. Words of phrases have numbers of their own; a phrase is a path from
// the root of a tree.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "perceptag/core/features.hpp"
#include "perceptag/text/column_text.hpp"

namespace perceptag {

class PhraseTable {
  public:
    // Adds a phrase of a class. Classes are numbered in the order in which their marks are to be listed.
    void add(std::span<const std::string_view> words, int kind);
    // The same for words whose hashes are known. `prefetch` fetches the place of a word that is needed soon, and
    // `prefetch_entry`, when that is there, what it leads to.
    struct HashedWord {
        std::string_view text;
        std::uint64_t hash;
    };
    void add(std::span<const HashedWord> words, int kind);
    void prefetch(std::uint64_t hash) const { words_.prefetch(hash); }
    void prefetch_entry(std::uint64_t hash) const { words_.prefetch_entry(hash); }
    // Makes room for more phrases, with `words` words in total: a table that grows step by step is copied, and takes
    // twice the memory on the way.
    void reserve(std::size_t phrases, std::size_t words);
    // The number of a word, or -1 if no phrase has it.
    std::int32_t word(std::string_view text) const { return words_.find(text); }
    int kinds() const { return kinds_; }

    // Where a word is in a match: the first of several, between first and last, the last of several, the only one.
    enum Position { kFirst, kInside, kLast, kOnly, kPositions };
    // Appends the marks of each token to marks[t]: kPositions·class + its position in a match.
    // `words`: the numbers of the words of a sentence.
    void match(std::span<const std::int32_t> words, std::vector<std::vector<std::int32_t>>& marks) const;

  private:
    struct Match {
        int kind;
        std::size_t length;
    };
    static Position position(std::size_t k, std::size_t length);
    bool is_new(std::int32_t word) const { return std::cmp_equal(word, first_.size()); }
    // The set with one class more.
    std::int32_t joined(std::int32_t set, int kind);
    std::int32_t step(std::int32_t node, std::int32_t word) const;
    // The longest phrase of each class at the start of some words, in the order of the classes.
    void longest(std::span<const std::int32_t> words, std::vector<Match>& found) const;

    TextLexicon words_;
    std::vector<std::int32_t> first_;         // [words] the node that a word leads to from the root, or -1
    KeyMap next_;                             // (node, word) -> node
    std::vector<std::int32_t> ending_;        // [nodes] which classes the phrase has that ends here: a number of a set
    std::vector<std::vector<int>> sets_{{}};  // sets of classes, sorted; the first is empty
    std::map<std::vector<int>, std::int32_t> numbers_;      // of all sets but the first
    std::vector<std::vector<std::int32_t>> with_one_more_;  // [sets][classes] the set with both, or -1; made as needed
    int kinds_ = 0;
};

}  // namespace perceptag

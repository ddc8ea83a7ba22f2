// Features of words and of phrases for the chunker: from what is known of each word type to feature ids.
//
// Carreras, Màrquez & Padró (2003), section 4. Python computes the predicates of a word once per type; here they
// get their offsets, and phrases get their patterns and whole forms. A 64-bit key says what the feature is, and
// every key has a number. Look-up is exact.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "perceptag/chunker/kernel.hpp"
#include "perceptag/core/features.hpp"
#include "perceptag/core/integers.hpp"

namespace perceptag {

constexpr int kMaxWindow = 5;
constexpr int kWordTypes = 6;

// What a row of a type table holds for the chunker.
enum TypeSlot : int { kWindowSlot, kInsideSlot, kWordSlot, kTypeSlot, kSlots };

// One sentence as predicate numbers.
struct ChunkSentence {
    int T = 0;
    std::vector<std::int32_t> window, window_begin;  // predicates of each token, [T + 1]
    std::vector<std::int32_t> inside, inside_begin;  // those that a phrase takes from its words, [T + 1]
    std::vector<std::int32_t> word;                  // [T] number of the word, or kNone if it is unknown
    std::vector<std::uint8_t> type;                  // [T] word type, 0 … kWordTypes-1

    // Fill from tokens [first, last) of the columns; what a token has in several columns is joined.
    void fill(std::span<const TypeTable* const> tables, std::span<const std::int32_t* const> columns, int first,
              int last);
    std::span<const std::int32_t> window_at(int t) const {
        return {window.data() + window_begin[t], window.data() + window_begin[t + 1]};
    }
    std::span<const std::int32_t> inside_at(int t) const {
        return {inside.data() + inside_begin[t], inside.data() + inside_begin[t + 1]};
    }
};

// Sequences of words as numbers. The root is node 0.
class WordTrie {
  public:
    std::int32_t insert(std::int32_t parent, std::int32_t word);
    std::int32_t find(std::int32_t parent, std::int32_t word) const { return map_.find(packed(parent, word)); }
    std::vector<std::int32_t> parents{-1}, words{-1};  // [nodes]

  private:
    KeyMap map_;
};

// Categories of whole phrases, and of the words that occur in them.
struct Gazetteer {
    std::vector<std::vector<std::int32_t>> of_node, of_word;

    void add(const WordTrie& trie, std::int32_t node, std::int32_t category);
};

// A key taken apart.
struct ChunkFeature {
    const char* kind;            // its name, with which explanations begin
    int first = 0, last = 0;     // offsets of the first and the last word, where the kind has such
    std::uint64_t value = 0;     // number of a predicate, a form or a category
    std::vector<int> pattern{};  // or the types of some words
};
ChunkFeature read_key(std::uint64_t key);

// The features of one kind of instance: keys to ids.
class KeyIndex {
  public:
    void count(std::span<const std::uint64_t> keys);
    // Drop what was counted fewer than `cutoff` times and number the rest.
    void freeze(std::uint32_t cutoff);
    // Loaded features keep their numbers and are never dropped, even if more are counted afterwards.
    void load(std::span<const std::uint64_t> keys);
    void find(std::span<const std::uint64_t> keys, std::vector<std::int32_t>& ids) const;
    std::size_t size() const { return keys_.size(); }
    const std::vector<std::uint64_t>& keys() const { return keys_; }

  private:
    static constexpr std::uint32_t kLoaded = 1U << 31;

    KeyMap map_;
    std::vector<std::uint64_t> keys_;    // by id
    std::vector<std::uint32_t> counts_;  // of each
};

// The features of one instance, and the memory in which they are looked for.
struct FoundFeatures {
    std::vector<std::int32_t> ids;
    std::vector<std::uint64_t> keys;
};

using LeftContext = std::span<const std::int32_t>;  // categories of the words before, nearest first; -1: none

class ChunkFeatures {
  public:
    ChunkFeatures(int word_window, int phrase_window);

    void count_words(const ChunkSentence& x);
    // Also makes the form of the phrase known.
    void count_phrase(const ChunkSentence& x, int s, int e, LeftContext left, const Gazetteer& gazetteer);
    // The features of word i, or of the phrase from s to e (included).
    void word(const ChunkSentence& x, int i, FoundFeatures& found) const;
    void phrase(const ChunkSentence& x, int s, int e, LeftContext left, const Gazetteer& gazetteer,
                FoundFeatures& found) const;

    // Whether all features have a meaning in a model with these numbers of predicates and categories.
    bool fit(std::size_t window, std::size_t inside, std::size_t categories) const;

    int phrase_window() const { return phrase_window_; }
    WordTrie trie;
    KeyIndex words, phrases;

  private:
    void word_keys(const ChunkSentence& x, int i, std::vector<std::uint64_t>& keys) const;
    void phrase_keys(const ChunkSentence& x, int s, int e, LeftContext left, const Gazetteer& gazetteer,
                     std::vector<std::uint64_t>& keys) const;
    std::int32_t find_form(const ChunkSentence& x, int s, int e) const;

    int word_window_, phrase_window_;
};

}  // namespace perceptag

// How often each word of a text is followed by each other.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace perceptag {

// The neighbours of each word on one side, in the order of their numbers.
struct Adjacency {
    struct Entry {
        std::uint32_t word, count;
    };

    std::vector<std::size_t> begin;  // of each word in `entries`, and the end
    std::vector<Entry> entries;

    std::span<const Entry> of(std::size_t word) const {
        return {entries.data() + begin[word], entries.data() + begin[word + 1]};
    }
};

// Words are numbered by frequency. Two more numbers follow: that of all rare words together, and that of the border of
// a sentence, which stands before its first word and after its last.
struct BigramCounts {
    std::vector<std::string> words;     // the most frequent first, then by their bytes
    std::vector<std::uint32_t> counts;  // of the words
    std::vector<std::uint32_t> twice;   // [words + 2] how often each is followed by itself
    Adjacency after, before;            // [words + 2] the others that follow each, and that it follows

    std::size_t rare() const { return words.size(); }
    std::size_t border() const { return words.size() + 1; }
    std::size_t numbers() const { return words.size() + 2; }

    // The other direction of `after`, made from it.
    void fill_before();
    // A number that differs if anything else here does, in all likelihood.
    std::uint64_t fingerprint() const;
};

}  // namespace perceptag

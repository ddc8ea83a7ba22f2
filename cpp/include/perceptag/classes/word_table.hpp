// Words and their counts: each word has a number, in the order in which the words came.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace perceptag {

class WordTable {
  public:
    WordTable();

    // The number of a word, which is counted once more.
    std::uint32_t count(std::string_view word);
    // Adds a word that is not there.
    std::uint32_t add(std::string_view word, std::uint32_t count);

    std::size_t size() const { return counts_.size(); }
    std::string_view word(std::size_t number) const;
    const std::vector<std::uint32_t>& counts() const { return counts_; }

  private:
    // Where a word is, or where it would be.
    std::size_t slot_of(std::string_view word, std::uint32_t hash) const;
    void grow();

    std::string text_;                   // all words, one after the other
    std::vector<std::size_t> ends_;      // of each word there
    std::vector<std::uint32_t> hashes_;  // of each word
    std::vector<std::uint32_t> counts_;
    std::vector<std::uint32_t> slots_;  // numbers of words plus 1, 0: free
};

}  // namespace perceptag

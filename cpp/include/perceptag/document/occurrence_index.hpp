// Where the words and strings of a document occur.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace perceptag {

class OccurrenceIndex {
  public:
    // Word numbers are below `known`.
    void read(std::span<const std::int32_t> words, std::span<const std::int32_t> begin, std::size_t known);

    std::size_t size() const { return counts_.size(); }               // how many different words there are
    std::int32_t word(std::int32_t t) const { return slot_[t]; }      // the word at t, from 0
    int count(std::int32_t t) const { return counts_[slot_[t]]; }     // how often it occurs
    std::int32_t next(std::int32_t t) const { return next_[t]; }      // where it occurs next, or -1
    std::int32_t before(std::int32_t t) const { return before_[t]; }  // where it last occurred, or -1
    std::size_t sequence(std::int32_t t) const { return sequence_[t]; }

    // Calls visit(start) for every other place, in order, where the string [start, end) stands in one sequence.
    template <class Visit>
    void others(std::int32_t start, std::int32_t end, Visit visit) const {
        std::int32_t rarest = start;
        for (std::int32_t t = start + 1; t < end; ++t)
            if (count(t) < count(rarest)) rarest = t;
        if (count(rarest) < 2) return;
        const auto T = static_cast<std::int32_t>(words_.size());
        for (std::int32_t t = first_[slot_[rarest]]; t >= 0; t = next_[t]) {
            const std::int32_t from = t - (rarest - start), to = from + (end - start);
            if (from == start || from < 0 || to > T || sequence_[from] != sequence_[to - 1]) continue;
            bool same = true;
            for (std::int32_t k = 0; same && k < end - start; ++k) same = slot_[from + k] == slot_[start + k];
            if (same) visit(from);
        }
    }

  private:
    std::span<const std::int32_t> words_;
    std::vector<std::int32_t> numbers_;                // [known] of a word in this document, or -1
    std::vector<std::int32_t> slot_;                   // [words] the number of the word there
    std::vector<std::int32_t> counts_, first_, last_;  // of each number
    std::vector<std::int32_t> next_, before_, sequence_;
};

}  // namespace perceptag

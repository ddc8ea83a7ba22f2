// What the repeated phrases of a document are under the labels that are chosen now: how often a mention of each class,
// how often a part of a longer mention, and how often unlabelled.
//
// Sequences are counted in and out one at a time. Every repeated phrase of a sequence is one step at most, so a
// sequence of T words takes at most T · kLongestPhrase steps, and twice as many where its mentions are replaced.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "perceptag/document/mentions.hpp"
#include "perceptag/document/repeated_phrases.hpp"

namespace perceptag {

// How often a phrase occurs in a document, by what it is there.
struct PhraseCounts {
    std::span<const std::int32_t> mentions;    // [classes] as a mention
    std::span<const std::int32_t> containing;  // [classes] longer mentions that contain it
    bool unlabelled = false;                   // somewhere labelled O throughout
};

class PhraseTally {
  public:
    PhraseTally(const RepeatedPhrases& phrases, int classes);

    // Counts the words [first, last) of a sequence, which has these mentions in order, `sign` times, 1 or -1.
    void count(std::int32_t first, std::int32_t last, std::span<const Mention> mentions, int sign);
    // The same for the phrases that begin at some of the words, in order.
    void count_at(std::span<const std::int32_t> places, std::int32_t last, std::span<const Mention> mentions, int sign);
    // Counts it out with the mentions that it had and in with those that it has now. Only phrases that reach into the
    // words from the first mention that differs to the last one are looked at.
    void replace(std::int32_t first, std::int32_t last, std::span<const Mention> before,
                 std::span<const Mention> after);

    // How many phrases have been counted so far, for tests of how cost grows.
    std::size_t steps() const { return steps_; }
    // Valid until the next call of `count`.
    PhraseCounts of(std::int32_t phrase) const;
    // The same without one of the mentions of the class.
    template <class Visit>
    void besides(std::int32_t phrase, int kind, Visit visit) {
        std::int32_t* own = counts_of(phrase) + kind;
        --*own;
        visit(of(phrase));
        ++*own;
    }

  private:
    template <class Places>
    void count_all(const Places& places, std::int32_t last, std::span<const Mention> mentions, int sign);
    void count_within(const Mention& mention, std::int32_t t, int sign);
    void begin_mention();
    std::int32_t* counts_of(std::int32_t phrase);

    const RepeatedPhrases& phrases_;
    std::size_t classes_, steps_ = 0;
    std::vector<std::uint32_t> place_;      // [phrases] of its counts; 0 if it has never been in a mention
    std::vector<std::int32_t> counts_;      // [2 * classes] for each that has: as a mention, in longer ones
    std::vector<std::int32_t> unlabelled_;  // [phrases]
    std::vector<std::uint32_t> counted_;    // [phrases] the last mention that was counted as containing it
    std::uint32_t mentions_ = 0;            // how many have been counted, from 1 again after 2^32
};

}  // namespace perceptag

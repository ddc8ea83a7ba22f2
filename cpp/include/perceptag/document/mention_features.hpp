// Features of the whole labelling of a document: that the same phrase has the same class, and similar ones.
//
// After Kazama and Torisawa (2007), section 5, and Finkel et al. (2005). With n[s][c] the number of mentions
// of phrase s with class c, m a mention of class c and phrase s, each of these counts pairs of classes (c, d):
//
//   phrase       for every m: each class d that another mention of s has
//   majority     for every m: the most frequent class d of the other mentions of s, if there are any
//   subphrase    for every m: each class d of mentions whose phrase properly contains s
//   submajority  for every m: the most frequent class d of those, if there are any
//   conjunction  two neighbouring mentions with only 1 or 2 of the joining words between them: their classes
//   unlabelled   for every m: another occurrence of s is labelled O throughout (counts c alone)
//
// Majority ties go to the lower class number. A mention of more than kLongestPhrase words has conjunctions alone, but
// contains shorter phrases like any other. Labels that are not spans make every token a mention of one word.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "perceptag/document/mentions.hpp"
#include "perceptag/document/phrase_tally.hpp"

namespace perceptag {

enum Family { kPhrase, kMajority, kSubphrase, kSubmajority, kConjunction, kUnlabelled, kFamilies };
using Families = std::array<bool, kFamilies>;

// The class with the largest count, the lower number on a tie; -1 if all are zero.
int majority(std::span<const std::int32_t> counts);

class MentionFeatures {
  public:
    MentionFeatures(int classes, const Families& families) : classes_(classes), families_(families) {}

    int classes() const { return classes_; }
    bool has(Family family) const { return families_[family]; }
    // How many there are: five families of pairs of classes, and one of classes.
    std::size_t size() const { return number(kUnlabelled, 0, classes_); }
    std::int32_t number(Family family, int kind, int other) const {
        return (family * classes_ + kind) * classes_ + other;
    }
    std::int32_t unlabelled(int kind) const { return number(kUnlabelled, 0, kind); }

    // Calls visit(number) for every feature of a mention, given its phrase in the rest of the document.
    template <class Visit>
    void of_mention(int kind, const PhraseCounts& others, Visit visit) const {
        of_pairs(kPhrase, kMajority, kind, others.mentions, visit);
        of_pairs(kSubphrase, kSubmajority, kind, others.containing, visit);
        if (families_[kUnlabelled] && others.unlabelled) visit(unlabelled(kind));
    }

    // Calls visit(number) for every pair of the mentions of a sequence that is joined; joining[t] is 1 at words such
    // as "and".
    template <class Visit>
    void of_conjunctions(std::span<const Mention> mentions, std::span<const std::uint8_t> joining, Visit visit) const {
        if (!families_[kConjunction]) return;
        for (std::size_t i = 1; i < mentions.size(); ++i) {
            const Mention &before = mentions[i - 1], &here = mentions[i];
            const int gap = here.start - before.end;
            if (gap >= 1 && gap <= 2 && joining[before.end] && joining[here.start - 1])
                visit(number(kConjunction, before.kind, here.kind));
        }
    }

  private:
    template <class Visit>
    void of_pairs(Family all, Family most, int kind, std::span<const std::int32_t> counts, Visit visit) const {
        if (families_[all])
            for (int d = 0; d < classes_; ++d)
                if (counts[d] > 0) visit(number(all, kind, d));
        if (families_[most])
            if (const int d = majority(counts); d >= 0) visit(number(most, kind, d));
    }

    int classes_;
    Families families_;
};

}  // namespace perceptag

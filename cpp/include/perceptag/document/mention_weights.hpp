// The weights of non-local features (nonlocal.hpp), where only the mentions of a sentence itself count.
//
// What a mention adds to the score depends on four things: its class, which classes the other mentions of its string
// have, which ones the mentions have that contain it, and whether its string also occurs unlabelled.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "perceptag/document/nonlocal.hpp"

namespace perceptag {

// How often a string occurs elsewhere in a document, by what it is there.
struct Elsewhere {
    std::vector<std::int32_t> mentions;    // [classes] as a mention
    std::vector<std::int32_t> containing;  // [classes] in a longer mention
    bool unlabelled = false;               // labelled O throughout

    void clear(std::size_t classes) {
        mentions.assign(classes, 0);
        containing.assign(classes, 0);
        unlabelled = false;
    }
};

class MentionWeights {
  public:
    // `weights`: as Scene::features numbers them, times the scale of the features.
    MentionWeights(LabelReading reading, std::array<bool, kFamilies> families, std::vector<double> weights,
                   double scale);

    const LabelReading& reading() const { return reading_; }
    int classes() const { return reading_.classes; }
    bool has(Family family) const { return families_[family]; }

    // Appends the numbers of the features of a mention.
    void add_features(int kind, const Elsewhere& elsewhere, std::vector<std::int32_t>& out) const;
    std::int32_t conjunction(int first, int second) const;
    // The score of some features, which may be listed several times: as Scene::scores adds them up. Sorts them.
    double score(std::vector<std::int32_t>& features) const;

    // The score of a mention, conjunctions aside.
    double value(int kind, const Elsewhere& elsewhere) const;
    // The most that it can be if the string may occur in more places, as anything.
    double most(int kind, const Elsewhere& elsewhere) const;
    // The most that an unlabelled occurrence of its string can add to a mention; 0 if it never adds anything.
    double most_unlabelled() const { return most_unlabelled_; }
    double conjunction_value(int first, int second) const;
    // Whether every sum of the weights is exact in double.
    bool is_exact() const { return is_exact_; }

  private:
    template <class Visit>
    void for_each_feature(int kind, const Elsewhere& elsewhere, Visit visit) const;
    std::int32_t number(Family family, int kind, int other) const {
        return (static_cast<std::int32_t>(family) * reading_.classes + kind) * reading_.classes + other;
    }
    double most_of_pairs(Family all, Family majority, int kind, const std::vector<std::int32_t>& counts) const;

    LabelReading reading_;
    std::array<bool, kFamilies> families_;
    std::vector<double> weights_;
    double scale_;
    double most_unlabelled_ = 0;
    bool is_exact_ = true;
};

}  // namespace perceptag

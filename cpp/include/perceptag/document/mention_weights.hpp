// The weights of non-local features (mention_features.hpp), where only the mentions of a sentence itself count.
//
// What a mention adds to the score depends on four things: its class, which classes the other mentions of its phrase
// have, which ones the mentions have that contain it, and whether its phrase also occurs unlabelled.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "perceptag/document/mention_features.hpp"

namespace perceptag {

class MentionWeights {
  public:
    // `weights`: as MentionFeatures numbers them, times the scale of the features.
    MentionWeights(LabelReading reading, const Families& families, std::vector<double> weights, double scale);

    const LabelReading& reading() const { return reading_; }
    int classes() const { return reading_.classes; }
    const MentionFeatures& features() const { return features_; }

    // The score of some features, which may be listed several times: as Scene::scores adds them up. May sort them.
    // At most log2(features) steps for each.
    double score(std::vector<std::int32_t>& features) const;

    // The score of a mention, conjunctions aside.
    double value(int kind, const PhraseCounts& others) const;
    // The most that it can be if the phrase may occur in more places, as anything.
    double most(int kind, const PhraseCounts& others) const;
    // The most that an unlabelled occurrence of its phrase can add to a mention; 0 if it never adds anything.
    double most_unlabelled() const { return most_unlabelled_; }
    double conjunction_value(int first, int second) const;
    // Whether every sum of the weights is exact in double.
    bool is_exact() const { return is_exact_; }

  private:
    double most_of_pairs(Family all, Family majority, int kind, std::span<const std::int32_t> counts) const;

    LabelReading reading_;
    MentionFeatures features_;
    std::vector<double> weights_;
    double scale_;
    double most_unlabelled_ = 0;
    bool is_exact_ = true;
};

}  // namespace perceptag

#include "perceptag/document/mention_weights.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "perceptag/core/integers.hpp"
#include "perceptag/document/exact_scores.hpp"

namespace perceptag {

int majority(std::span<const std::int32_t> counts) {
    const auto best = std::ranges::max_element(counts);
    return best == counts.end() || *best <= 0 ? -1 : to_int32(best - counts.begin());
}

MentionWeights::MentionWeights(LabelReading reading, const Families& families, std::vector<double> weights,
                               double scale)
    : reading_(std::move(reading)), features_(reading_.classes, families), weights_(std::move(weights)), scale_(scale) {
    if (weights_.size() != features_.size()) throw std::invalid_argument("expected one weight for each feature");
    for (const double w : weights_) is_exact_ = is_exact_ && is_on_grid(w) && is_on_grid(scale_ * w);
    if (features_.has(kUnlabelled))
        for (int c = 0; c < classes(); ++c)
            most_unlabelled_ = std::max(most_unlabelled_, scale_ * weights_[features_.unlabelled(c)]);
}

double MentionWeights::conjunction_value(int first, int second) const {
    return scale_ * weights_[features_.number(kConjunction, first, second)];
}

double MentionWeights::score(std::vector<std::int32_t>& features) const {
    double total = 0;
    const auto add = [&](std::int32_t feature, std::size_t times) {
        total += static_cast<double>(times) * weights_[feature];
    };
    if (features.size() > weights_.size()) {  // a long sequence: counting takes one step for each, sorting more
        std::vector<std::size_t> times(weights_.size(), 0);
        for (const std::int32_t feature : features) ++times[feature];
        for (std::int32_t i = 0; i < std::ssize(times); ++i)
            if (times[i]) add(i, times[i]);
        return scale_ * total;
    }
    std::ranges::sort(features);
    for (std::size_t i = 0; i < features.size();) {
        std::size_t next = i + 1;
        while (next < features.size() && features[next] == features[i]) ++next;
        add(features[i], next - i);
        i = next;
    }
    return scale_ * total;
}

double MentionWeights::value(int kind, const PhraseCounts& others) const {
    double total = 0;
    features_.of_mention(kind, others, [&](std::int32_t feature) { total += weights_[feature]; });
    return scale_ * total;
}

// Classes that are there already count in any case; others count if that helps, and any class may become the majority.
double MentionWeights::most_of_pairs(Family all, Family most, int kind, std::span<const std::int32_t> counts) const {
    double total = 0, best = 0;
    bool is_sure = false;  // that there is a majority
    for (const std::int32_t count : counts) is_sure = is_sure || count > 0;
    if (is_sure) best = -HUGE_VAL;
    for (int d = 0; d < classes(); ++d) {
        const double w = scale_ * weights_[features_.number(all, kind, d)];
        if (features_.has(all)) total += counts[d] > 0 ? w : std::max(0.0, w);
        best = std::max(best, scale_ * weights_[features_.number(most, kind, d)]);
    }
    return features_.has(most) ? total + best : total;
}

double MentionWeights::most(int kind, const PhraseCounts& others) const {
    double total = most_of_pairs(kPhrase, kMajority, kind, others.mentions) +
                   most_of_pairs(kSubphrase, kSubmajority, kind, others.containing);
    if (features_.has(kUnlabelled)) {
        const double w = scale_ * weights_[features_.unlabelled(kind)];
        total += others.unlabelled ? w : std::max(0.0, w);
    }
    return total;
}

}  // namespace perceptag

#include "perceptag/document/mention_weights.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "perceptag/document/exact_scores.hpp"

namespace perceptag {
namespace {

// The class with the largest count, the lower number on a tie; -1 if all are zero.
int majority(const std::vector<std::int32_t>& counts) {
    const auto best = std::ranges::max_element(counts);
    return best == counts.end() || *best <= 0 ? -1 : static_cast<int>(best - counts.begin());
}

}  // namespace

MentionWeights::MentionWeights(LabelReading reading, std::array<bool, kFamilies> families, std::vector<double> weights,
                               double scale)
    : reading_(std::move(reading)), families_(families), weights_(std::move(weights)), scale_(scale) {
    const std::size_t K = reading_.classes;
    if (weights_.size() != (kFamilies - 1) * K * K + K)
        throw std::invalid_argument("expected one weight for each feature");
    for (const double w : weights_) is_exact_ = is_exact_ && is_on_grid(w) && is_on_grid(scale_ * w);
    if (families_[kUnlabelled])
        for (std::size_t c = 0; c < K; ++c)
            most_unlabelled_ = std::max(most_unlabelled_, scale_ * weights_[(kFamilies - 1) * K * K + c]);
}

template <class Visit>
void MentionWeights::for_each_feature(int kind, const Elsewhere& elsewhere, Visit visit) const {
    const auto pairs = [&](Family all, Family most, const std::vector<std::int32_t>& counts) {
        if (families_[all])
            for (int d = 0; d < reading_.classes; ++d)
                if (counts[d] > 0) visit(number(all, kind, d));
        if (families_[most])
            if (const int d = majority(counts); d >= 0) visit(number(most, kind, d));
    };
    pairs(kPhrase, kMajority, elsewhere.mentions);
    pairs(kSubphrase, kSubmajority, elsewhere.containing);
    if (families_[kUnlabelled] && elsewhere.unlabelled) visit(number(kUnlabelled, 0, kind));
}

void MentionWeights::add_features(int kind, const Elsewhere& elsewhere, std::vector<std::int32_t>& out) const {
    for_each_feature(kind, elsewhere, [&](std::int32_t feature) { out.push_back(feature); });
}

std::int32_t MentionWeights::conjunction(int first, int second) const { return number(kConjunction, first, second); }

double MentionWeights::conjunction_value(int first, int second) const {
    return scale_ * weights_[conjunction(first, second)];
}

double MentionWeights::score(std::vector<std::int32_t>& features) const {
    std::ranges::sort(features);
    double total = 0;
    for (std::size_t i = 0; i < features.size();) {
        std::size_t next = i + 1;
        while (next < features.size() && features[next] == features[i]) ++next;
        total += static_cast<double>(next - i) * weights_[features[i]];
        i = next;
    }
    return scale_ * total;
}

double MentionWeights::value(int kind, const Elsewhere& elsewhere) const {
    double total = 0;
    for_each_feature(kind, elsewhere, [&](std::int32_t feature) { total += weights_[feature]; });
    return scale_ * total;
}

// Classes that are there already count in any case; others count if that helps, and any class may become the majority.
double MentionWeights::most_of_pairs(Family all, Family most, int kind, const std::vector<std::int32_t>& counts) const {
    double total = 0, best = 0;
    bool is_sure = false;  // that there is a majority
    for (int d = 0; d < reading_.classes; ++d) is_sure = is_sure || counts[d] > 0;
    if (is_sure) best = -HUGE_VAL;
    for (int d = 0; d < reading_.classes; ++d) {
        const double w = scale_ * weights_[number(all, kind, d)];
        if (families_[all]) total += counts[d] > 0 ? w : std::max(0.0, w);
        best = std::max(best, scale_ * weights_[number(most, kind, d)]);
    }
    return families_[most] ? total + best : total;
}

double MentionWeights::most(int kind, const Elsewhere& elsewhere) const {
    double total = most_of_pairs(kPhrase, kMajority, kind, elsewhere.mentions) +
                   most_of_pairs(kSubphrase, kSubmajority, kind, elsewhere.containing);
    if (families_[kUnlabelled]) {
        const double w = scale_ * weights_[number(kUnlabelled, 0, kind)];
        total += elsewhere.unlabelled ? w : std::max(0.0, w);
    }
    return total;
}

}  // namespace perceptag

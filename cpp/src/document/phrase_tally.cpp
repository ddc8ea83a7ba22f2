#include "perceptag/document/phrase_tally.hpp"

#include <algorithm>

namespace perceptag {

PhraseTally::PhraseTally(const RepeatedPhrases& phrases, int classes)
    : phrases_(phrases),
      classes_(classes),
      place_(phrases.size(), 0),
      counts_(2 * classes_, 0),  // the zeros of phrases that have never been in a mention
      unlabelled_(phrases.size(), 0),
      counted_(phrases.size(), 0) {}

void PhraseTally::count(std::int32_t first, std::int32_t last, std::span<const Mention> cover, int sign) {
    for (std::int32_t t = first; t < last;) {
        std::int32_t end = t;
        if (cover[t].kind >= 0) {
            count_mention(cover[t], sign);
            end = cover[t].end;
        } else {
            while (end < last && cover[end].kind < 0) ++end;
            count_unlabelled(t, end, sign);
        }
        t = end;
    }
}

void PhraseTally::count_mention(const Mention& mention, int sign) {
    if (++mentions_ == 0) {
        std::ranges::fill(counted_, 0);
        mentions_ = 1;
    }
    const std::int32_t whole = phrases_.number(mention.start, mention.end);
    for (std::int32_t t = mention.start; t < mention.end; ++t) {
        const auto here = phrases_.within(t, mention.end);
        steps_ += here.size();
        for (const std::int32_t phrase : here) {
            if (phrase == whole) {
                counts_of(phrase)[mention.kind] += sign;
            } else if (counted_[phrase] != mentions_) {  // a mention counts once, however often it contains the phrase
                counted_[phrase] = mentions_;
                counts_of(phrase)[classes_ + mention.kind] += sign;
            }
        }
    }
}

void PhraseTally::count_unlabelled(std::int32_t first, std::int32_t last, int sign) {
    for (std::int32_t t = first; t < last; ++t) {
        const auto here = phrases_.within(t, last);
        steps_ += here.size();
        for (const std::int32_t phrase : here) unlabelled_[phrase] += sign;
    }
}

std::int32_t* PhraseTally::counts_of(std::int32_t phrase) {
    if (!place_[phrase]) {
        place_[phrase] = static_cast<std::uint32_t>(counts_.size() / (2 * classes_));
        counts_.resize(counts_.size() + 2 * classes_, 0);
    }
    return counts_.data() + place_[phrase] * (2 * classes_);
}

PhraseCounts PhraseTally::of(std::int32_t phrase) const {
    const auto counts = std::span(counts_).subspan(place_[phrase] * (2 * classes_), 2 * classes_);
    return {counts.first(classes_), counts.last(classes_), unlabelled_[phrase] > 0};
}

}  // namespace perceptag

#include "perceptag/document/phrase_tally.hpp"

#include <algorithm>
#include <ranges>

#include "perceptag/core/integers.hpp"

namespace perceptag {

PhraseTally::PhraseTally(const RepeatedPhrases& phrases, int classes)
    : phrases_(phrases),
      classes_(classes),
      place_(phrases.size(), 0),
      counts_(2 * classes_, 0),  // the zeros of phrases that have never been in a mention
      unlabelled_(phrases.size(), 0),
      counted_(phrases.size(), 0) {}

void PhraseTally::count(std::int32_t first, std::int32_t last, std::span<const Mention> mentions, int sign) {
    count_all(std::views::iota(first, last), last, mentions, sign);
}

void PhraseTally::count_at(std::span<const std::int32_t> places, std::int32_t last, std::span<const Mention> mentions,
                           int sign) {
    count_all(places, last, mentions, sign);
}

void PhraseTally::replace(std::int32_t first, std::int32_t last, std::span<const Mention> before,
                          std::span<const Mention> after) {
    while (!before.empty() && !after.empty() && before.front() == after.front()) {
        first = before.front().end;
        before = before.subspan(1), after = after.subspan(1);
    }
    while (!before.empty() && !after.empty() && before.back() == after.back()) {
        last = before.back().start;
        before = before.first(before.size() - 1), after = after.first(after.size() - 1);
    }
    std::int32_t changed = last, end = first;
    for (const auto mentions : {before, after}) {
        if (mentions.empty()) continue;
        changed = std::min(changed, mentions.front().start);
        end = std::max(end, mentions.back().end);
    }
    const auto places = std::views::iota(std::min(std::max(first, changed - phrases_.longest() + 1), end), end);
    count_all(places, last, before, -1);
    count_all(places, last, after, 1);
}

template <class Places>
void PhraseTally::count_all(const Places& places, std::int32_t last, std::span<const Mention> mentions, int sign) {
    auto next = mentions.begin();  // the first mention that ends after t
    begin_mention();
    for (const std::int32_t t : places) {
        for (; next != mentions.end() && next->end <= t; ++next) begin_mention();
        if (phrases_.at(t).empty()) continue;
        if (next != mentions.end() && next->start <= t) {
            count_within(*next, t, sign);
        } else {
            const auto here = phrases_.within(t, next == mentions.end() ? last : next->start);
            steps_ += here.size();
            for (const std::int32_t phrase : here) unlabelled_[phrase] += sign;
        }
    }
}

// Counts the phrases that begin at t and end in the mention. Only one that begins and ends with it can be all of it.
void PhraseTally::count_within(const Mention& mention, std::int32_t t, int sign) {
    auto here = phrases_.within(t, mention.end);
    steps_ += here.size();
    if (t == mention.start && std::ssize(here) == mention.end - t) {
        counts_of(here.back())[mention.kind] += sign;
        here = here.first(here.size() - 1);
    }
    for (const std::int32_t phrase : here) {
        if (counted_[phrase] == mentions_) continue;  // a mention counts once, however often it contains the phrase
        counted_[phrase] = mentions_;
        counts_of(phrase)[classes_ + mention.kind] += sign;
    }
}

void PhraseTally::begin_mention() {
    if (++mentions_ != 0) return;
    std::ranges::fill(counted_, 0);
    mentions_ = 1;
}

std::int32_t* PhraseTally::counts_of(std::int32_t phrase) {
    if (!place_[phrase]) {
        place_[phrase] = to_uint32(counts_.size() / (2 * classes_));
        counts_.resize(counts_.size() + 2 * classes_, 0);
    }
    return counts_.data() + place_[phrase] * (2 * classes_);
}

PhraseCounts PhraseTally::of(std::int32_t phrase) const {
    const auto counts = std::span(counts_).subspan(place_[phrase] * (2 * classes_), 2 * classes_);
    return {counts.first(classes_), counts.last(classes_), unlabelled_[phrase] > 0};
}

}  // namespace perceptag

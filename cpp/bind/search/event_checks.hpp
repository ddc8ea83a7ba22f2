// What is asked of probabilities: a scale above 0, and events within the sequences of a corpus.
#pragma once

#include <cmath>
#include <stdexcept>

#include "core/arrays.hpp"
#include "perceptag/core/integers.hpp"
#include "perceptag/search/marginals.hpp"

namespace perceptag {

inline void check_scale(double scale) {
    if (!(scale > 0) || !std::isfinite(scale)) throw std::invalid_argument("scale: expected a number above 0");
}

inline void check_events(const Corpus& corpus, const Events& events, std::size_t tables) {
    const std::size_t n = events.sequence.size();
    const auto wrong = [] { throw std::invalid_argument("an event is out of range"); };
    if (events.first.size() != n || events.begin.size() != n + 1 || events.begin[0] != 0 ||
        events.begin[n] != std::ssize(events.masks))
        wrong();
    for (std::size_t i = 0; i < n; ++i) {
        if (!is_index(events.sequence[i], corpus.sequences.size())) wrong();
        const std::int32_t length = events.begin[i + 1] - events.begin[i];
        const int T = corpus.sequences[events.sequence[i]].T;
        if (length < 1 || events.first[i] < 0 || events.first[i] > T - length) wrong();
    }
    for (const std::int32_t table : events.masks)
        if (!is_index(table, tables)) wrong();
}

}  // namespace perceptag

// What the core trusts and Python may get wrong: numbers that belong to another model.
#pragma once

#include <cstdint>
#include <span>
#include <stdexcept>

#include "core/arrays.hpp"
#include "perceptag/core/corpus.hpp"
#include "perceptag/core/weights.hpp"

namespace perceptag {

inline void check(const Weights& weights, const Sequence& x) {
    for (int order = 0; order < kOrders; ++order) {
        const std::size_t rows = weights.block(order).rows;
        for (const std::int32_t row : x.rows[order])
            if (!is_index(row, rows)) throw std::invalid_argument("the sequence was encoded for another model");
    }
    const SpanLabels& spans = weights.span_labels();
    if (spans.empty() || x.spans.empty()) return;
    for (const std::int32_t row : x.spans.rows)
        if (!is_index(row, weights.block(kSpanBlock).rows) || x.spans.longest != spans.longest)
            throw std::invalid_argument("the sequence was encoded for another model");
}

// Optimisers move every weight, so they want them all.
inline void check_not_lined(const Weights& weights) {
    if (weights.block(0).is_lined()) throw std::invalid_argument("expected dense or compact rows, found lined ones");
}

// `closed`: entries of the dictionary, -1 for none.
inline void check(const Weights& weights, std::span<const std::int32_t> closed, const TagDictionary* dictionary) {
    if (!dictionary) return;
    for (const std::int32_t entry : closed) {
        if (entry < 0) continue;
        if (!is_index(entry, dictionary->allowed.size()))
            throw std::invalid_argument("the sequence was encoded for another tag dictionary");
        if (std::ssize(dictionary->allowed[entry]) != weights.L())
            throw std::invalid_argument("tag dictionary: expected as many labels as the model has");
    }
}

inline void check(const Weights& weights, const Sequence& x, const TagDictionary* dictionary) {
    check(weights, x);
    check(weights, x.closed, dictionary);
}

inline void check(const Weights& weights, const Corpus& corpus, const TagDictionary* dictionary) {
    for (const Sequence& x : corpus.sequences) check(weights, x, dictionary);
}

// Every token needs a gold label that the model has.
inline void check_gold(const Corpus& corpus, int labels) {
    for (const Sequence& x : corpus.sequences) {
        if (std::ssize(x.labels) != x.T) throw std::invalid_argument("a sequence has no gold labels");
        for (const std::int32_t y : x.labels)
            if (y < 0 || y >= labels) throw std::invalid_argument("a gold label is out of range");
    }
}

inline void check_rows(const Weights& weights, const FeatureIndex& index) {
    for (int order = 0; order < kOrders; ++order)
        if (std::cmp_greater(index.rows(order), weights.block(order).rows))
            throw std::invalid_argument("the weights belong to another feature index");
    const SpanLabels& spans = weights.span_labels();
    if (index.spans() && !spans.empty())
        if (std::cmp_greater(index.spans()->rows(), weights.block(kSpanBlock).rows) ||
            index.spans()->longest() != spans.longest)
            throw std::invalid_argument("the weights belong to another index of spans");
}

}  // namespace perceptag

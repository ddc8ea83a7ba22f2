// What the core trusts and Python may get wrong: numbers that belong to another model.
#pragma once

#include <cstdint>
#include <span>
#include <stdexcept>

#include "perceptag/core/weights.hpp"

namespace perceptag {

inline void check(const Weights& weights, const Sequence& x) {
    for (int order = 0; order < kOrders; ++order) {
        const std::size_t rows = weights.block(order).rows;
        for (const std::int32_t row : x.rows[order])
            if (static_cast<std::size_t>(row) >= rows)
                throw std::invalid_argument("the sequence was encoded for another model");
    }
}

// `closed`: entries of the dictionary, -1 for none.
inline void check(const Weights& weights, std::span<const std::int32_t> closed, const TagDictionary* dictionary) {
    if (!dictionary) return;
    for (const std::int32_t entry : closed) {
        if (entry < 0) continue;
        if (static_cast<std::size_t>(entry) >= dictionary->allowed.size())
            throw std::invalid_argument("the sequence was encoded for another tag dictionary");
        if (dictionary->allowed[static_cast<std::size_t>(entry)].size() != static_cast<std::size_t>(weights.L()))
            throw std::invalid_argument("the tag dictionary has another number of labels than the model");
    }
}

inline void check(const Weights& weights, const Sequence& x, const TagDictionary* dictionary) {
    check(weights, x);
    check(weights, x.closed, dictionary);
}

inline void check_rows(const Weights& weights, const FeatureIndex& index) {
    for (int order = 0; order < kOrders; ++order)
        if (static_cast<std::size_t>(index.rows(order)) > weights.block(order).rows)
            throw std::invalid_argument("the weights belong to another feature index");
}

}  // namespace perceptag

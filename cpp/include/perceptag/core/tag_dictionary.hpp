// Which labels the words of a closed list may carry, and what happens where that leaves no labelling at all.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

namespace perceptag {

struct TagDictionary {
    std::vector<std::vector<std::uint8_t>> allowed;  // [entry][L]
};

// Whether a search found a labelling, by the score of the best.
inline bool is_found(double score) { return score > -std::numeric_limits<double>::infinity(); }

// Searches with the dictionary. Where dictionary and constraints leave no labelling, the dictionary is ignored.
// `search(dictionary)` returns what it found, `is_enough(found)` says whether that is all that can be asked for.
template <class Search, class IsEnough>
auto with_fallback(const TagDictionary* dictionary, Search search, IsEnough is_enough) {
    auto found = search(dictionary);
    if (!dictionary || is_enough(found)) return found;
    return search(static_cast<const TagDictionary*>(nullptr));
}

template <class Search>
auto with_fallback(const TagDictionary* dictionary, Search search) {
    return with_fallback(dictionary, search, [](const auto& found) { return is_found(found); });
}

}  // namespace perceptag

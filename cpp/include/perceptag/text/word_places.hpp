// Places of the words of running text, made of the places of its tokens.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace perceptag {

using Places = std::span<const std::int64_t>;

struct WordPlaces {
    std::vector<std::int64_t> begin, end;
};

// Where the words of tokens begin and end. `cuts`: where words begin inside tokens. All places are in order, and tokens
// do not overlap.
inline WordPlaces word_places(Places begin, Places end, Places cuts) {
    WordPlaces words;
    words.begin.reserve(begin.size() + cuts.size());
    words.end.reserve(begin.size() + cuts.size());
    std::size_t cut = 0;
    for (std::size_t t = 0; t < begin.size(); ++t) {
        words.begin.push_back(begin[t]);
        for (; cut < cuts.size() && cuts[cut] < end[t]; ++cut) {
            words.end.push_back(cuts[cut]);
            words.begin.push_back(cuts[cut]);
        }
        words.end.push_back(end[t]);
    }
    return words;
}

// For each word 1 if white space follows it, and else 0; `behind` is where the word after the last one begins.
inline std::vector<std::uint8_t> spaces_behind(Places begin, Places end, std::int64_t behind) {
    std::vector<std::uint8_t> spaces(begin.size());
    for (std::size_t w = 0; w < spaces.size(); ++w) spaces[w] = (w + 1 < begin.size() ? begin[w + 1] : behind) > end[w];
    return spaces;
}

}  // namespace perceptag

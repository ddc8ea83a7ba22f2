// How a word is spelled, as columns that are computed from documents see it.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace perceptag {

struct Spelling {
    std::string lower;
    bool is_capital;  // whether the first letter is a capital
};

// Spells a word in UTF-8 that is not ASCII. The caller does this, because the core has no tables of Unicode.
using SpellUnicode = std::function<Spelling(std::string_view word)>;

Spelling spelling_of(std::string_view word, const SpellUnicode& spell_unicode);

}  // namespace perceptag

#include "perceptag/document/spelling.hpp"

#include <algorithm>

#include "perceptag/text/ascii.hpp"

namespace perceptag {

Spelling spelling_of(std::string_view word, const SpellUnicode& spell_unicode) {
    if (!is_ascii(word)) return spell_unicode(word);
    std::string lower(word);
    std::ranges::transform(lower, lower.begin(), to_lower);
    return {lower, !word.empty() && is_upper(word[0])};
}

}  // namespace perceptag

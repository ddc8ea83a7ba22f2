#include "perceptag/document/word_numbers.hpp"

#include <utility>

namespace perceptag {

WordNumbers::WordNumbers(int columns, SpellUnicode spell_unicode, Describe describe)
    : facts_(columns), spell_unicode_(std::move(spell_unicode)), describe_(std::move(describe)) {}

std::int32_t WordNumbers::number(std::string_view word) {
    const std::int32_t known = facts_.find(word);
    return known >= 0 ? known : add(word);
}

std::int32_t WordNumbers::add(std::string_view word) {
    const Spelling spelling = spelling_of(word, spell_unicode_);
    std::vector<std::int32_t> facts{spelling.lower == word ? -1 : number(spelling.lower), spelling.is_capital};
    describe_(word, spelling.lower, facts);
    const std::int32_t known = facts_.find(word);  // added by another caller, whom `describe` let in
    return known >= 0 ? known : facts_.add(word, facts);
}

}  // namespace perceptag

#include "perceptag/tokenizer/units.hpp"

#include <algorithm>
#include <stdexcept>

#include "perceptag/core/integers.hpp"
#include "perceptag/tokenizer/runs.hpp"

namespace perceptag {
namespace {

constexpr std::uint64_t kKnownWordSeed = 11, kUnitSeed = 12;
constexpr int kLongestWord = 12;  // in units

bool has_case(CharacterClass kind) { return kind == CharacterClass::Upper || kind == CharacterClass::Lower; }

// Whether a unit may begin between two characters of a run.
bool is_border(CharacterClass before, CharacterClass here) {
    if (here == CharacterClass::Mark) return false;
    if (here == CharacterClass::Number) return before != CharacterClass::Number;
    return !(has_case(here) && (has_case(before) || before == CharacterClass::Mark));
}

std::uint64_t with_letters(const RunText& text, const Unit& unit, std::uint64_t key) {
    for (std::int64_t i = unit.begin; i < unit.end; ++i) key = mix(key, text.characters[i].lower);
    return key;
}

// A known word of `size` units that begins with unit `first`.
void add_word(std::span<Unit> units, std::size_t first, int size, std::uint64_t word) {
    if (size == 1) units[first].is_word = true;
    units[first].from = {size, 0, word};  // the longest comes last
    for (int place = 1; place < size; ++place) {
        Match& across = units[first + place].across;
        if (size > across.size) across = {size, place, word};
    }
    const std::size_t behind = first + size;
    if (behind == units.size() || units[behind].is_first) return;
    if (Match& before = units[behind].before; size > before.size) before = {size, size, word};
}

}  // namespace

KnownWords::KnownWords(std::span<const std::uint64_t> keys) {
    if (!map_.number(keys)) throw std::invalid_argument("expected different words, found one twice");
}

void find_units(RunText& text) {
    text.unit_at.assign(text.codes.size(), -1);
    for (std::size_t r = 0; r < text.runs.size(); ++r) {
        const Run& run = text.runs[r];
        for (std::int64_t i = run.begin; i < run.end; ++i) {
            if (i > run.begin && !is_border(text.kind(i - 1), text.kind(i))) continue;
            if (i > run.begin) text.units.back().end = i;
            text.unit_at[i] = to_int32(text.units.size());
            const bool is_first = i == run.begin && text.starts_paragraph(r);
            text.units.push_back({i, run.end, 0, i == run.begin, is_first});
        }
    }
    for (Unit& unit : text.units) unit.lower = with_letters(text, unit, kUnitSeed);
}

void match_words(RunText& text, const KnownWords& lexicon, std::int64_t begin, std::int64_t end) {
    const auto from = std::ranges::lower_bound(text.units, begin, {}, &Unit::begin);
    const std::span<Unit> units(from, std::ranges::lower_bound(text.units, end, {}, &Unit::begin));
    for (Unit& unit : units) {
        unit.before = unit.from = unit.across = {};
        unit.is_word = false;
    }
    for (std::size_t first = 0; first < units.size(); ++first) {
        std::uint64_t word = kKnownWordSeed;
        for (int size = 1; size <= kLongestWord && first + size <= units.size(); ++size) {
            const Unit& last = units[first + size - 1];
            if (size > 1 && last.is_first) break;
            if (size > 1 && last.is_spaced) word = mix(word, ' ');
            word = with_letters(text, last, word);
            if (lexicon.has(word)) add_word(units, first, size, word);
        }
    }
}

}  // namespace perceptag

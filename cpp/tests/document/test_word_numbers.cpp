#include <string>

#include "check.hpp"
#include "perceptag/document/word_numbers.hpp"

using namespace perceptag;

namespace {

Spelling spell_unicode(std::string_view word) {
    return word == "Österreich" ? Spelling{"österreich", true} : Spelling{std::string(word), false};
}

}  // namespace

void test_words_are_numbered_once() {
    int asked = 0;
    WordNumbers words(1, spell_unicode, [&](std::string_view word, std::string_view lower, auto& facts) {
        facts.insert(facts.end(), {word == "the" ? 5 : -1, lower == "the" ? 6 : -1, 100 + asked++});
    });
    CHECK(words.number("The") == 1 && words.number("the") == 0 && words.number("The") == 1);
    CHECK(words.number("Österreich") == 3 && words.number("österreich") == 2);
    CHECK(asked == 4 && words.facts().size() == 4);
    const WordFacts& facts = words.facts();
    CHECK(facts.lower(1) == 0 && facts.lower(0) == 0 && facts.lower(3) == 2);
    CHECK(facts.is_capital(1) && !facts.is_capital(0) && facts.is_capital(3) && !facts.is_capital(2));
    CHECK(facts.phrase_word(0) == 5 && facts.phrase_word(1) == -1 && facts.phrase_word_in_lower_case(1) == 6);
    CHECK(facts.type(0, 0) == 100 && facts.type(1, 0) == 101);
}

void test_a_word_that_was_added_meanwhile_keeps_its_number() {
    WordNumbers* all = nullptr;
    bool is_inside = false;
    WordNumbers words(0, spell_unicode, [&](std::string_view word, std::string_view, auto& facts) {
        facts.insert(facts.end(), {-1, -1});
        if (is_inside) return;
        is_inside = true;
        CHECK(all->number(word) == 0);
    });
    all = &words;
    CHECK(words.number("word") == 0 && words.facts().size() == 1);
}

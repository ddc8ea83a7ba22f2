// Words with other letters than ASCII, as UTF-8: what Python knows of their characters, and where characters begin.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace perceptag {

// What the methods of a string in Python say of a character.
struct Letter {
    std::uint32_t code;
    std::uint32_t lower;
    bool is_upper;
    bool is_alpha;
    bool is_digit;
};

// Asks the Unicode tables of Python, since those of another version may differ. Set once, before any word is read; null
// in a program without Python, which cannot read such words.
using LetterSource = Letter (*)(std::uint32_t);
inline LetterSource letter_source = nullptr;

// Whether a text is sound UTF-8.
bool is_sound(std::string_view text);

// Whether the characters of a word say all about it: sound UTF-8, and each has one small letter wherever it stands.
bool is_of_letters(std::string_view word);

// The first character of such a word, which is removed from it.
std::uint32_t take_code(std::string_view& word);
void append_code(std::uint32_t code, std::string& text);

template <class Test>
bool any_letter(std::string_view word, Test test) {
    while (!word.empty())
        if (test(letter_source(take_code(word)))) return true;
    return false;
}

// The first or last n characters; nothing if there are fewer.
std::string_view first_letters(std::string_view word, std::size_t n);
std::string_view last_letters(std::string_view word, std::size_t n);

// As attributes.py defines them for all words.
std::string lower_of(std::string_view word);
std::string shape_of(std::string_view word);
std::string short_shape_of(std::string_view word);

}  // namespace perceptag

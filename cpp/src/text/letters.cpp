#include "perceptag/text/letters.hpp"

namespace perceptag {
namespace {

constexpr std::uint32_t kDottedI = 0x130;  // whose small letter is two characters
constexpr std::uint32_t kSigma = 0x3A3;    // whose small letter is another one at the end of a word

bool continues(char c) { return (c & 0xC0) == 0x80; }

// The bytes of a character by the first one; 0 if no character begins with it.
std::size_t length_of(char first) {
    const auto byte = static_cast<unsigned char>(first);
    return byte < 0x80 ? 1 : byte < 0xC2 ? 0 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : byte < 0xF5 ? 4 : 0;
}

// Whether a text begins with a character in its one sound form.
bool begins_soundly(std::string_view text) {
    const std::size_t length = length_of(text[0]);
    if (!length || text.size() < length) return false;
    for (std::size_t i = 1; i < length; ++i)
        if (!continues(text[i])) return false;
    const std::uint32_t code = take_code(text);
    const bool is_surrogate = code >= 0xD800 && code < 0xE000;
    return !is_surrogate && code <= 0x10FFFF && !(length == 3 && code < 0x800) && !(length == 4 && code < 0x10000);
}

template <class Change>
std::string changed(std::string_view word, Change change) {
    std::string made;
    made.reserve(word.size());
    while (!word.empty()) append_code(change(letter_source(take_code(word))), made);
    return made;
}

}  // namespace

bool is_sound(std::string_view text) {
    while (!text.empty()) {
        if (!(text[0] & 0x80)) {
            text.remove_prefix(1);
            continue;
        }
        if (!begins_soundly(text)) return false;
        take_code(text);
    }
    return true;
}

bool is_of_letters(std::string_view word) {
    if (!letter_source) return false;
    while (!word.empty()) {
        if (!begins_soundly(word)) return false;
        const std::uint32_t code = take_code(word);
        if (code == kDottedI || code == kSigma) return false;
    }
    return true;
}

std::uint32_t take_code(std::string_view& word) {
    const std::size_t length = length_of(word[0]);
    std::uint32_t code = static_cast<unsigned char>(word[0]);
    if (length > 1) code &= 0x7FU >> length;
    for (std::size_t i = 1; i < length; ++i) code = code << 6 | (static_cast<unsigned char>(word[i]) & 0x3FU);
    word.remove_prefix(length);
    return code;
}

void append_code(std::uint32_t code, std::string& text) {
    const auto put = [&](std::uint32_t byte) { text += static_cast<char>(byte); };
    const auto put_rest = [&](int shift) { put(0x80U | (code >> shift & 0x3FU)); };
    if (code < 0x80) {
        put(code);
    } else if (code < 0x800) {
        put(0xC0U | code >> 6), put_rest(0);
    } else if (code < 0x10000) {
        put(0xE0U | code >> 12), put_rest(6), put_rest(0);
    } else {
        put(0xF0U | code >> 18), put_rest(12), put_rest(6), put_rest(0);
    }
}

std::string_view first_letters(std::string_view word, std::size_t n) {
    std::size_t end = 0;
    for (; n && end < word.size(); --n) end += length_of(word[end]);
    return n ? std::string_view() : word.substr(0, end);
}

std::string_view last_letters(std::string_view word, std::size_t n) {
    std::size_t begin = word.size();
    for (; n && begin; --n)
        while (continues(word[--begin])) continue;
    return n ? std::string_view() : word.substr(begin);
}

std::string lower_of(std::string_view word) {
    return changed(word, [](const Letter& letter) { return letter.lower; });
}

std::string shape_of(std::string_view word) {
    return changed(word, [](const Letter& letter) {
        return letter.is_upper ? 'X' : letter.is_alpha ? 'x' : letter.is_digit ? 'd' : letter.code;
    });
}

std::string short_shape_of(std::string_view word) {
    const std::string shape = shape_of(word);
    std::string made;
    std::uint32_t before = 0x110000;  // no character
    for (std::string_view rest = shape; !rest.empty();) {
        const std::uint32_t code = take_code(rest);
        if (code != before) append_code(before = code, made);
    }
    return made;
}

}  // namespace perceptag

// What is known of each character: its class and its small letter. Python asks the Unicode tables, once for each
// character; here the answers are only kept.
#pragma once

#include <array>
#include <cstdint>
#include <memory>

namespace perceptag {

// Classes up to `Mark` are what words are made of; white space comes first.
enum class CharacterClass : std::uint8_t {
    LineEnd,
    Space,
    Upper,
    Lower,
    Number,
    Letter,
    Mark,
    Punctuation,
    Symbol,
    Other
};
inline constexpr int kCharacterClasses = 10;
inline constexpr std::uint32_t kLastCode = 0x10FFFF;

struct Character {
    CharacterClass kind = CharacterClass::Other;
    std::uint32_t lower = 0;
};

constexpr bool is_space(CharacterClass kind) { return kind <= CharacterClass::Space; }
constexpr bool is_of_words(CharacterClass kind) { return kind <= CharacterClass::Mark; }

class Alphabet {
  public:
    // A code above `kLastCode` is ignored.
    void add(std::uint32_t code, Character character);
    // A character that nobody has added is of class Other.
    Character at(std::uint32_t code) const {
        if (code > kLastCode || !pages_[code / kPage]) return {CharacterClass::Other, code};
        return (*pages_[code / kPage])[code % kPage];
    }

  private:
    static constexpr std::uint32_t kPage = 256;
    using Page = std::array<Character, kPage>;
    std::array<std::unique_ptr<Page>, kLastCode / kPage + 1> pages_;
};

}  // namespace perceptag

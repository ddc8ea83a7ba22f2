// What is known of each character: its class, its script and its small letter. Python asks the Unicode tables, once for
// each character; here the answers are only kept.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

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
    std::uint8_t script = 0;  // of those that have no spaces between words; 0: another
    std::uint32_t lower = 0;
};

constexpr bool is_space(CharacterClass kind) { return kind <= CharacterClass::Space; }
constexpr bool is_of_words(CharacterClass kind) { return kind <= CharacterClass::Mark; }

class Alphabet {
  public:
    // A code above `kLastCode` is ignored.
    void add(std::uint32_t code, Character character);
    // A character that was not added is of class Other.
    Character at(std::uint32_t code) const {
        if (code > kLastCode || !pages_[code / kPage]) return {CharacterClass::Other, 0, code};
        return (*pages_[code / kPage])[code % kPage];
    }
    std::vector<Character> at(std::span<const std::uint32_t> codes) const;

  private:
    static constexpr std::uint32_t kPage = 256;
    using Page = std::array<Character, kPage>;
    std::array<std::unique_ptr<Page>, kLastCode / kPage + 1> pages_;
};

}  // namespace perceptag

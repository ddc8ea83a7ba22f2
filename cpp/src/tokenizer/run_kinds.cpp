#include "perceptag/tokenizer/run_kinds.hpp"

#include <algorithm>
#include <string_view>

namespace perceptag {
namespace {

constexpr std::u32string_view kOpening = U"([{<\"'`*\u201C\u2018\u00AB";
constexpr std::u32string_view kClosing = U".,;:!?)]}>\"'*\u201D\u2019\u00BB\u2026";
constexpr std::u32string_view kSeparators = U".,:/-";
constexpr std::uint32_t kFirstSymbol = 0x2190;  // arrows: symbols before it are those of money and mathematics
constexpr std::size_t kLongestEnding = 5;

bool is_one_of(std::uint32_t code, std::u32string_view set) { return set.find(code) != std::u32string_view::npos; }

// A core, and how many characters of each sort it has.
class Core {
  public:
    Core(std::span<const std::uint32_t> codes, std::span<const Character> characters)
        : codes_(codes), characters_(characters) {
        for (std::size_t i = 0; i < codes.size(); ++i) {
            if (is_digit(i))
                ++digits_;
            else if (is_letter(i))
                ++letters_;
        }
    }

    RunKind kind() const {
        if (letters_ == size()) return RunKind::Word;
        if (const RunKind found = address(); found != RunKind::Other) return found;
        if (digits_ + letters_ == size() && digits_ < size()) return is_digit(0) ? RunKind::Measure : RunKind::Code;
        if (const RunKind found = number(); found != RunKind::Other) return found;
        return dotted();
    }

  private:
    std::size_t size() const { return codes_.size(); }
    bool is_digit(std::size_t i) const { return characters_[i].kind == CharacterClass::Number; }
    bool is_letter(std::size_t i) const { return is_of_words(characters_[i].kind) && !is_digit(i); }
    bool is_word(std::size_t i) const { return is_of_words(characters_[i].kind); }
    std::size_t count(char32_t code) const { return std::ranges::count(codes_, static_cast<std::uint32_t>(code)); }
    bool has(char32_t code) const {
        return std::ranges::find(codes_, static_cast<std::uint32_t>(code)) != codes_.end();
    }

    bool matches(std::size_t place, std::u32string_view text) const {
        if (place + text.size() > size()) return false;
        for (std::size_t i = 0; i < text.size(); ++i)
            if (characters_[place + i].lower != text[i]) return false;
        return true;
    }
    bool contains(std::u32string_view text) const {
        for (std::size_t i = 0; i + text.size() <= size(); ++i)
            if (matches(i, text)) return true;
        return false;
    }
    // Whether all characters from a place on are of words or one of some others.
    bool all_of_words_or(std::size_t place, std::u32string_view others) const {
        for (std::size_t i = place; i < size(); ++i)
            if (!is_word(i) && !is_one_of(codes_[i], others)) return false;
        return true;
    }

    // What begins with a sign or has one in it.
    RunKind address() const {
        if (contains(U"://") || matches(0, U"www.")) return RunKind::WebAddress;
        if (contains(U"==") || contains(U">=") || contains(U"<=")) return RunKind::Pin;
        if (has('<') || has('>')) return RunKind::Markup;
        if (has('@')) return mail();
        if (codes_[0] == '#' && size() > 1 && letters_ > 0 && all_of_words_or(1, U"_")) return RunKind::Hashtag;
        if (has('\\') || (is_one_of(codes_[0], U"/~") && size() > 1)) return RunKind::Path;
        for (std::size_t i = 0; i < size(); ++i) {
            const bool is_symbol = characters_[i].kind >= CharacterClass::Symbol && codes_[i] >= kFirstSymbol;
            if (!is_symbol && !(i && characters_[i].kind == CharacterClass::Mark)) break;
            if (i + 1 == size()) return RunKind::Symbols;
        }
        return RunKind::Other;
    }

    RunKind mail() const {
        const auto at = static_cast<std::size_t>(std::ranges::find(codes_, std::uint32_t{'@'}) - codes_.begin());
        if (at == 0) return size() > 1 && all_of_words_or(1, U"_.") ? RunKind::Handle : RunKind::Other;
        for (std::size_t i = at + 1; i + 1 < size(); ++i)
            if (codes_[i] == '.' && i > at + 1 && is_letter(i + 1)) return RunKind::Mail;
        return RunKind::At;
    }

    // Digits with separators, and what stands beside a number.
    RunKind number() const {
        if (digits_ == 0) return RunKind::Other;
        std::size_t separators = 0;
        for (std::size_t i = 0; i < size(); ++i) separators += is_one_of(codes_[i], kSeparators);
        const auto is_sign = [&](std::size_t i) { return !is_digit(i) && !is_one_of(codes_[i], kSeparators); };
        if (digits_ + separators + 1 == size() && letters_ == 0 && (is_sign(0) || (is_digit(0) && is_sign(size() - 1))))
            return RunKind::Amount;
        if (digits_ + separators != size() || !is_digit(0) || !is_digit(size() - 1)) return RunKind::Other;
        const std::size_t dots = count('.') + count(','), dashes = count('-'), slashes = count('/');
        if (separators == dots) return count('.') > 1 ? RunKind::Version : RunKind::Decimal;
        if (separators == count(':')) return RunKind::Time;
        if (separators == 2 && (dashes == 2 || slashes == 2)) return RunKind::Date;
        if (separators == slashes) return RunKind::Slashed;
        return separators == 1 ? RunKind::Dashed : RunKind::Numbers;
    }

    // Letters, and perhaps digits, with full stops or hyphens between them.
    RunKind dotted() const {
        if (!is_word(0) || !is_word(size() - 1) || !all_of_words_or(0, U".-_")) return RunKind::Other;
        if (!has('.'))
            return letters_ == 0 || has('_') ? RunKind::Other : count('-') > 1 ? RunKind::Hyphens : RunKind::Hyphened;
        if (is_initials()) return RunKind::Initials;
        std::size_t ending = size();
        while (codes_[ending - 1] != '.') --ending;
        if (size() - ending > kLongestEnding || !is_letter(ending)) return digits_ ? RunKind::Version : RunKind::Joined;
        for (std::size_t i = ending; i < size(); ++i)
            if (characters_[i].kind == CharacterClass::Upper) return RunKind::Joined;
        return RunKind::File;
    }

    bool is_initials() const {
        for (std::size_t i = 0; i < size(); ++i)
            if (i % 2 ? codes_[i] != '.' : !is_letter(i)) return false;
        return size() % 2 == 1;
    }

    std::span<const std::uint32_t> codes_;
    std::span<const Character> characters_;
    std::size_t digits_ = 0, letters_ = 0;
};

}  // namespace

RunShape shape_of(std::span<const std::uint32_t> codes, std::span<const Character> characters) {
    std::size_t begin = 0, end = codes.size();
    while (begin < end && is_one_of(codes[begin], kOpening)) ++begin;
    while (end > begin && is_one_of(codes[end - 1], kClosing)) --end;
    if (begin == end) return {RunKind::Other, 0, 0};
    const std::size_t size = end - begin;
    const RunKind kind = Core(codes.subspan(begin, size), characters.subspan(begin, size)).kind();
    if (kind == RunKind::WebAddress && end < codes.size() && codes[end] == ')') {
        const auto inside = codes.subspan(begin, size);
        if (std::ranges::count(inside, std::uint32_t{'('}) > std::ranges::count(inside, std::uint32_t{')'})) ++end;
    }
    return {kind, static_cast<std::int32_t>(begin), static_cast<std::int32_t>(end)};
}

}  // namespace perceptag

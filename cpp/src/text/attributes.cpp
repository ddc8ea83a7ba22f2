#include "perceptag/text/attributes.hpp"

#include <algorithm>
#include <map>
#include <stdexcept>

#include "perceptag/core/types.hpp"
#include "perceptag/text/ascii.hpp"
#include "perceptag/text/letters.hpp"

namespace perceptag {
namespace {

char ascii_shape(char c) { return is_upper(c) ? 'X' : is_lower(c) ? 'x' : is_digit(c) ? 'd' : c; }

bool is_in_numbers(char c) { return is_digit(c) || std::string_view(".,-/:").find(c) != std::string_view::npos; }

// "1" where a flag holds, no value elsewhere
bool flag(bool holds, std::string_view& value) {
    value = "1";
    return holds;
}

// Each letter by itself; the value may be in the memory already.
void change_letters(char (*change)(char), std::string_view& value, std::string& memory) {
    if (value.data() != memory.data()) memory.assign(value);
    memory.resize(value.size());
    std::ranges::transform(memory, memory.begin(), change);
    value = memory;
}

}  // namespace

std::optional<AttributeChain> AttributeChain::make(const std::vector<std::string>& names, LearnedTables learned) {
    static const std::map<std::string, Kind> kPlain{
        {"lower", Kind::kLower},     {"shape", Kind::kShape},     {"shortshape", Kind::kShortShape},
        {"digit", Kind::kDigit},     {"upper", Kind::kUpper},     {"hyphen", Kind::kHyphen},
        {"capital", Kind::kCapital}, {"allcaps", Kind::kAllCaps}, {"number", Kind::kNumber}};
    AttributeChain chain;
    for (const std::string& name : names) {
        if (chain.ends_in_endings_ || chain.is_list_) return std::nullopt;
        const bool is_counted = name.size() == 7 && name.back() >= '1' && name.back() <= '9';
        if (const auto plain = kPlain.find(name); plain != kPlain.end())
            chain.steps_.push_back({plain->second, 0});
        else if (is_counted && (name.starts_with("prefix") || name.starts_with("suffix")))
            chain.steps_.push_back(
                {name[0] == 'p' ? Kind::kPrefix : Kind::kSuffix, static_cast<std::size_t>(name.back() - '0')});
        else if (const auto place = learned.classes ? learned.classes->place_of(name) : std::nullopt)
            chain.steps_.push_back({Kind::kClass, *place});
        else if (learned.endings && name == "endings")
            chain.ends_in_endings_ = true;
        else if (names.size() == 1 && (name == "each" || name == "valued"))
            chain.is_list_ = true, chain.has_amounts_ = name == "valued";
        else
            return std::nullopt;
    }
    chain.learned_ = std::move(learned);
    return chain;
}

bool AttributeChain::apply(const Step& step, std::string_view& value, std::string& memory) const {
    switch (step.kind) {
        case Kind::kLower:
            change_letters(to_lower, value, memory);
            return true;
        case Kind::kShape:
        case Kind::kShortShape:
            change_letters(ascii_shape, value, memory);
            if (step.kind == Kind::kShortShape) memory.erase(std::unique(memory.begin(), memory.end()), memory.end());
            value = memory;
            return true;
        case Kind::kDigit:
            return flag(std::ranges::any_of(value, is_digit), value);
        case Kind::kUpper:
            return flag(std::ranges::any_of(value, is_upper), value);
        case Kind::kHyphen:
            return flag(value.find('-') != value.npos, value);
        case Kind::kCapital:
            return flag(!value.empty() && is_upper(value[0]), value);
        case Kind::kAllCaps:
            return flag(std::ranges::any_of(value, is_upper) && std::ranges::none_of(value, is_lower), value);
        case Kind::kNumber:
            return flag(std::ranges::any_of(value, is_digit) && std::ranges::all_of(value, is_in_numbers), value);
        case Kind::kPrefix:
            if (value.size() < step.number) return false;
            value = value.substr(0, step.number);
            return true;
        case Kind::kSuffix:
            if (value.size() < step.number) return false;
            value = value.substr(value.size() - step.number);
            return true;
        case Kind::kClass: {
            const std::int32_t number = learned_.classes->find(value, step.number);
            if (number == kNone) return false;
            memory = std::to_string(number);
            value = memory;
            return true;
        }
    }
    return false;
}

bool AttributeChain::apply_to_letters(const Step& step, std::string_view& value, std::string& memory) {
    const auto keep = [&](std::string made) { return value = memory = std::move(made), true; };
    const auto is_upper_letter = [](const Letter& letter) { return letter.is_upper; };
    const auto is_digit_letter = [](const Letter& letter) { return letter.is_digit; };
    switch (step.kind) {
        case Kind::kLower:
            return keep(lower_of(value));
        case Kind::kShape:
            return keep(shape_of(value));
        case Kind::kShortShape:
            return keep(short_shape_of(value));
        case Kind::kDigit:
            return flag(any_letter(value, is_digit_letter), value);
        case Kind::kUpper:
            return flag(any_letter(value, is_upper_letter), value);
        case Kind::kHyphen:
            return flag(value.find('-') != value.npos, value);
        case Kind::kCapital:
            return flag(any_letter(first_letters(value, 1), is_upper_letter), value);
        case Kind::kAllCaps: {
            const bool has_letters = any_letter(value, [](const Letter& letter) { return letter.is_alpha; });
            const auto is_small = [](const Letter& letter) { return letter.is_alpha && !letter.is_upper; };
            return flag(has_letters && !any_letter(value, is_small), value);
        }
        case Kind::kNumber: {
            const auto is_other = [](const Letter& letter) {
                return !letter.is_digit && (letter.code >= 0x80 || !is_in_numbers(static_cast<char>(letter.code)));
            };
            return flag(any_letter(value, is_digit_letter) && !any_letter(value, is_other), value);
        }
        case Kind::kPrefix:
            value = first_letters(value, step.number);
            return !value.empty();
        case Kind::kSuffix:
            value = last_letters(value, step.number);
            return !value.empty();
        case Kind::kClass:
            break;  // not of words with other letters
    }
    return false;
}

std::optional<std::string_view> AttributeChain::apply(std::string_view word, bool word_is_ascii,
                                                      std::string& memory) const {
    for (const Step& step : steps_)
        if (!(word_is_ascii ? apply(step, word, memory) : apply_to_letters(step, word, memory))) return std::nullopt;
    return word;
}

bool AttributeChain::takes_all_letters() const {
    return !ends_in_endings_ &&
           std::ranges::none_of(steps_, [](const Step& step) { return step.kind == Kind::kClass; });
}

std::int32_t AttributeChain::read(std::string_view word, const TextLexicon& vocabulary, TypeTable& table) const {
    std::string memory;
    const auto value = apply(word, true, memory);
    return value ? number(*value, TextLexicon::hash(*value), vocabulary, table) : kNone;
}

std::int32_t AttributeChain::read_endings(std::string_view word, const TextLexicon& vocabulary,
                                          TypeTable& table) const {
    std::vector<std::int32_t> numbers;
    for (const std::string& value : learned_.endings->find(word))
        if (const std::int32_t number = vocabulary.find(value); number != kNone) numbers.push_back(number);
    if (numbers.size() < 2) return numbers.empty() ? kNone : numbers[0];
    return table.add_bag(numbers);
}

ReadableWords::ReadableWords(const std::vector<AttributeChain>& chains)
    : are_lists_(std::ranges::all_of(chains, &AttributeChain::is_list)),
      have_all_letters_(std::ranges::all_of(chains, &AttributeChain::takes_all_letters)) {}

bool ReadableWords::has(std::string_view word, bool word_is_ascii) const {
    return are_lists_ || word_is_ascii || (have_all_letters_ && is_of_letters(word));
}

AttributeReader::AttributeReader(std::vector<AttributeChain> chains,
                                 std::vector<std::shared_ptr<const TextLexicon>> vocabularies)
    : chains_(std::move(chains)), vocabularies_(std::move(vocabularies)), readable_(chains_) {
    if (chains_.size() != vocabularies_.size())
        throw std::invalid_argument("expected one vocabulary for each attribute");
}

bool AttributeReader::read(std::string_view word, TypeTable& table, AttributeScratch& scratch) const {
    const bool word_is_ascii = is_ascii(word);
    if (!readable_.has(word, word_is_ascii)) return false;
    // All values first, so that their slots are on the way from memory when the first one is looked at.
    auto& [row, values, list] = scratch;
    values.resize(std::max(values.size(), chains_.size()));
    row.assign(chains_.size(), 0);
    for (std::size_t a = 0; a < chains_.size(); ++a) {
        if (chains_[a].is_list()) continue;
        AttributeScratch::Value& value = values[a];
        const auto found = chains_[a].apply(word, word_is_ascii, value.memory);
        row[a] = found ? 0 : kNone;
        if (found) vocabularies_[a]->prefetch(value.hash = TextLexicon::hash(value.text = *found));
    }
    for (std::size_t a = 0; a < chains_.size(); ++a)
        if (row[a] != kNone && !chains_[a].is_list()) vocabularies_[a]->prefetch_entry(values[a].hash);
    for (std::size_t a = 0; a < chains_.size(); ++a) {
        if (row[a] == kNone) continue;
        if (chains_[a].is_list()) {
            const auto found = find_features(word, chains_[a].has_amounts(), *vocabularies_[a], table, list);
            if (!found) return false;
            row[a] = *found;
            continue;
        }
        row[a] = chains_[a].number(values[a].text, values[a].hash, *vocabularies_[a], table);
    }
    return true;
}

}  // namespace perceptag

#include "perceptag/text/class_table.hpp"

#include <algorithm>
#include <stdexcept>

#include "perceptag/core/integers.hpp"
#include "perceptag/core/types.hpp"
#include "perceptag/text/ascii.hpp"

namespace perceptag {

namespace {

constexpr std::uint64_t kRare = 10;  // a word so many times rarer than the same in other case takes its class

// A word with its digits as 0, and in lower case.
std::pair<std::string, std::string> forms_of(std::string_view word, const ClassTable::Forms& others) {
    if (!is_ascii(word)) return others(word);
    std::string folded(word), lower(word);
    std::ranges::replace_if(folded, is_digit, '0');
    std::ranges::transform(lower, lower.begin(), to_lower);
    return {folded, lower};
}

}  // namespace

ClassTable::ClassTable(const ListedClasses& listed, const Forms& forms)
    : numbers_(listed.numbers.begin(), listed.numbers.end()), sizes_(listed.sizes) {
    const std::size_t n = listed.counts.size();
    if (sizes_.empty() || numbers_.size() != n * sizes_.size())
        throw std::invalid_argument("expected a class of each size for every word");
    for (std::size_t i = 0; i < numbers_.size(); ++i)
        if (numbers_[i] >= sizes_[i % sizes_.size()])
            throw std::invalid_argument("expected classes below the size, found others");
    TextLexicon lowered;
    rows_.reserve(n);
    lowered.reserve_exactly(n, listed.words.size());
    std::vector<std::pair<std::int32_t, std::string>> folded;  // places of words with digits other than 0
    std::string_view rest = listed.words;
    for (std::size_t place = 0; place < n; ++place) {
        const std::string_view word = rest.substr(0, rest.find('\n'));
        rest.remove_prefix(std::min(rest.size(), word.size() + 1));
        if (word.empty() || !rows_.add(word, to_int32(place)))
            throw std::invalid_argument("expected different words, found an empty or repeated one");
        auto [zeros, lower] = forms_of(word, forms);
        lowered.add(lower, to_int32(place));
        if (zeros != word) folded.emplace_back(to_int32(place), std::move(zeros));
    }
    if (!rest.empty()) throw std::invalid_argument("expected a count for each word");
    for (const auto& [place, zeros] : folded) rows_.add(zeros, place);  // no word is hidden by the form of another
    if (listed.in_any_case) {
        for (std::size_t i = 0; i < lowered.size(); ++i) {
            const std::int32_t place = lowered.find(lowered.text(i)), own = rows_.find(lowered.text(i));
            if (own < 0 || listed.counts[own] * kRare <= listed.counts[place]) rows_.set(lowered.text(i), place);
        }
    }
    lowered_ = std::make_shared<const TextLexicon>(std::move(lowered));
}

std::optional<std::size_t> ClassTable::place_of(std::string_view name) const {
    for (std::size_t k = 0; k < sizes_.size(); ++k)
        if (name == "class" + std::to_string(sizes_[k])) return k;
    return std::nullopt;
}

std::int32_t ClassTable::find(std::string_view word, std::size_t place) const {
    const std::int32_t row = row_of(word);
    if (row < 0) return kNone;
    const std::size_t cell = row * sizes_.size() + place;
    return cell < numbers_.size() ? numbers_[cell] : kNone;
}

std::int32_t ClassTable::row_of(std::string_view word) const {
    std::int32_t row = rows_.find(word);
    if (row >= 0) return row;
    std::string form(word);
    std::ranges::replace_if(form, is_digit, '0');
    if ((row = rows_.find(form)) >= 0) return row;
    const bool in_capitals = std::ranges::any_of(form, is_upper) && std::ranges::none_of(form, is_lower);
    const char first = form.empty() ? '\0' : form[0];
    std::ranges::transform(form, form.begin(), to_lower);
    if ((row = rows_.find(form)) >= 0 || !in_capitals) return row;
    form[0] = first;
    return rows_.find(form);
}

}  // namespace perceptag

#include "perceptag/text/class_table.hpp"

#include <algorithm>
#include <span>
#include <stdexcept>

#include "perceptag/core/integers.hpp"
#include "perceptag/core/types.hpp"
#include "perceptag/text/ascii.hpp"

namespace perceptag {

namespace {

constexpr std::size_t kAtOnce = 16;  // words whose slots are fetched from memory together
constexpr std::size_t kAhead = 8;    // how many words later a slot is needed that is fetched now
constexpr std::uint64_t kRare = 10;  // a word so many times rarer than the same in other case takes its class

using WordForms = std::pair<std::string, std::string>;  // with its digits as 0, and in lower case

// A word of the list whose slots are on their way from memory.
struct FetchedWord {
    std::string_view text;
    WordForms forms;
    std::uint64_t hash, hash_of_lower;
};

void find_forms(std::string_view word, const ClassTable::Forms& others, WordForms& forms) {
    if (!is_ascii(word)) {
        forms = others(word);
        return;
    }
    forms.first.assign(word);
    forms.second.assign(word);
    std::ranges::replace_if(forms.first, is_digit, '0');
    std::ranges::transform(forms.second, forms.second.begin(), to_lower);
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
    // Other spellings of the words come later. Half as many as there are words is enough for most texts.
    rows_.reserve_exactly(n + n / 2, 2 * listed.words.size());
    lowered.reserve_exactly(n, listed.words.size());
    std::vector<std::pair<std::int32_t, std::string>> folded;  // places of words with digits other than 0
    std::vector<FetchedWord> some(kAtOnce);
    std::string_view rest = listed.words;
    for (std::size_t first = 0; first < n; first += kAtOnce) {
        const std::span<FetchedWord> words = std::span(some).first(std::min(kAtOnce, n - first));
        for (FetchedWord& word : words) {
            word.text = rest.substr(0, rest.find('\n'));
            rest.remove_prefix(std::min(rest.size(), word.text.size() + 1));
            find_forms(word.text, forms, word.forms);
            word.hash = TextLexicon::hash(word.text);
            word.hash_of_lower = TextLexicon::hash(word.forms.second);
            rows_.prefetch(word.hash);
            lowered.prefetch(word.hash_of_lower);
        }
        auto place = to_int32(first);
        for (const FetchedWord& word : words) {
            if (word.text.empty() || !rows_.add(word.text, word.hash, place))
                throw std::invalid_argument("expected different words, found an empty or repeated one");
            lowered.add(word.forms.second, word.hash_of_lower, place);
            if (word.forms.first != word.text) folded.emplace_back(place, word.forms.first);
            ++place;
        }
    }
    if (!rest.empty()) throw std::invalid_argument("expected a count for each word");
    for (const auto& [place, zeros] : folded) rows_.add(zeros, place);  // no word is hidden by the form of another
    if (listed.in_any_case) {
        for (std::size_t i = 0; i < lowered.size(); ++i) {
            if (i + kAhead < lowered.size()) rows_.prefetch(lowered.hash_at(i + kAhead));
            const std::string_view lower = lowered.text(i);
            const std::uint64_t hash = lowered.hash_at(i);
            const std::int32_t place = lowered.number_at(i), own = rows_.find(lower, hash);
            if (own < 0 || listed.counts[own] * kRare <= listed.counts[place]) rows_.set(lower, hash, place);
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

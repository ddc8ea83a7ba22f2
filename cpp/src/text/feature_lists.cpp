#include "perceptag/text/feature_lists.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace perceptag {
namespace {

std::optional<float> read_amount(std::string_view text) {
    double amount = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), amount);
    const bool is_read = error == std::errc() && end == text.data() + text.size();
    if (!is_read || !(std::abs(amount) <= kMaxAmount)) return std::nullopt;
    return static_cast<float>(std::nearbyint(amount / kAmountUnit) * kAmountUnit);
}

}  // namespace

bool read_features(std::string_view value, bool has_amounts, std::vector<ListedFeature>& found) {
    found.clear();
    const bool is_marked = value.find(kAmountMark) != value.npos;
    if ((is_marked && !has_amounts) || value.ends_with(kFeatureSeparator)) return false;
    while (!value.empty()) {
        const std::size_t end = std::min(value.find(kFeatureSeparator), value.size());
        ListedFeature one{value.substr(0, end), 1.0F};
        value.remove_prefix(std::min(end + 1, value.size()));
        const std::size_t mark = is_marked ? one.name.find(kAmountMark) : one.name.npos;
        if (mark != one.name.npos) {
            const auto amount = read_amount(one.name.substr(mark + 1));
            if (!amount) return false;
            one = {one.name.substr(0, mark), *amount};
        }
        if (one.name.empty()) return false;
        if (one.amount != 0) found.push_back(one);
    }
    return true;
}

void write_amount(double amount, std::string& out) {
    char text[32];
    const auto [end, error] = std::to_chars(text, text + sizeof text, amount);
    out.append(text, error == std::errc() ? end : text);
}

void ListedNumbers::clear() {
    numbers_.clear();
    amounts_.clear();
    is_counted_ = false;
}

bool ListedNumbers::add(std::int32_t number, float amount) {
    if (std::ranges::find(numbers_, number) != numbers_.end()) return false;
    numbers_.push_back(number);
    amounts_.push_back(amount);
    is_counted_ |= amount != 1;
    return true;
}

std::int32_t ListedNumbers::store(TypeTable& table) const {
    if (is_counted_) return table.add_bag(numbers_, amounts_);
    if (numbers_.size() < 2) return numbers_.empty() ? kNone : numbers_[0];
    return table.add_bag(numbers_);
}

std::optional<std::int32_t> find_features(std::string_view value, bool has_amounts, const TextLexicon& vocabulary,
                                          TypeTable& table, ListScratch& scratch) {
    auto& [features, hashes, numbers] = scratch;
    if (!read_features(value, has_amounts, features)) return std::nullopt;
    // All hashes first, so that their slots are on the way from memory when the first one is looked at.
    hashes.clear();
    for (const ListedFeature& one : features) vocabulary.prefetch(hashes.emplace_back(TextLexicon::hash(one.name)));
    numbers.clear();
    for (std::size_t i = 0; i < features.size(); ++i) {
        const std::int32_t number = vocabulary.find(features[i].name, hashes[i]);
        if (number >= 0 && !numbers.add(number, features[i].amount) && has_amounts) return std::nullopt;
    }
    return numbers.store(table);
}

}  // namespace perceptag

#include "perceptag/text/class_table.hpp"

#include <algorithm>
#include <stdexcept>

#include "perceptag/core/types.hpp"
#include "perceptag/text/ascii.hpp"

namespace perceptag {

ClassTable::ClassTable(TextLexicon rows, std::vector<std::int32_t> numbers, std::vector<std::int32_t> sizes)
    : rows_(std::move(rows)), numbers_(std::move(numbers)), sizes_(std::move(sizes)) {
    if (sizes_.empty() || numbers_.size() % sizes_.size() != 0)
        throw std::invalid_argument("expected a class of each size for every word");
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

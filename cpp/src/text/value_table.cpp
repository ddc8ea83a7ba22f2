#include "perceptag/text/value_table.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <span>
#include <stdexcept>
#include <utility>

namespace perceptag {

constexpr std::size_t kAtOnce = 16;  // values whose slots are fetched from memory together

ValueTable::ValueTable(std::string_view text, std::int32_t reserved) : reserved_(reserved) {
    constexpr const char* kExpected = "expected different values, found one twice or an incomplete one";
    if (!text.empty() && text.back() != '\0') throw std::invalid_argument(kExpected);
    const std::size_t n = std::ranges::count(text, '\0');
    if (reserved < 0 || n > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max() - reserved))
        throw std::invalid_argument("more values than can be numbered");
    TextLexicon values;
    values.reserve_exactly(n, text.size() - n);
    std::array<std::pair<std::string_view, std::uint64_t>, kAtOnce> some;  // with their hashes
    for (std::int32_t number = reserved; !text.empty();) {
        std::size_t found = 0;
        for (; found < some.size() && !text.empty(); ++found) {
            const std::string_view value = text.substr(0, text.find('\0'));
            text.remove_prefix(value.size() + 1);
            some[found] = {value, TextLexicon::hash(value)};
            values.prefetch(some[found].second);
        }
        for (const auto& [value, hash] : std::span(some).first(found))
            if (!values.add(value, hash, number++)) throw std::invalid_argument(kExpected);
    }
    values_ = std::make_shared<const TextLexicon>(std::move(values));
}

}  // namespace perceptag

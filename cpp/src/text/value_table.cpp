#include "perceptag/text/value_table.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>

namespace perceptag {

ValueTable::ValueTable(std::string_view text, std::int32_t reserved) : reserved_(reserved) {
    constexpr const char* kExpected = "expected different values, found one twice or an incomplete one";
    if (!text.empty() && text.back() != '\0') throw std::invalid_argument(kExpected);
    const std::size_t n = std::ranges::count(text, '\0');
    if (reserved < 0 || n > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max() - reserved))
        throw std::invalid_argument("more values than can be numbered");
    TextLexicon values;
    values.reserve_exactly(n, text.size() - n);
    for (std::int32_t number = reserved; !text.empty(); ++number) {
        const std::size_t end = text.find('\0');
        if (!values.add(text.substr(0, end), number)) throw std::invalid_argument(kExpected);
        text.remove_prefix(end + 1);
    }
    values_ = std::make_shared<const TextLexicon>(std::move(values));
}

}  // namespace perceptag

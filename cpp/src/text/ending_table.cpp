#include "perceptag/text/ending_table.hpp"

#include <algorithm>

#include "perceptag/text/ascii.hpp"

namespace perceptag {

EndingTable::EndingTable(std::shared_ptr<const TextLexicon> words,
                         std::vector<std::pair<std::string, std::string>> changes, std::size_t stem)
    : words_(std::move(words)), changes_(std::move(changes)), stem_(stem) {}

std::vector<std::string> EndingTable::find(std::string_view word) const {
    std::string lower(word);
    std::ranges::transform(lower, lower.begin(), to_lower);
    std::vector<std::string> found;
    for (const auto& [before, after] : changes_) {
        if (lower.size() < before.size() + stem_ || !lower.ends_with(before)) continue;
        const std::string other = lower.substr(0, lower.size() - before.size()) + after;
        if (words_->find(other) >= 0) found.push_back(before + ">" + after);
    }
    return found;
}

}  // namespace perceptag

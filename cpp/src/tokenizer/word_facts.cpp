#include "perceptag/tokenizer/word_facts.hpp"

#include <stdexcept>

namespace perceptag {

WordFacts::WordFacts(const std::vector<std::uint64_t>& keys, std::vector<WordFact> facts) : facts_(std::move(facts)) {
    if (keys.size() != facts_.size()) throw std::invalid_argument("expected the facts of each word");
    map_.reserve(keys.size());
    for (std::size_t i = 0; i < keys.size(); ++i) {
        const auto number = static_cast<std::int32_t>(i);
        if (map_.insert(keys[i], number) != number)
            throw std::invalid_argument("expected different words, found one twice");
    }
}

}  // namespace perceptag

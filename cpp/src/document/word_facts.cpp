#include "perceptag/document/word_facts.hpp"

namespace perceptag {

std::int32_t WordFacts::add(std::string_view text, std::span<const std::int32_t> facts) {
    const std::int32_t number = facts_.add(facts);
    texts_.add(text, number);
    return number;
}

}  // namespace perceptag

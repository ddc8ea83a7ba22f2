#include "perceptag/tokenizer/alphabet.hpp"

namespace perceptag {

void Alphabet::add(std::uint32_t code, Character character) {
    if (code > kLastCode) return;
    std::unique_ptr<Page>& page = pages_[code / kPage];
    if (!page) {
        page = std::make_unique<Page>();
        for (std::uint32_t i = 0; i < kPage; ++i) (*page)[i] = {CharacterClass::Other, 0, code / kPage * kPage + i};
    }
    (*page)[code % kPage] = character;
}

std::vector<Character> Alphabet::at(std::span<const std::uint32_t> codes) const {
    std::vector<Character> found;
    found.reserve(codes.size());
    for (const std::uint32_t code : codes) found.push_back(at(code));
    return found;
}

}  // namespace perceptag

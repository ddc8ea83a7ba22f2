#include "perceptag/classes/word_table.hpp"

#include <cstring>

#include "perceptag/core/integers.hpp"

namespace perceptag {
namespace {

constexpr std::size_t kFirstSlots = std::size_t{1} << 12;

std::uint32_t hash_of(std::string_view word) {
    std::uint64_t hash = 0x9e3779b97f4a7c15u ^ word.size();
    const auto mix = [&hash](std::uint64_t value) {
        hash = (hash ^ value) * 0xd6e8feb86659fd93u;
        hash ^= hash >> 32;
    };
    std::uint64_t part;
    for (; word.size() >= sizeof part; word.remove_prefix(sizeof part)) {
        std::memcpy(&part, word.data(), sizeof part);
        mix(part);
    }
    part = 0;
    std::memcpy(&part, word.data(), word.size());
    mix(part);
    return static_cast<std::uint32_t>(hash ^ hash >> 16);
}

}  // namespace

WordTable::WordTable() : slots_(kFirstSlots) {}

std::string_view WordTable::word(std::size_t number) const {
    const std::size_t begin = number ? ends_[number - 1] : 0;
    return std::string_view(text_).substr(begin, ends_[number] - begin);
}

std::size_t WordTable::slot_of(std::string_view word, std::uint32_t hash) const {
    std::size_t slot = hash & (slots_.size() - 1);
    while (slots_[slot]) {
        const std::uint32_t number = slots_[slot] - 1;
        if (hashes_[number] == hash && this->word(number) == word) break;
        slot = (slot + 1) & (slots_.size() - 1);
    }
    return slot;
}

std::uint32_t WordTable::count(std::string_view word) {
    const std::uint32_t found = slots_[slot_of(word, hash_of(word))];
    if (!found) return add(word, 1);
    ++counts_[found - 1];
    return found - 1;
}

std::uint32_t WordTable::add(std::string_view word, std::uint32_t count) {
    if (2 * (size() + 1) > slots_.size()) grow();
    const std::uint32_t hash = hash_of(word);
    slots_[slot_of(word, hash)] = to_uint32(size() + 1);
    text_ += word;
    ends_.push_back(text_.size());
    hashes_.push_back(hash);
    counts_.push_back(count);
    return to_uint32(size() - 1);
}

void WordTable::grow() {
    slots_.assign(2 * slots_.size(), 0);
    for (std::size_t number = 0; number < size(); ++number) {
        std::size_t slot = hashes_[number] & (slots_.size() - 1);
        while (slots_[slot]) slot = (slot + 1) & (slots_.size() - 1);
        slots_[slot] = to_uint32(number + 1);
    }
}

}  // namespace perceptag

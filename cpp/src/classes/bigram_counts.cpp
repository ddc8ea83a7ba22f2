#include "perceptag/classes/bigram_counts.hpp"

namespace perceptag {

void BigramCounts::fill_before() {
    before.begin.assign(numbers() + 1, 0);
    for (const Adjacency::Entry& entry : after.entries) ++before.begin[entry.word + 1];
    for (std::size_t w = 0; w < numbers(); ++w) before.begin[w + 1] += before.begin[w];
    before.entries.resize(after.entries.size());
    std::vector<std::size_t> next(before.begin.begin(), before.begin.end() - 1);
    for (std::uint32_t w = 0; w < numbers(); ++w)
        for (const Adjacency::Entry& entry : after.of(w)) before.entries[next[entry.word]++] = {w, entry.count};
}

std::uint64_t BigramCounts::fingerprint() const {
    std::uint64_t hash = 0xcbf29ce484222325u;
    const auto mix = [&hash](std::uint64_t value) {
        hash = (hash ^ value) * 0x9e3779b97f4a7c15u;
        hash ^= hash >> 29;
    };
    for (const std::string& word : words) {
        mix(word.size());
        for (const char c : word) mix(static_cast<unsigned char>(c));
    }
    for (const std::uint32_t count : counts) mix(count);
    for (const std::uint32_t count : twice) mix(count);
    for (const std::size_t begin : after.begin) mix(begin);
    for (const Adjacency::Entry& entry : after.entries) mix(std::uint64_t{entry.word} << 32 | entry.count);
    return hash;
}

}  // namespace perceptag

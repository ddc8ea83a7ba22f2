#include "perceptag/tokenizer/key_index.hpp"

#include <limits>
#include <stdexcept>

#include "perceptag/core/integers.hpp"

namespace perceptag {

CharacterKeys::CharacterKeys(std::vector<std::uint64_t> keys) : keys_(std::move(keys)) {
    if (!map_.number(keys_)) throw std::invalid_argument("expected different features, found one twice");
}

CharacterKeys find_keys(const RunText& text, std::uint32_t cutoff, std::vector<std::uint64_t> first) {
    KeyMap numbers;
    std::vector<std::uint64_t> seen;
    std::vector<std::uint32_t> counts;
    const auto count = [&](std::uint64_t key, std::uint32_t times) {
        const std::int32_t fresh = to_int32(seen.size()), number = numbers.insert(key, fresh);
        if (number == fresh) {
            seen.push_back(key);
            counts.push_back(0);
        }
        counts[number] += times;
    };
    for (const std::uint64_t key : first) count(key, cutoff);
    for_each_character(text, [&](std::int64_t, std::span<const std::uint64_t> keys) {
        for (const std::uint64_t key : keys) count(key, 1);
    });
    std::vector<std::uint64_t> kept;
    for (std::size_t i = 0; i < seen.size(); ++i)
        if (counts[i] >= cutoff) kept.push_back(seen[i]);
    return CharacterKeys(std::move(kept));
}

Corpus encode(const RunText& text, const CharacterKeys& index, std::span<const std::int64_t> begin,
              std::span<const std::uint8_t> labels) {
    Corpus corpus;
    corpus.sequences.resize(begin.size() - 1);
    for (Sequence& x : corpus.sequences) x.begin[0].push_back(0);
    std::size_t s = 0;
    for_each_character(text, [&](std::int64_t i, std::span<const std::uint64_t> keys) {
        while (i >= begin[s + 1]) ++s;
        Sequence& x = corpus.sequences[s];
        for (const std::uint64_t key : keys) index.prefetch(key);
        for (const std::uint64_t key : keys)
            if (const std::int32_t row = index.find(key); row >= 0) x.rows[0].push_back(row);
        if (x.rows[0].size() > std::numeric_limits<std::int32_t>::max())
            throw std::length_error("a sequence has too many characters");
        x.begin[0].push_back(to_int32(x.rows[0].size()));
        if (!labels.empty()) x.labels.push_back(labels[i]);
        ++x.T;
    });
    for (Sequence& x : corpus.sequences) x.rows[0].shrink_to_fit();
    return corpus;
}

}  // namespace perceptag

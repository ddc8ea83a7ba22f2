#include "perceptag/text/type_numbers.hpp"

#include <algorithm>
#include <array>

namespace perceptag {

void TypeNumbers::find(std::span<const std::string_view> words, std::int32_t* ids, std::vector<std::size_t>& left) {
    constexpr std::size_t kAtOnce = 64;  // so many slots are on the way from memory when the first is looked at
    std::array<std::uint64_t, kAtOnce> hashes;
    const std::lock_guard lock(guard_);
    for (std::size_t first = 0; first < words.size(); first += kAtOnce) {
        const auto some = words.subspan(first, std::min(kAtOnce, words.size() - first));
        for (std::size_t i = 0; i < some.size(); ++i) lexicon_.prefetch(hashes[i] = TextLexicon::hash(some[i]));
        for (std::size_t i = 0; i < some.size(); ++i) {
            std::int32_t& id = ids[first + i];
            id = lexicon_.find(some[i], hashes[i]);
            if (id == kNone) id = add_new(some[i]);
            if (id == kNone) left.push_back(first + i);
        }
    }
}

std::int32_t TypeNumbers::add_new(std::string_view word) {
    if (!reader_ || !reader_->read(word, table_, scratch_)) return kNone;
    const std::int32_t type = table_.add(scratch_.row);
    lexicon_.add(word, type);
    return type;
}

void TypeNumbers::add(std::string_view word, std::int32_t type) {
    const std::lock_guard lock(guard_);
    lexicon_.add(word, type);
}

std::size_t TypeNumbers::size() const {
    const std::lock_guard lock(guard_);
    return lexicon_.size();
}

}  // namespace perceptag

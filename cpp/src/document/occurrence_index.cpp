#include "perceptag/document/occurrence_index.hpp"

namespace perceptag {

void OccurrenceIndex::read(std::span<const std::int32_t> words, std::span<const std::int32_t> begin,
                           std::size_t known) {
    words_ = words;
    if (numbers_.size() < known) numbers_.resize(known, -1);
    counts_.clear(), first_.clear(), last_.clear();
    slot_.resize(words.size());
    sequence_.resize(words.size());
    next_.assign(words.size(), -1);
    before_.assign(words.size(), -1);
    for (std::size_t s = 0; s + 1 < begin.size(); ++s)
        for (std::int32_t t = begin[s]; t < begin[s + 1]; ++t) {
            std::int32_t& number = numbers_[words[t]];
            if (number < 0) {
                number = static_cast<std::int32_t>(counts_.size());
                counts_.push_back(0), first_.push_back(t), last_.push_back(-1);
            }
            slot_[t] = number;
            sequence_[t] = static_cast<std::int32_t>(s);
            if (last_[number] >= 0) next_[last_[number]] = t, before_[t] = last_[number];
            last_[number] = t;
            ++counts_[number];
        }
    for (const std::int32_t word : words) numbers_[word] = -1;  // ready for the next document
}

}  // namespace perceptag

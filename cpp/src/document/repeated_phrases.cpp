#include "perceptag/document/repeated_phrases.hpp"

#include <numeric>
#include <utility>

#include "perceptag/core/integers.hpp"

namespace perceptag {

RepeatedPhrases::RepeatedPhrases(const std::vector<std::vector<std::int32_t>>& sentences, std::size_t known,
                                 int longest) {
    std::vector<std::int32_t> words, begin{0};
    for (const auto& sentence : sentences) {
        words.insert(words.end(), sentence.begin(), sentence.end());
        begin.push_back(to_int32(words.size()));
    }
    read(words, begin, known, longest);
}

void RepeatedPhrases::read(std::span<const std::int32_t> words, std::span<const std::int32_t> begin, std::size_t known,
                           int longest) {
    number_words(words, begin, known);
    size_ = 0;
    longest_ = 0;
    kept_.clear();
    all_.resize(words.size());
    std::iota(all_.begin(), all_.end(), 0);
    level_.clear();
    if (longest > 0) sort_by_word(all_, 0, level_);
    for (int length = 1; !level_.places.empty(); ++length) {
        keep(level_);
        longest_ = length;
        if (length == longest) break;
        extend(level_, length, longer_);
        std::swap(level_, longer_);
    }
    make_rows(words.size());
}

void RepeatedPhrases::number_words(std::span<const std::int32_t> words, std::span<const std::int32_t> begin,
                                   std::size_t known) {
    if (names_.size() < known) names_.resize(known, -1);
    word_.resize(words.size());
    stop_.resize(words.size());
    std::int32_t different = 0;
    for (std::size_t s = 0; s + 1 < begin.size(); ++s)
        for (std::int32_t t = begin[s]; t < begin[s + 1]; ++t) {
            std::int32_t& name = names_[words[t]];
            if (name < 0) name = different++;
            word_[t] = name;
            stop_[t] = begin[s + 1];
        }
    for (const std::int32_t word : words) names_[word] = -1;  // ready for the next document
    count_.assign(different, 0);
    next_.resize(different);
}

void RepeatedPhrases::extend(const Level& from, int length, Level& to) {
    to.clear();
    std::size_t first = 0;
    for (const std::size_t end : from.ends) {
        sort_by_word(std::span(from.places).subspan(first, end - first), length, to);
        first = end;
    }
}

// Adds the places of a phrase to the level of phrases with one word more, as far as these are repeated.
void RepeatedPhrases::sort_by_word(std::span<const std::int32_t> places, int length, Level& to) {
    seen_.clear();
    for (const std::int32_t place : places)
        if (place + length < stop_[place])
            if (const std::int32_t word = word_[place + length]; count_[word]++ == 0) seen_.push_back(word);
    std::size_t size = to.places.size();
    for (const std::int32_t word : seen_) {
        if (count_[word] < 2) continue;
        next_[word] = size;
        size += count_[word];
        to.ends.push_back(size);
    }
    to.places.resize(size);
    for (const std::int32_t place : places)
        if (place + length < stop_[place])
            if (const std::int32_t word = word_[place + length]; count_[word] >= 2) to.places[next_[word]++] = place;
    for (const std::int32_t word : seen_) count_[word] = 0;
}

void RepeatedPhrases::keep(const Level& level) {
    std::size_t i = 0;
    for (const std::size_t end : level.ends) {
        for (; i < end; ++i) kept_.push_back({level.places[i], to_int32(size_)});
        ++size_;
    }
}

void RepeatedPhrases::make_rows(std::size_t words) {
    row_.assign(words + 1, 0);
    for (const Kept& one : kept_) ++row_[one.place + 1];
    std::partial_sum(row_.begin(), row_.end(), row_.begin());
    numbers_.resize(kept_.size());
    for (const Kept& one : kept_) numbers_[row_[one.place]++] = one.number;  // shorter phrases come first
    for (std::size_t t = words; t > 0; --t) row_[t] = row_[t - 1];           // each had moved to its end
    row_[0] = 0;
}

}  // namespace perceptag

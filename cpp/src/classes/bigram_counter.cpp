#include "perceptag/classes/bigram_counter.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "perceptag/classes/information.hpp"
#include "perceptag/core/integers.hpp"
#include "perceptag/core/limits.hpp"

namespace perceptag {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t'; }

// The number of things that were seen n times, for small n, tells where to cut.
class Histogram {
  public:
    void add(std::uint32_t count) { ++seen_[std::min<std::size_t>(count, seen_.size() - 1)]; }

    // The lowest count such that at most `most` things have a higher one.
    std::uint32_t cut(std::size_t most) const {
        std::size_t above = std::accumulate(seen_.begin(), seen_.end(), std::size_t{0});
        std::uint32_t count = 0;
        for (; above > most && count + 1 < seen_.size(); ++count) above -= seen_[count];
        return count ? count - 1 : 0;
    }

  private:
    std::vector<std::size_t> seen_ = std::vector<std::size_t>(std::size_t{1} << 16);
};

// The numbers that are not words have names with a line end, so that no word is like them.
WordTable no_words() {
    WordTable table;
    table.add("\nrare", 0);
    table.add("\nborder", 0);
    return table;
}

// The rows of `after` in the order of numbers, with each neighbour once.
void tidy(Adjacency& after) {
    std::size_t kept = 0;
    for (std::size_t w = 0; w + 1 < after.begin.size(); ++w) {
        const auto first = after.entries.begin() + after.begin[w];
        const auto last = after.entries.begin() + (after.begin[w + 1]);
        std::sort(first, last, [](const auto& a, const auto& b) { return a.word < b.word; });
        after.begin[w] = kept;
        for (auto entry = first; entry != last; ++entry)
            if (kept > after.begin[w] && after.entries[kept - 1].word == entry->word)
                after.entries[kept - 1].count += entry->count;
            else
                after.entries[kept++] = *entry;
    }
    after.begin.back() = kept;
    after.entries.resize(kept);
}

}  // namespace

BigramCounter::BigramCounter(std::size_t most_words, std::size_t most_bigrams)
    : most_words_(most_words), most_bigrams_(most_bigrams), words_(no_words()) {}

void BigramCounter::add_text(std::string_view text) {
    for (std::size_t i = 0; i < text.size();) {
        if (text[i] == '\n') {
            end_sentence();
            ++i;
        } else if (is_blank(text[i])) {
            ++i;
        } else {
            const std::size_t begin = i;
            while (i < text.size() && text[i] != '\n' && !is_blank(text[i])) ++i;
            add_word(text.substr(begin, i - begin));
        }
    }
    end_sentence();
}

void BigramCounter::add_sentence(std::span<const std::string_view> words) {
    for (const std::string_view word : words) add_word(word);
    end_sentence();
}

void BigramCounter::add_word(std::string_view word) {
    const std::uint32_t number = words_.count(word);
    pairs_.add(last_, number);
    last_ = number;
    ++tokens_;
}

void BigramCounter::end_sentence() {
    if (last_ == kBorder) return;
    pairs_.add(last_, kBorder);
    last_ = kBorder;
    if (tokens_ + ++sentences_ >= kMostTokens) throw LimitExceeded("expected fewer than 2^32 words and sentences");
    keep_limits();
}

void BigramCounter::keep_limits() {
    if (types() > most_words_) drop_words();
    if (pairs_.size() > most_bigrams_) drop_bigrams();
}

void BigramCounter::drop_words() {
    Histogram seen;
    for (std::size_t w = kSpecial; w < words_.size(); ++w) seen.add(words_.counts()[w]);
    const std::uint32_t cut = seen.cut(most_words_ / 2);
    std::vector<std::uint32_t> numbers(words_.size(), kRare);
    numbers[kBorder] = kBorder;
    WordTable kept;
    for (std::size_t w = 0; w < words_.size(); ++w)
        if (w < kSpecial || words_.counts()[w] > cut) numbers[w] = kept.add(words_.word(w), words_.counts()[w]);
    dropped_words_ += words_.size() - kept.size();
    words_ = std::move(kept);
    pairs_.renumber(numbers);
}

void BigramCounter::drop_bigrams() {
    Histogram seen;
    pairs_.for_each([&seen](std::uint32_t, std::uint32_t, std::uint32_t count) { seen.add(count); });
    dropped_bigrams_ += pairs_.forget(seen.cut(most_bigrams_ / 2));
}

BigramCounts BigramCounter::finish(std::uint32_t least) {
    BigramCounts found;
    const std::vector<std::uint32_t> numbers = take_words(least, found);
    found.twice.assign(found.numbers(), 0);
    std::vector<std::size_t>& begin = found.after.begin;
    begin.assign(found.numbers() + 1, 0);
    pairs_.for_each([&](std::uint32_t a, std::uint32_t b, std::uint32_t) {
        if (numbers[a] != numbers[b]) ++begin[numbers[a] + 1];
    });
    std::partial_sum(begin.begin(), begin.end(), begin.begin());
    found.after.entries.resize(begin.back());
    std::vector<std::size_t> next(begin.begin(), begin.end() - 1);
    pairs_.for_each([&](std::uint32_t a, std::uint32_t b, std::uint32_t count) {
        if (numbers[a] == numbers[b])
            found.twice[numbers[a]] += count;
        else
            found.after.entries[next[numbers[a]]++] = {numbers[b], count};
    });
    pairs_ = PairTable();
    tidy(found.after);
    found.fill_before();
    return found;
}

std::vector<std::uint32_t> BigramCounter::take_words(std::uint32_t least, BigramCounts& found) {
    std::vector<std::uint32_t> order;
    for (std::uint32_t w = kSpecial; w < words_.size(); ++w)
        if (words_.counts()[w] >= least) order.push_back(w);
    std::ranges::sort(order, [this](std::uint32_t a, std::uint32_t b) {
        const std::uint32_t left = words_.counts()[a], right = words_.counts()[b];
        return left != right ? left > right : words_.word(a) < words_.word(b);
    });
    std::vector<std::uint32_t> numbers(words_.size(), to_uint32(order.size()));  // of rare words
    numbers[kBorder] = to_uint32(order.size() + 1);
    for (const std::uint32_t w : order) {
        numbers[w] = to_uint32(found.words.size());
        found.words.emplace_back(words_.word(w));
        found.counts.push_back(words_.counts()[w]);
    }
    words_ = no_words();
    return numbers;
}

}  // namespace perceptag

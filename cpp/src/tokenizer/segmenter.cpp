#include "perceptag/tokenizer/segmenter.hpp"

#include <algorithm>

#include "perceptag/core/compiler.hpp"
#include "perceptag/core/integers.hpp"

namespace perceptag {
namespace {

constexpr auto kToken = static_cast<std::uint8_t>(CharacterLabel::Token);
constexpr auto kWord = static_cast<std::uint8_t>(CharacterLabel::Word);
constexpr auto kSentence = static_cast<std::uint8_t>(CharacterLabel::Sentence);

// Of equal scores the lower label wins.
std::uint8_t best(const Segmenter::Scores& scores) {
    return narrow<std::uint8_t>(std::ranges::max_element(scores) - scores.begin());
}

void add_to(Segmenter::Scores& scores, const Segmenter::Scores& more) {
    for (int y = 0; y < kCharacterLabels; ++y) scores[y] += more[y];
}

}  // namespace

Segmenter::Segmenter(CharacterKeys index, std::vector<Scores> weights, bool joins)
    : index_(std::move(index)), weights_(std::move(weights)), joins_(joins) {}

std::uint8_t Segmenter::best_of_first(const Scores& scores) const {
    std::uint8_t found = kToken;
    for (std::uint8_t y = 0; y < kCharacterLabels; ++y) {
        const bool is_allowed = joins_ || y == kSentence;
        if (is_allowed && scores[y] > scores[found]) found = y;
    }
    return found;
}

Segmenter::Scores Segmenter::score(std::span<const std::uint64_t> keys) const {
    std::array<std::int32_t, std::max(kInner + kMoreInner, kOuter + kMoreOuter)> rows;
    for (const std::uint64_t key : keys) index_.prefetch(key);
    std::size_t found = 0;
    for (const std::uint64_t key : keys) {
        const std::int32_t row = index_.find(key);
        if (row < 0) continue;
        fetch_ahead(&weights_[row]);
        rows[found++] = row;
    }
    Scores scores{};
    for (std::size_t i = 0; i < found; ++i)
        for (int y = 0; y < kCharacterLabels; ++y) scores[y] += weights_[rows[i]][y];
    return scores;
}

Segmenter::Scores Segmenter::compute(const RunText& text, const Run& run, const Neighbours& around, Memory& memory,
                                     std::uint8_t* out) const {
    find_parts(text, run, memory.parts);
    const auto sums = [&](std::int64_t t) {
        Scores scores = score(memory.features.inner(text, run, memory.parts, around, t));
        if (text.is_lexical()) add_to(scores, score(memory.features.unit(text, run.begin + t)));
        return scores;
    };
    for (std::int64_t t = 1; t < run.end - run.begin; ++t) out[t] = best(sums(t));
    return sums(0);
}

Segmenter::Scores Segmenter::label_inside(const RunText& text, const Run& run, const Neighbours& around, Memory& memory,
                                          std::uint8_t* out) const {
    const std::size_t size = run.end - run.begin;
    if (size > kLongest || text.is_lexical())
        return compute(text, run, around, memory, out);  // words look at other runs
    const std::uint8_t previous = narrow<std::uint8_t>(around.previous), next = narrow<std::uint8_t>(around.next);
    Entry& entry = memory.kept.get()[mix(mix(run.exact, previous), next) % kKept];
    const std::uint32_t* codes = text.codes.data() + run.begin;
    if (entry.size == size && entry.exact == run.exact && entry.previous == previous && entry.next == next &&
        std::equal(codes, codes + size, entry.codes.begin())) {
        std::copy_n(entry.labels.begin(), size, out);
        return entry.first;
    }
    entry.first = compute(text, run, around, memory, out);
    entry.exact = run.exact;
    entry.previous = previous;
    entry.next = next;
    entry.size = narrow<std::uint8_t>(size);
    std::copy_n(out, size, entry.labels.begin());
    std::copy_n(codes, size, entry.codes.begin());
    return entry.first;
}

std::vector<std::uint8_t> Segmenter::labels(const RunText& text) {
    if (const std::unique_lock held(lock_, std::try_to_lock); held) return labels(text, memory_);
    Memory own;
    return labels(text, own);
}

std::vector<std::uint8_t> Segmenter::labels(const RunText& text, Memory& memory) const {
    std::vector<std::uint8_t> found(text.codes.size(), kBetween);
    for (std::size_t r = 0; r < text.runs.size(); ++r) {
        const Run& run = text.runs[r];
        std::uint8_t* out = found.data() + run.begin;
        Scores scores = label_inside(text, run, neighbours(text, r), memory, out);
        if (text.starts_paragraph(r)) {
            *out = kSentence;
            continue;
        }
        add_to(scores, score(memory.features.outer(text, r)));
        *out = best_of_first(scores);
    }
    return found;
}

Tokens find_tokens(const RunText& text, const std::vector<std::uint8_t>& labels) {
    Tokens tokens;
    for (std::size_t r = 0; r < text.runs.size(); ++r) {
        const Run& run = text.runs[r];
        for (std::int64_t i = run.begin; i < run.end; ++i) {
            const std::uint8_t label = labels[i];
            if (label == kWord) tokens.cuts.push_back(i);
            if (label != kSentence && label != kToken) continue;
            if (i > run.begin) tokens.end.push_back(i);
            const bool is_first = i == run.begin && text.starts_paragraph(r);
            const Start start = is_first ? Start::Paragraph : label == kSentence ? Start::Sentence : Start::Token;
            tokens.begin.push_back(i);
            tokens.start.push_back(static_cast<std::uint8_t>(start));
        }
        // A token ends with its run, unless the next run continues it.
        const bool is_last = r + 1 == text.runs.size();
        const std::uint8_t next = is_last ? kToken : labels[text.runs[r + 1].begin];
        if (next == kToken || next == kSentence) tokens.end.push_back(run.end);
    }
    return tokens;
}

}  // namespace perceptag

#include "perceptag/tokenizer/runs.hpp"

#include <algorithm>

#include "perceptag/core/integers.hpp"

namespace perceptag {
namespace {

constexpr std::uint64_t kWordSeed = 9;

// White space from `i` on: where it ends, and how many line ends it has. CR LF is one line end.
struct Gap {
    std::int64_t end;
    int line_ends = 0;
};

Gap read_gap(const RunText& text, std::int64_t i) {
    const std::int64_t size = std::ssize(text.codes);
    Gap gap{i};
    for (; gap.end < size && is_space(text.kind(gap.end)); ++gap.end) {
        const bool is_half = text.codes[gap.end] == '\r' && gap.end + 1 < size && text.codes[gap.end + 1] == '\n';
        if (text.kind(gap.end) == CharacterClass::LineEnd && !is_half) gap.line_ends = std::min(2, gap.line_ends + 1);
    }
    return gap;
}

Run read_run(const RunText& text, std::int64_t begin) {
    const std::int64_t size = std::ssize(text.codes);
    Run run{begin, begin, 1, 2, 3, 0};
    std::uint64_t last = ~std::uint64_t{0};
    for (; run.end < size && !is_space(text.kind(run.end)); ++run.end) {
        run.exact = mix(run.exact, text.codes[run.end]);
        run.lower = mix(run.lower, text.characters[run.end].lower);
        const std::uint64_t outline = text.outline(run.end);
        if (outline != last) run.shape = mix(run.shape, outline);
        last = outline;
    }
    return run;
}

std::uint64_t gap_value(const RunText& text, std::int64_t begin, std::int64_t end) {
    std::uint64_t value = 4;
    for (std::int64_t i = begin; i < end; ++i) value = mix(value, text.codes[i]);
    return value;
}

// The mark that a run shows to the next one: its own, or the one it sees itself, one step farther away.
Mark pass_on(const RunText& text, const Run& run, const Mark& seen) {
    if (!is_of_words(text.kind(run.end - 1))) return {0, text.codes[run.end - 1]};
    if (seen.distance + 1 >= kFarthest) return {};
    return {seen.distance + 1, seen.code};
}

// What the runs [first, last) of one paragraph know of each other.
void fill_paragraph(RunText& text, std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
        Run& run = text.runs[i];
        run.before = to_int32(std::min<std::size_t>(i - first, kFarthest));
        run.after = to_int32(std::min<std::size_t>(last - 1 - i, kFarthest));
        run.farthest_end = text.codes[text.runs[i + run.after].end - 1];
        if (i > first) run.last = pass_on(text, text.runs[i - 1], text.runs[i - 1].last);
    }
    text.runs[first].gap = 0;
    for (std::size_t i = last - 1; i > first; --i)
        text.runs[i - 1].next = pass_on(text, text.runs[i], text.runs[i].next);
}

// The facts of the word in a run: of its small letters, without what stands around it.
WordFact find_word(const RunText& text, const Run& run, const WordFacts& facts) {
    std::int64_t begin = run.begin, end = run.end;
    while (begin < end && !is_of_words(text.kind(begin))) ++begin;
    while (end > begin && !is_of_words(text.kind(end - 1))) --end;
    std::uint64_t key = kWordSeed;
    for (std::int64_t i = begin; i < end; ++i) key = mix(key, text.characters[i].lower);
    return begin == end ? WordFact{} : facts.at(key);
}

// Brackets and quotes that are open. Those that were opened long ago are taken as forgotten.
class Open {
  public:
    std::uint8_t before(std::size_t number) {
        if (number - opened_at_ > kFarthest) depth_ = 0, is_quoted_ = false;
        return static_cast<std::uint8_t>(2 * std::min(depth_, kDeepest) + is_quoted_);
    }

    void pass(const RunText& text, const Run& run, std::size_t number) {
        bool has_word = false;
        for (std::int64_t i = run.begin; i < run.end; ++i) {
            if (is_of_words(text.kind(i))) {
                has_word = true;
                continue;
            }
            const bool is_smile = i > run.begin && i + 1 == run.end;  // ":(" opens nothing
            switch (text.codes[i]) {
                case '(':
                case '[':
                case '{':
                    if (!is_smile) ++depth_, opened_at_ = number;
                    break;
                case ')':
                case ']':
                case '}':
                    if (depth_ > 0) --depth_;
                    break;
                case '"':
                case 0x201C:
                case 0x201D:
                    is_quoted_ = text.codes[i] == 0x201C || (text.codes[i] == '"' && !has_word && !is_quoted_);
                    if (is_quoted_) opened_at_ = number;
                    break;
                default:
                    break;
            }
        }
    }

  private:
    static constexpr int kDeepest = 3;
    int depth_ = 0;
    bool is_quoted_ = false;
    std::size_t opened_at_ = 0;
};

void inform_paragraph(RunText& text, std::size_t first, std::size_t last, const WordFacts& facts) {
    Open open;
    for (std::size_t i = first; i < last; ++i) {
        Run& run = text.runs[i];
        const auto begin = static_cast<std::size_t>(run.begin), size = static_cast<std::size_t>(run.end - run.begin);
        run.form =
            shape_of(std::span(text.codes).subspan(begin, size), std::span(text.characters).subspan(begin, size));
        run.word = find_word(text, run, facts);
        run.open = open.before(i - first);
        open.pass(text, run, i - first);
    }
}

}  // namespace

RunText make_runs(std::vector<std::uint32_t> codes, std::vector<Character> characters, const WordFacts* facts,
                  std::span<const std::int64_t> starts, const KnownWords* lexicon) {
    RunText text{
        .codes = std::move(codes), .characters = std::move(characters), .runs = {}, .informed = facts != nullptr};
    const auto fill = [&](std::size_t first, std::size_t last) {
        fill_paragraph(text, first, last);
        if (facts) inform_paragraph(text, first, last, *facts);
    };
    const std::int64_t size = std::ssize(text.codes);
    std::size_t first = 0;  // run of the paragraph
    for (std::int64_t i = 0; i < size;) {
        const Gap gap = read_gap(text, i);
        if (gap.end == size) break;
        while (!starts.empty() && starts.front() < gap.end) starts = starts.subspan(1);
        const bool is_start = gap.line_ends > 1 || (!starts.empty() && starts.front() == gap.end);
        if (is_start && first < text.runs.size()) {
            fill(first, text.runs.size());
            first = text.runs.size();
        }
        Run run = read_run(text, gap.end);
        run.gap = gap_value(text, i, gap.end);
        i = run.end;
        text.runs.push_back(run);
    }
    if (first < text.runs.size()) fill(first, text.runs.size());
    if (lexicon) {
        find_units(text);
        match_words(text, *lexicon, 0, size);
    }
    return text;
}

}  // namespace perceptag

#include "perceptag/tokenizer/runs.hpp"

#include <algorithm>

#include "perceptag/core/integers.hpp"

namespace perceptag {
namespace {

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

}  // namespace

RunText make_runs(std::vector<std::uint32_t> codes, const Alphabet& alphabet) {
    RunText text{std::move(codes), {}, {}};
    text.characters.reserve(text.codes.size());
    for (const std::uint32_t code : text.codes) text.characters.push_back(alphabet.at(code));
    const std::int64_t size = std::ssize(text.codes);
    std::size_t first = 0;  // run of the paragraph
    for (std::int64_t i = 0; i < size;) {
        const Gap gap = read_gap(text, i);
        if (gap.end == size) break;
        if (gap.line_ends > 1 && first < text.runs.size()) {
            fill_paragraph(text, first, text.runs.size());
            first = text.runs.size();
        }
        Run run = read_run(text, gap.end);
        run.gap = gap_value(text, i, gap.end);
        i = run.end;
        text.runs.push_back(run);
    }
    if (first < text.runs.size()) fill_paragraph(text, first, text.runs.size());
    return text;
}

}  // namespace perceptag

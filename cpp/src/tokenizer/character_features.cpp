#include "perceptag/tokenizer/character_features.hpp"

#include <algorithm>

namespace perceptag {
namespace {

// Places outside a run, in features of characters and of classes.
constexpr std::uint64_t kJustBefore = 1, kBefore = 2, kJustAfter = 3, kAfter = 4, kFirstCode = 16;
constexpr std::uint64_t kClassBefore = 10, kClassAfter = 11;
constexpr std::uint64_t kSeed = 0x243F6A8885A308D3u;
constexpr std::uint64_t kNoRunBefore = 1, kNoRunAfter = 2, kNoKind = 63;

template <std::size_t N>
class Writer {
  public:
    explicit Writer(std::span<std::uint64_t, N> out) : out_(out) {}

    // The feature of the next number with these values. Every call has its own number, in the order of calls.
    template <class... Values>
    void operator()(Values... values) {
        std::uint64_t h = mix(kSeed, first_number_ + size_);  // numbers themselves are too much like values
        ((h = mix(h, values)), ...);
        out_[size_++] = h;
    }
    void number_from(std::uint64_t number) { first_number_ = number; }

  private:
    std::span<std::uint64_t, N> out_;
    std::uint64_t first_number_ = 0;
    std::size_t size_ = 0;
};

std::uint64_t code_near(const RunText& text, const Run& run, std::int64_t i) {
    if (i < run.begin) return i == run.begin - 1 ? kJustBefore : kBefore;
    if (i >= run.end) return i == run.end ? kJustAfter : kAfter;
    return kFirstCode + text.codes[i];
}

std::uint64_t class_near(const RunText& text, const Run& run, std::int64_t i) {
    if (i < run.begin) return kClassBefore;
    if (i >= run.end) return kClassAfter;
    return text.kind_number(i);
}

// 0 to 5, then ever wider ranges.
std::uint64_t coarse(int distance) {
    if (distance < 6) return distance;
    return distance < 10 ? 6 : distance < 16 ? 7 : distance < 25 ? 8 : distance < kFarthest ? 9 : 10;
}

// A run so many places away, if it is in the same paragraph.
const Run* run_near(const RunText& text, std::size_t run, int offset) {
    const Run& here = text.runs[run];
    if (offset < 0 ? here.before < -offset : here.after < offset) return nullptr;
    return &text.runs[run + offset];
}

std::uint64_t value_of(const Run* run, std::uint64_t Run::* value, int offset) {
    return run ? run->*value : offset < 0 ? kNoRunBefore : kNoRunAfter;
}

// The class of the first character of a run near by, or of its last.
std::uint64_t first_class(const RunText& text, const Run* run) {
    return run ? text.kind_number(run->begin) : kCharacterClasses;
}
std::uint64_t last_class(const RunText& text, const Run* run) {
    return run ? text.kind_number(run->end - 1) : kCharacterClasses;
}

// The character so many places before the end of a run; 0: there is none.
std::uint64_t from_end(const RunText& text, const Run* run, std::int64_t back) {
    return run && run->end - run->begin >= back ? kFirstCode + text.codes[run->end - back] : 0;
}

// A unit so many places away, if it is in the same paragraph.
const Unit* unit_near(const RunText& text, std::size_t unit, int offset) {
    const std::span<const Unit> units(text.units);
    for (; offset < 0; ++offset)
        if (units[unit--].is_first) return nullptr;
    for (; offset > 0; --offset)
        if (++unit == units.size() || units[unit].is_first) return nullptr;
    return &units[unit];
}

// The class and the script of a character.
std::uint64_t script_near(const RunText& text, const Unit* unit, bool is_last) {
    if (!unit) return kCharacterClasses;
    const std::int64_t i = is_last ? unit->end - 1 : unit->begin;
    return text.kind_number(i) + 16 * text.characters[i].script;
}

}  // namespace

Neighbours neighbours(const RunText& text, std::size_t run) {
    return {last_class(text, run_near(text, run, -1)), first_class(text, run_near(text, run, 1))};
}

void find_parts(const RunText& text, const Run& run, RunParts& parts) {
    const std::int64_t size = run.end - run.begin;
    for (auto* part : {&parts.before, &parts.from, &parts.shape_before, &parts.shape_from}) part->resize(size);
    std::uint64_t h = 5, shape = 6, last = ~std::uint64_t{0};
    for (std::int64_t t = 0; t < size; ++t) {
        parts.before[t] = h;
        parts.shape_before[t] = shape;
        h = mix(h, text.characters[run.begin + t].lower);
        const std::uint64_t outline = text.outline(run.begin + t);
        if (outline != last) shape = mix(shape, outline);
        last = outline;
    }
    h = 7, shape = 8, last = ~std::uint64_t{0};
    for (std::int64_t t = size - 1; t >= 0; --t) {
        const std::uint64_t outline = text.outline(run.begin + t);
        if (outline != last) shape = mix(shape, outline);
        last = outline;
        parts.from[t] = h = mix(h, text.characters[run.begin + t].lower);
        parts.shape_from[t] = shape;
    }
}

void inner_features(const RunText& text, const Run& run, const RunParts& parts, const Neighbours& around,
                    std::int64_t t, std::span<std::uint64_t, kInner> out) {
    Writer<kInner> add(out);
    const std::int64_t i = run.begin + t;
    std::uint64_t c[7], k[7];  // characters and classes from three before to three after
    for (int offset = -3; offset <= 3; ++offset) {
        c[offset + 3] = code_near(text, run, i + offset);
        k[offset + 3] = class_near(text, run, i + offset);
    }
    add();
    for (int a = 0; a < 7; ++a) add(c[a]);
    for (int a = 1; a < 5; ++a) add(c[a], c[a + 1]);
    for (int a = 0; a < 5; ++a) add(c[a], c[a + 1], c[a + 2]);
    for (int a = 0; a < 4; ++a) add(k[a], k[a + 1], k[a + 2]);
    for (int a = 0; a < 4; ++a) add(k[a], k[a + 1], k[a + 2], k[a + 3]);
    const std::int64_t place = std::min<std::int64_t>(t, 20);
    for (const std::uint64_t whole : {run.exact, run.lower, run.shape}) add(place, whole);
    const std::uint64_t before = parts.before[t], from = parts.from[t];
    const std::uint64_t shape_before = parts.shape_before[t], shape_from = parts.shape_from[t];
    for (const std::uint64_t part : {before, from, shape_before, shape_from}) add(part);
    add(shape_before, shape_from);
    add(before, shape_from);
    add(shape_before, from);
    add(around.next, from);
    add(around.next, shape_from);
    add(around.next, before, from);
    add(around.next, c[2], c[3]);
    add(around.next, c[3], c[4]);
    add(around.next, shape_before, c[3]);
    add(around.previous, before);
    add(around.previous, c[2], c[3]);
    add(around.previous, shape_before, shape_from);
}

void outer_features(const RunText& text, std::size_t number, std::span<std::uint64_t, kOuter> out) {
    Writer<kOuter> add(out);
    add.number_from(kInner);
    const Run& run = text.runs[number];
    const Run *previous = run_near(text, number, -1), *second = run_near(text, number, -2);
    const Run *next = run_near(text, number, 1), *after = run_near(text, number, 2);
    const std::uint64_t exact = run.exact, lower = run.lower, shape = run.shape;
    const std::uint64_t previous_exact = value_of(previous, &Run::exact, -1);
    const std::uint64_t previous_lower = value_of(previous, &Run::lower, -1);
    const std::uint64_t previous_shape = value_of(previous, &Run::shape, -1);
    const std::uint64_t second_shape = value_of(second, &Run::shape, -2);
    const std::uint64_t next_lower = value_of(next, &Run::lower, 1), next_shape = value_of(next, &Run::shape, 1);
    const std::uint64_t after_shape = value_of(after, &Run::shape, 2);
    // the runs around
    add(previous_exact);
    add(previous_lower);
    add(previous_shape);
    add(next_lower);
    add(next_shape);
    add(value_of(second, &Run::lower, -2));
    add(previous_exact, exact);
    add(previous_exact, shape);
    add(previous_shape, exact);
    add(previous_shape, lower);
    add(previous_shape, shape);
    add(previous_shape, shape, next_shape);
    add(shape, next_shape);
    add(shape, next_lower);
    add(next_shape, after_shape);
    add(second_shape, previous_shape);
    add(second_shape, previous_shape, shape);
    add(run.gap);
    add(run.gap, shape);
    // the last characters of the run before
    const std::uint64_t first = text.codes[run.begin];
    const std::uint64_t l1 = from_end(text, previous, 1), l2 = from_end(text, previous, 2);
    const std::uint64_t l3 = from_end(text, previous, 3);
    add(l1, lower);
    add(l1, exact);
    add(l1, shape, next_shape);
    add(l1, first);
    add(l1, l2);
    add(l1, l2, exact);
    add(l1, l2, first);
    add(l1, l2, shape);
    add(l1, l2, l3);
    // the place in the paragraph
    const std::uint64_t before = coarse(run.before), rest = coarse(run.after);
    add(before, previous_shape);
    add(before, previous_shape, shape);
    add(before, l1, shape);
    add(rest, shape);
    add(before, rest);
    add(run.farthest_end, shape);
    add(run.farthest_end, run.after == kFarthest);
    // the nearest marks
    const std::uint64_t since = coarse(run.last.distance), until = coarse(run.next.distance);
    add(since, run.last.code);
    add(since, run.last.code, shape);
    add(until, run.next.code);
    add(until, run.next.code, shape);
    add(run.next.code, previous_shape, shape);
    add(run.last.code, run.next.code, shape);
    // which runs around begin with a capital letter, a digit …
    std::uint64_t classes[7];
    for (int offset = -3; offset <= 3; ++offset)
        classes[offset + 3] = first_class(text, run_near(text, number, offset));
    std::uint64_t ahead = 0, all = 0, ends = 0;
    for (int i = 0; i < 7; ++i) all = all * 16 + classes[i];
    for (int i = 3; i < 7; ++i) ahead = ahead * 16 + classes[i];
    for (int offset = -4; offset <= 0; ++offset) {
        const Run* one = run_near(text, number, offset);
        ends = ends * 256 + first_class(text, one) * 16 + last_class(text, one);
    }
    add(all, l1);
    add(all);
    add(ahead);
    add(ahead, l1);
    add(ahead, previous_lower);
    add(ends);
    add(classes[3], classes[4], l1);
    add(classes[2], classes[3], l1, l2);
    add(lower, next_lower);
    add(previous_lower, lower, next_shape);
    add(until, since, l1);
}

void more_inner_features(const RunText& text, const Run& run, const Neighbours& around, std::int64_t t,
                         std::span<std::uint64_t, kMoreInner> out) {
    Writer<kMoreInner> add(out);
    add.number_from(kInner + kOuter);
    const auto kind = static_cast<std::uint64_t>(run.form.kind);
    const std::uint64_t place = t < run.form.core_begin    ? 0
                                : t == run.form.core_begin ? 1
                                : t < run.form.core_end    ? 2
                                : t == run.form.core_end   ? 3
                                                           : 4;
    const std::int64_t i = run.begin + t;
    const std::uint64_t before = code_near(text, run, i - 1), here = code_near(text, run, i);
    const std::uint64_t abbreviation = run.word.abbreviation;
    add(kind, place);
    add(kind, place, here);
    add(kind, place, before);
    add(kind, place, before, here);
    add(kind, place, class_near(text, run, i - 1), class_near(text, run, i), class_near(text, run, i + 1));
    add(kind, place, around.next);
    add(abbreviation, place, here);
    add(abbreviation, place, here, around.next);
    add(abbreviation, place, here, code_near(text, run, i + 1), around.next);
}

void more_outer_features(const RunText& text, std::size_t number, std::span<std::uint64_t, kMoreOuter> out) {
    Writer<kMoreOuter> add(out);
    add.number_from(kInner + kOuter + kMoreInner);
    const Run& run = text.runs[number];
    const Run *previous = run_near(text, number, -1), *next = run_near(text, number, 1);
    const WordFact nothing{};
    const WordFact &word_before = previous ? previous->word : nothing, &word_behind = next ? next->word : nothing;
    const std::uint64_t l1 = from_end(text, previous, 1), abbreviation = word_before.abbreviation;
    const std::uint64_t use = run.word.usage, use_before = word_before.usage, use_behind = word_behind.usage;
    const std::uint64_t first = first_class(text, run_near(text, number, 0)), first_behind = first_class(text, next);
    const auto kind = static_cast<std::uint64_t>(run.form.kind);
    const auto kind_before = previous ? static_cast<std::uint64_t>(previous->form.kind) : kNoKind;
    const auto kind_behind = next ? static_cast<std::uint64_t>(next->form.kind) : kNoKind;
    add(abbreviation, l1);
    add(abbreviation, l1, first);
    add(abbreviation, l1, first, use);
    add(abbreviation, l1, kind);
    add(abbreviation, l1, use, use_behind);
    add(use, first, l1);
    add(use_before, use, first, l1);
    add(use_before, first, l1);
    add(use, first, use_behind, first_behind);
    add(use_before, use, first, use_behind, first_behind);
    add(std::uint64_t{run.open}, l1, first);
    add(std::uint64_t{run.open}, l1, run.shape);
    add(kind_before, kind, l1);
    add(kind, kind_behind, l1);
    add(kind_before, l1, use, first);
}

void unit_features(const RunText& text, std::size_t number, std::span<std::uint64_t, kOfUnit> out) {
    Writer<kOfUnit> add(out);
    add.number_from(kInner + kOuter + kMoreInner + kMoreOuter);
    const Unit& here = text.units[number];
    std::uint64_t u[6], s[6];  // units and scripts from three before to two after
    for (int offset = -3; offset < 3; ++offset) {
        const Unit* unit = unit_near(text, number, offset);
        u[offset + 3] = unit ? unit->lower : offset < 0 ? kNoRunBefore : kNoRunAfter;
        s[offset + 3] = script_near(text, unit, offset < 0);
    }
    const Unit* previous = unit_near(text, number, -1);
    const std::uint64_t alone = (previous && previous->is_word ? 2 : 0) + (here.is_word ? 1 : 0);
    const std::uint64_t spaced = here.is_spaced;
    // units and scripts
    for (int a = 1; a < 5; ++a) add(u[a], u[a + 1]);
    for (int a = 1; a < 4; ++a) add(u[a], u[a + 1], u[a + 2]);
    add(u[2], u[4]);
    add(u[1], u[3]);
    add(u[1], u[2], u[3], u[4]);
    add(u[2], s[3]);
    add(s[2], u[3]);
    add(spaced, s[2], s[3]);
    add(s[1], s[2], s[3]);
    add(s[2], s[3], s[4]);
    add(s[1], s[2], s[3], s[4]);
    add(s[0], s[1], s[2], s[3], s[4], s[5]);
    // known words
    const std::uint64_t before = here.before.size, from = here.from.size, word = here.from.word;
    const std::uint64_t across = 16 * here.across.size + here.across.place, word_before = here.before.word;
    add(alone, across);
    add(before, s[2], s[3]);
    add(from, s[2], s[3]);
    add(across, s[2], s[3]);
    add(before, from);
    add(before, from, across);
    add(before, from, across, alone, spaced);
    add(from, u[2]);
    add(before, u[3]);
    add(across, u[2]);
    add(across, u[3]);
    add(across, u[2], u[3]);
    add(across, here.across.word);
    add(word_before, across);
    add(word, across);
    add(word_before, word);
    add(word_before, u[3]);
    add(u[2], word);
    add(word_before, from);
    add(before, word);
    add(word_before, word, across, here.across.word);
}

}  // namespace perceptag

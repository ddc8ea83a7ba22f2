#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <tuple>
#include <vector>

#include "core/arrays.hpp"
#include "core/memory_views.hpp"
#include "core/vectors.hpp"
#include "perceptag/tokenizer/key_index.hpp"
#include "perceptag/tokenizer/segmenter.hpp"

namespace perceptag {
namespace {

constexpr std::size_t kLong = 4'096;  // characters for which other threads may go on meanwhile

// Does something with a text; if it is long, without the lock of the interpreter.
template <class Do>
auto unlocked_if_long(std::size_t size, Do&& make) {
    std::optional<nb::gil_scoped_release> unlocked;
    if (size > kLong) unlocked.emplace();
    return make();
}

// The code points of a Python string, lone surrogates included.
std::vector<std::uint32_t> codes_of(nb::str text) {
    const std::size_t size = PyUnicode_GET_LENGTH(text.ptr());
    const int kind = PyUnicode_KIND(text.ptr());
    const void* data = PyUnicode_DATA(text.ptr());
    std::vector<std::uint32_t> codes(size);
    for (std::size_t i = 0; i < size; ++i) codes[i] = PyUnicode_READ(kind, data, i);
    return codes;
}

std::span<const std::int64_t> checked_begin(std::span<const std::int64_t> begin, std::size_t size) {
    if (begin.empty() || begin.front() != 0 || std::cmp_not_equal(begin.back(), size) || !std::ranges::is_sorted(begin))
        throw std::invalid_argument("expected sequences that cover the text");
    return begin;
}

std::span<const std::uint8_t> checked_labels(std::span<const std::uint8_t> labels, const RunText& text) {
    if (labels.empty()) return labels;
    if (labels.size() != text.codes.size()) throw std::invalid_argument("expected a label for each character");
    for (const Run& run : text.runs)
        for (std::int64_t i = run.begin; i < run.end; ++i)
            if (labels[i] >= kCharacterLabels) throw std::invalid_argument("a label is out of range");
    return labels;
}

Segmenter make_segmenter(Array1<std::uint64_t> keys, Array2<float> weights, bool joins) {
    if (weights.shape(0) != keys.shape(0) || weights.shape(1) != kCharacterLabels)
        throw std::invalid_argument("expected a weight for each label of each feature");
    std::vector<Segmenter::Scores> rows(keys.shape(0));
    for (std::size_t i = 0; i < rows.size(); ++i)
        std::copy_n(weights.data() + i * kCharacterLabels, kCharacterLabels, rows[i].begin());
    return Segmenter(CharacterKeys({view(keys).begin(), view(keys).end()}), std::move(rows), joins);
}

void bind_alphabet(nb::module_& m) {
    nb::class_<Alphabet>(m, "Alphabet", "The class and the small letter of each character.")
        .def(nb::init<>())
        .def(
            "add",
            [](Alphabet& self, std::uint32_t code, int kind, std::uint8_t script, std::uint32_t lower) {
                if (kind < 0 || kind >= kCharacterClasses || code > kLastCode || lower > kLastCode)
                    throw std::invalid_argument("expected a code point and a class");
                self.add(code, {static_cast<CharacterClass>(kind), script, lower});
            },
            "code"_a, "kind"_a, "script"_a, "lower"_a);
    nb::class_<WordFacts>(m, "WordFacts", "What plain text tells of words, by their fingerprints.")
        .def(
            "__init__",
            [](WordFacts* self, Array1<std::uint64_t> keys, Array2<std::uint8_t> facts) {
                if (facts.shape(1) != 2) throw std::invalid_argument("expected two facts of each word");
                std::vector<WordFact> rows(facts.shape(0));
                for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = {facts(i, 0), facts(i, 1)};
                new (self) WordFacts({view(keys).begin(), view(keys).end()}, std::move(rows));
            },
            "keys"_a.noconvert(), "facts"_a.noconvert());
    nb::class_<KnownWords>(m, "KnownWords", "Known words, by their fingerprints.")
        .def(
            "__init__", [](KnownWords* self, Array1<std::uint64_t> keys) { new (self) KnownWords(view(keys)); },
            "keys"_a.noconvert());
    nb::class_<RunText>(m, "RunText", "A text as runs of characters without white space.")
        .def(
            "__init__",
            [](RunText* self, nb::str text, const Alphabet& alphabet, const WordFacts* facts,
               const std::vector<std::int64_t>& starts, const KnownWords* lexicon) {
                if (!std::ranges::is_sorted(starts)) throw std::invalid_argument("expected places in order");
                std::vector<std::uint32_t> codes = codes_of(text);
                std::vector<Character> characters = alphabet.at(codes);  // other threads may add some afterwards
                unlocked_if_long(codes.size(), [&] {
                    return new (self)
                        RunText(make_runs(std::move(codes), std::move(characters), facts, starts, lexicon));
                });
            },
            "text"_a, "alphabet"_a, "facts"_a.none() = nb::none(), "starts"_a = std::vector<std::int64_t>(),
            "lexicon"_a.none() = nb::none())
        .def("__len__", [](const RunText& self) { return self.codes.size(); })
        .def(
            "match_words",
            [](RunText& self, const KnownWords& lexicon, std::int64_t begin, std::int64_t end) {
                match_words(self, lexicon, begin, end);
            },
            "lexicon"_a, "begin"_a, "end"_a, "Find the words of another lexicon in a part of the text.")
        .def(
            "features",
            [](const RunText& self) {
                nb::list all;
                for_each_character(self, [&](std::int64_t i, std::span<const std::uint64_t> keys) {
                    all.append(nb::make_tuple(i, to_numpy(std::vector<std::uint64_t>(keys.begin(), keys.end()))));
                });
                return all;
            },
            nb::sig("def features(self) -> list[tuple[int, numpy.typing.NDArray[numpy.uint64]]]"),
            "Each character that is not white space: its place and its features.");
}

}  // namespace

void bind_tokenizer(nb::module_& m) {
    bind_alphabet(m);
    nb::class_<CharacterKeys>(m, "KeyIndex", "Numbers for the features of characters.")
        .def(
            "__init__",
            [](CharacterKeys* self, const RunText& text, std::uint32_t cutoff, Array1<std::uint64_t> first) {
                new (self) CharacterKeys(find_keys(text, cutoff, {view(first).begin(), view(first).end()}));
            },
            "text"_a, "cutoff"_a, "first"_a.noconvert(),
            "The features `first`, and those that occur in the text so often.")
        .def("__len__", &CharacterKeys::size)
        .def_prop_ro(
            "keys", [](const CharacterKeys& self) { return to_numpy(std::vector(self.keys())); },
            nb::rv_policy::automatic)
        .def(
            "encode",
            [](const CharacterKeys& self, const RunText& text, Array1<std::int64_t> begin,
               Array1<std::uint8_t> labels) {
                const auto sequences = checked_begin(view(begin), text.codes.size());
                const auto gold = checked_labels(view(labels), text);
                const nb::gil_scoped_release unlocked;
                return encode(text, self, sequences, gold);
            },
            "text"_a, "begin"_a.noconvert(), "labels"_a.noconvert(),
            "The characters that are not white space, in sequences that begin at these places.");
    nb::class_<Segmenter>(m, "Segmenter", "Finds tokens, words and sentences.")
        .def(
            "__init__",
            [](Segmenter* self, Array1<std::uint64_t> keys, Array2<float> weights, bool joins) {
                new (self) Segmenter(make_segmenter(keys, weights, joins));
            },
            "keys"_a.noconvert(), "weights"_a.noconvert(), "joins"_a)
        .def(
            "labels",
            [](Segmenter& self, const RunText& text) {
                return to_numpy(unlocked_if_long(text.codes.size(), [&] { return self.labels(text); }));
            },
            "text"_a, "A label for every character.")
        .def(
            "tokens",
            [](Segmenter& self, const RunText& text, std::optional<Array1<std::uint8_t>> labels) {
                const auto given = labels ? checked_labels(view(*labels), text) : std::span<const std::uint8_t>();
                Tokens found = unlocked_if_long(text.codes.size(), [&] {
                    return find_tokens(text, labels ? std::vector(given.begin(), given.end()) : self.labels(text));
                });
                return std::make_tuple(to_view(std::move(found.begin)), to_view(std::move(found.end)),
                                       to_view(std::move(found.start)), to_view(std::move(found.cuts)));
            },
            "text"_a, "labels"_a.none() = nb::none(),
            "Where tokens begin and end, what begins with each (0: nothing more, 1: a sentence, 2: a paragraph), and "
            "where words begin inside tokens. `labels`: those of the characters, if they are known.");
}

}  // namespace perceptag

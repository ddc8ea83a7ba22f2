#include <nanobind/stl/pair.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <tuple>
#include <utility>
#include <vector>

#include "core/arrays.hpp"
#include "core/memory_views.hpp"
#include "core/vectors.hpp"
#include "perceptag/rules/rule_matcher.hpp"
#include "text/numbers.hpp"
#include "text/sentence_lists.hpp"

namespace perceptag {
namespace {

using Nodes = std::vector<std::int32_t>;
using Sets = std::vector<std::vector<std::pair<std::uint32_t, std::uint32_t>>>;

std::vector<CharacterSet> sets_of(const Sets& sets) { return {sets.begin(), sets.end()}; }

using Lists = std::vector<std::pair<std::int32_t, bool>>;  // what phrases are compared with, and whether they expand

std::vector<PhraseList> lists_of(const Lists& lists) {
    std::vector<PhraseList> made;
    for (const auto& [by, expands] : lists) {
        if (by < 0 || by > static_cast<std::int32_t>(PhraseList::By::Other))
            throw nb::value_error("expected 0, 1 or 2 for what phrases are compared with");
        made.push_back({static_cast<PhraseList::By>(by), expands});
    }
    return made;
}

// The types of the words of sentences, where sentences begin, and the different words without a type, which then get
// the next numbers in their order. None if a sentence is anything but a list of texts.
nb::object types_of_lists(RuleMatcher& matcher, nb::list sentences) {
    SentenceLists lists(sentences, nb::make_tuple("form"));
    std::vector<Words> words(1);
    std::vector<std::int32_t> begin{0}, types;
    if (!lists.read(std::numeric_limits<std::size_t>::max(), words, begin)) return nb::none();
    nb::list without;
    std::vector<std::string_view> fresh;
    {
        const nb::gil_scoped_release unlocked;
        std::vector<std::size_t> unknown;
        const auto views = words[0].views();
        for (const std::string_view word : views) {
            types.push_back(matcher.type_of(word));
            if (types.back() < 0) unknown.push_back(types.size() - 1);
        }
        TextLexicon numbers;
        for (const std::size_t place : unknown) {
            const std::string_view word = views[place];
            const auto next = static_cast<std::int32_t>(matcher.types() + fresh.size());
            numbers.add(word, next);
            types[place] = numbers.find(word);
            if (types[place] == next) fresh.push_back(word);
        }
    }
    for (const std::string_view word : fresh) without.append(nb::str(word.data(), word.size()));
    return nb::make_tuple(to_view(std::move(types)), to_view(std::move(begin)), without);
}

// Four numbers for each match: a sentence, a start, an end and a rule; the same for phrases inside tokens; and the
// number of steps.
auto match_all(RuleMatcher& matcher, Array1<std::int32_t> types, Array1<std::int32_t> begin,
               Array1<std::uint8_t> spaces) {
    const auto all = view(types);
    const auto offsets = view(begin);
    const auto blanks = view(spaces);
    if (offsets.empty() || offsets.front() != 0 || blanks.size() != all.size() ||
        offsets.back() != static_cast<std::int32_t>(all.size()) || !std::ranges::is_sorted(offsets))
        throw nb::value_error("expected offsets of sentences and a blank or none for each token");
    std::vector<std::int32_t> rows, inside;
    MatchScratch scratch;
    {
        const nb::gil_scoped_release unlocked;
        std::vector<RuleMatch> found;
        for (std::size_t s = 0; s + 1 < offsets.size(); ++s) {
            const auto first = static_cast<std::size_t>(offsets[s]);
            const auto size = static_cast<std::size_t>(offsets[s + 1]) - first;
            found.clear();
            matcher.match(all.subspan(first, size), blanks.subspan(first, size), scratch, found);
            const auto add = [s](std::vector<std::int32_t>& all, const RuleMatch& match) {
                all.insert(all.end(), {static_cast<std::int32_t>(s), match.start, match.end, match.rule});
            };
            for (const auto& match : found) add(rows, match);
            for (const auto& match : scratch.inside) add(inside, match);
        }
    }
    return std::make_tuple(to_view(std::move(rows)), to_view(std::move(inside)),
                           scratch.steps + matcher.take_type_steps());
}

}  // namespace

void bind_rules(nb::module_& m) {
    nb::class_<WholeExpressions>(m, "WholeExpressions", "Regular expressions for whole values.")
        .def(
            "__init__", [](WholeExpressions* self, const Sets& sets) { new (self) WholeExpressions(sets_of(sets)); },
            "sets"_a)
        .def(
            "add",
            [](WholeExpressions& self, const Nodes& nodes, std::int32_t start) { self.add(Program(nodes, start)); },
            "nodes"_a, "start"_a)
        .def(
            "matching", [](const WholeExpressions& self, nb::str text) { return self.matching(bytes_of(text)); },
            "text"_a, "The numbers of the expressions that match the whole of a text.");

    nb::class_<RuleMatcher>(m, "RuleMatcher", "Finds the longest match of each rule from each token.")
        .def(
            "__init__",
            [](RuleMatcher* self, std::int32_t tests, const Sets& sets, const Lists& phrases) {
                if (tests < 0) throw nb::value_error("expected a number of tests from 0");
                new (self) RuleMatcher(tests, sets_of(sets), lists_of(phrases));
            },
            "tests"_a, "sets"_a, "phrases"_a)
        .def(
            "add_look",
            [](RuleMatcher& self, const Nodes& nodes, std::int32_t start, bool behind, bool negated) {
                return self.add_look({Program(nodes, start), behind, negated});
            },
            "nodes"_a, "start"_a, "behind"_a, "negated"_a, "Add a look-around over tokens; return its number.")
        .def(
            "add_token_program",
            [](RuleMatcher& self, const Nodes& nodes, std::int32_t start, std::int32_t rule) {
                self.add_token_program(Program(nodes, start), rule);
            },
            "nodes"_a, "start"_a, "rule"_a)
        .def(
            "add_text_program",
            [](RuleMatcher& self, const Nodes& nodes, std::int32_t start, std::int32_t rule, bool expands) {
                self.add_text_program(Program(nodes, start), rule, expands);
            },
            "nodes"_a, "start"_a, "rule"_a, "expands"_a)
        .def(
            "add_phrases",
            [](RuleMatcher& self, std::size_t list, nb::str lines, std::int32_t rule) {
                if (rule < 0) throw nb::value_error("expected the number of a rule from 0");
                const auto text = bytes_of(lines);
                const nb::gil_scoped_release unlocked;
                const auto added = self.trie(list).add_lines(text, rule);
                return std::make_tuple(added.phrases, added.too_long, added.first_too_long);
            },
            "list"_a, "lines"_a, "rule"_a,
            "Add a phrase for each line; return how many there are, how many are too long, and the first such line.")
        .def(
            "add_type",
            [](RuleMatcher& self, nb::str form, const std::vector<std::int32_t>& tests,
               const std::vector<std::string_view>& by_list,
               bool is_word) { return self.add_type(bytes_of(form), tests, by_list, is_word); },
            "form"_a, "tests"_a, "by_list"_a, "is_word"_a,
            "Add a type with the tests that it passes; return its number. One that is a word is that of its form.")
        .def("types_of", &types_of_lists, "sentences"_a,
             nb::sig(
                 "def types_of(self, sentences: list[list[str]]) -> tuple[NDArray[numpy.int32], NDArray[numpy.int32], "
                 "list[str]] | None"),
             "The types of the words of sentences, where sentences begin, and the words without a type, which get the "
             "next numbers. None if a sentence is anything but a list of texts.")
        .def("clear_types", &RuleMatcher::clear_types)
        .def_prop_ro("types", &RuleMatcher::types)
        .def("match", &match_all, "types"_a.noconvert(), "begin"_a.noconvert(), "spaces"_a.noconvert(),
             "For each match its sentence, start, end and rule; the same for phrases that begin or end inside a token, "
             "with the tokens that they touch; and the number of steps that it took.");
}

}  // namespace perceptag

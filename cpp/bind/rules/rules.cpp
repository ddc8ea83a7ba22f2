#include <nanobind/stl/pair.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>

#include <algorithm>
#include <stdexcept>
#include <tuple>
#include <utility>
#include <vector>

#include "core/arrays.hpp"
#include "core/vectors.hpp"
#include "perceptag/rules/rule_matcher.hpp"
#include "text/numbers.hpp"

namespace perceptag {
namespace {

using Nodes = std::vector<std::int32_t>;
using Sets = std::vector<std::vector<std::pair<std::uint32_t, std::uint32_t>>>;

std::vector<CharacterSet> sets_of(const Sets& sets) { return {sets.begin(), sets.end()}; }

// Four numbers for each match: a sentence, a start, an end and a rule; and the number of steps.
auto match_all(const RuleMatcher& matcher, Array1<std::int32_t> types, Array1<std::int32_t> begin,
               Array1<std::uint8_t> spaces) {
    const auto all = view(types);
    const auto offsets = view(begin);
    const auto blanks = view(spaces);
    if (offsets.empty() || offsets.front() != 0 || blanks.size() != all.size() ||
        offsets.back() != static_cast<std::int32_t>(all.size()) || !std::ranges::is_sorted(offsets))
        throw nb::value_error("expected offsets of sentences and a blank or none for each token");
    std::vector<std::int32_t> rows;
    MatchScratch scratch;
    {
        const nb::gil_scoped_release unlocked;
        std::vector<RuleMatch> found;
        for (std::size_t s = 0; s + 1 < offsets.size(); ++s) {
            const auto first = static_cast<std::size_t>(offsets[s]);
            const auto size = static_cast<std::size_t>(offsets[s + 1]) - first;
            found.clear();
            matcher.match(all.subspan(first, size), blanks.subspan(first, size), scratch, found);
            for (const auto& match : found)
                rows.insert(rows.end(), {static_cast<std::int32_t>(s), match.start, match.end, match.rule});
        }
    }
    return std::make_pair(to_numpy(std::move(rows)), scratch.steps);
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
            [](RuleMatcher* self, std::int32_t tests, const Sets& sets, std::size_t tries) {
                if (tests < 0) throw nb::value_error("expected a number of tests from 0");
                new (self) RuleMatcher(tests, sets_of(sets), tries);
            },
            "tests"_a, "sets"_a, "tries"_a)
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
            [](RuleMatcher& self, const Nodes& nodes, std::int32_t start, std::int32_t rule) {
                self.add_text_program(Program(nodes, start), rule);
            },
            "nodes"_a, "start"_a, "rule"_a)
        .def(
            "add_phrases",
            [](RuleMatcher& self, std::size_t trie, nb::str lines, std::int32_t rule) {
                if (rule < 0) throw nb::value_error("expected the number of a rule from 0");
                const auto text = bytes_of(lines);
                const nb::gil_scoped_release unlocked;
                const auto added = self.trie(trie).add_lines(text, rule);
                return std::make_tuple(added.phrases, added.too_long, added.first_too_long);
            },
            "trie"_a, "lines"_a, "rule"_a,
            "Add a phrase for each line; return how many there are, how many are too long, and the first such line.")
        .def(
            "add_type",
            [](RuleMatcher& self, nb::str form, const std::vector<std::int32_t>& tests,
               const std::vector<std::string_view>& by_trie) { return self.add_type(bytes_of(form), tests, by_trie); },
            "form"_a, "tests"_a, "by_trie"_a, "Add a type with the tests that it passes; return its number.")
        .def("clear_types", &RuleMatcher::clear_types)
        .def_prop_ro("types", &RuleMatcher::types)
        .def("match", &match_all, "types"_a.noconvert(), "begin"_a.noconvert(), "spaces"_a.noconvert(),
             "For each match its sentence, start, end and rule; and the number of steps that it took.");
}

}  // namespace perceptag

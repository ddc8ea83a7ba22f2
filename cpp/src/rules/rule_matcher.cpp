#include "perceptag/rules/rule_matcher.hpp"

#include <algorithm>
#include <stdexcept>

#include "perceptag/rules/utf8.hpp"

namespace perceptag {
namespace {

void check_tests(const Program& program, std::size_t tests) {
    if (program.largest_test() >= static_cast<std::int32_t>(tests))
        throw std::invalid_argument("a program asks for a test that is not there");
}

// Notes the characters with which a match of a program may end; 128 stands for all beyond ASCII.
void note_endings(const Program& program, std::int32_t number, std::span<const CharacterSet> sets,
                  std::span<std::vector<std::int32_t>, 129> ending_with) {
    const auto may_end = [&](std::uint32_t code) {
        return std::ranges::any_of(program.last_tests(), [&](std::int32_t set) {
            return code < 128 ? sets[set].has(code) : sets[set].has_beyond_ascii();
        });
    };
    for (std::uint32_t code = 0; code <= 128; ++code)
        if (may_end(code)) ending_with[code].push_back(number);
}

bool is_text_edge(const ProgramNode& node, std::size_t boundary, std::span<const std::uint32_t> codes) {
    if (node.op != Op::At) return false;
    switch (static_cast<Edge>(node.first)) {
        case Edge::Begin:
            return boundary == 0;
        case Edge::End:
            return boundary == codes.size();
        default:
            return (boundary > 0 && is_word_character(codes[boundary - 1])) !=
                   (boundary < codes.size() && is_word_character(codes[boundary]));
    }
}

}  // namespace

RuleMatcher::RuleMatcher(std::int32_t tests, std::vector<CharacterSet> sets, std::size_t tries)
    : tests_(tests), sets_(std::move(sets)), tries_(tries) {}

std::int32_t RuleMatcher::add_look(LookAround look) {
    check_tests(look.program, tests_);
    looks_.push_back(std::move(look));
    return static_cast<std::int32_t>(looks_.size()) - 1;
}

void RuleMatcher::add_token_program(Program program, std::int32_t rule) {
    check_tests(program, tests_);
    token_programs_.push_back({std::move(program), rule});
}

void RuleMatcher::add_text_program(Program program, std::int32_t rule) {
    check_tests(program, sets_.size());
    note_endings(program, static_cast<std::int32_t>(text_programs_.size()), sets_, ending_with_);
    text_programs_.push_back({std::move(program), rule});
}

void WholeExpressions::add(Program program) {
    check_tests(program, sets_.size());
    note_endings(program, static_cast<std::int32_t>(programs_.size()), sets_, ending_with_);
    programs_.push_back(std::move(program));
}

std::vector<std::int32_t> WholeExpressions::matching(std::string_view text) const {
    std::vector<std::int32_t> found;
    const auto try_one = [&](std::int32_t number) {
        if (matches_whole(programs_[number], sets_, text)) found.push_back(number);
    };
    if (text.empty()) {
        for (std::size_t i = 0; i < programs_.size(); ++i) try_one(static_cast<std::int32_t>(i));
        return found;
    }
    const auto last = static_cast<unsigned char>(text.back());
    for (const std::int32_t number : ending_with_[std::min<std::size_t>(last, 128)]) try_one(number);
    return found;
}

std::int32_t RuleMatcher::add_type(std::string_view form, std::span<const std::int32_t> tests,
                                   std::span<const std::string_view> by_trie) {
    Type type;
    type.tests.resize(tests_ / 64 + 1);
    for (const std::int32_t test : tests) {
        if (test < 0 || test >= tests_) throw std::invalid_argument("a type passes a test that is not there");
        type.tests[test / 64] |= std::uint64_t{1} << test % 64;
    }
    for (std::size_t p = 0; p < token_programs_.size(); ++p)
        if (std::ranges::any_of(token_programs_[p].program.last_tests(),
                                [&](std::int32_t test) { return type.tests[test / 64] >> test % 64 & 1; }))
            type.ending.push_back(static_cast<std::int32_t>(p));
    if (by_trie.size() != tries_.size()) throw std::invalid_argument("a type has one value for each list of phrases");
    for (std::size_t t = 0; t < tries_.size(); ++t) type.pieces.push_back(tries_[t].pieces(by_trie[t]));
    if (!text_programs_.empty()) type.form = form;
    types_.push_back(std::move(type));
    return static_cast<std::int32_t>(types_.size()) - 1;
}

void RuleMatcher::clear_types() { types_.clear(); }

void RuleMatcher::match(std::span<const std::int32_t> types, std::span<const std::uint8_t> spaces,
                        MatchScratch& scratch, std::vector<RuleMatch>& found) const {
    if (types.empty()) return;
    for (const std::int32_t type : types)
        if (type < 0 || type >= static_cast<std::int32_t>(types_.size()))
            throw std::invalid_argument("a token has a type that is not there");
    for (std::size_t trie = 0; trie < tries_.size(); ++trie)
        if (!tries_[trie].is_empty()) match_phrases(trie, types, scratch, found);
    if (!token_programs_.empty()) match_tokens(types, scratch, found);
    if (!text_programs_.empty()) match_text(types, spaces, scratch, found);
}

void RuleMatcher::match_tokens(std::span<const std::int32_t> types, MatchScratch& scratch,
                               std::vector<RuleMatch>& found) const {
    scratch.token_runs.resize(token_programs_.size());
    scratch.may_end.assign(token_programs_.size(), 0);
    scratch.looks.assign(looks_.size(), {});
    scratch.alive.clear();
    for (std::size_t b = types.size() + 1; b-- > 0;) {
        scratch.due.assign(scratch.alive.begin(), scratch.alive.end());
        if (b > 0)
            for (const std::int32_t p : types_[types[b - 1]].ending) {
                scratch.may_end[p] = 1;
                if (!scratch.token_runs[p].is_alive()) scratch.due.push_back(p);
            }
        scratch.alive.clear();
        for (const std::int32_t p : scratch.due) {
            auto& run = scratch.token_runs[p];
            const auto reads = [&](std::int32_t test) { return ++scratch.steps, passes(types[b], test); };
            const auto at = [&](const ProgramNode& node) { return is_at(node, b, types, scratch); };
            const auto boundary = static_cast<std::int32_t>(b);
            const std::int32_t end = run.step(token_programs_[p].program, boundary, scratch.may_end[p], reads, at);
            scratch.may_end[p] = 0;
            if (end > boundary) found.push_back({boundary, end, token_programs_[p].rule});
            if (run.is_alive()) scratch.alive.push_back(p);
        }
    }
    for (const std::int32_t p : scratch.alive) scratch.token_runs[p].clear();
}

bool RuleMatcher::is_at(const ProgramNode& node, std::size_t boundary, std::span<const std::int32_t> types,
                        MatchScratch& scratch) const {
    if (node.op == Op::At)
        return static_cast<Edge>(node.first) == Edge::Begin ? boundary == 0 : boundary == types.size();
    const auto number = static_cast<std::size_t>(node.first);
    if (number >= looks_.size()) return false;
    if (scratch.looks[number].empty()) look(number, types, scratch);
    return scratch.looks[number][boundary] != looks_[number].negated;
}

void RuleMatcher::look(std::size_t number, std::span<const std::int32_t> types, MatchScratch& scratch) const {
    const auto& [program, behind, negated] = looks_[number];
    const std::size_t n = types.size();
    std::vector<std::uint8_t> holds(n + 1);
    ProgramRun run;  // of its own: a look-around inside it has another
    for (std::size_t b = n + 1; b-- > 0;) {
        const std::size_t here = behind ? n - b : b;
        const auto reads = [&](std::int32_t test) {
            return ++scratch.steps, passes(types[behind ? n - 1 - b : b], test);
        };
        const auto at = [&](const ProgramNode& node) { return is_at(node, here, types, scratch); };
        holds[here] = run.step(program, static_cast<std::int32_t>(b), true, reads, at) >= 0;
    }
    scratch.looks[number] = std::move(holds);
}

void RuleMatcher::match_text(std::span<const std::int32_t> types, std::span<const std::uint8_t> spaces,
                             MatchScratch& scratch, std::vector<RuleMatch>& found) const {
    auto& codes = scratch.codes;
    codes.clear();
    scratch.starting.clear();
    scratch.ending.clear();
    const auto mark = [&](std::vector<std::int32_t>& places, std::size_t token) {
        places.resize(codes.size() + 1, -1);
        if (places[codes.size()] < 0) places[codes.size()] = static_cast<std::int32_t>(token);
    };
    for (std::size_t t = 0; t < types.size(); ++t) {
        mark(scratch.starting, t);
        append_codes(types_[types[t]].form, codes);
        mark(scratch.ending, t);
        if (spaces[t] && t + 1 < types.size()) codes.push_back(' ');
    }
    scratch.starting.resize(codes.size() + 1, -1);
    scratch.ending.resize(codes.size() + 1, -1);
    scratch.text_runs.resize(text_programs_.size());
    scratch.may_end.assign(text_programs_.size(), 0);
    scratch.alive.clear();
    for (std::size_t b = codes.size() + 1; b-- > 0;) {
        scratch.due.assign(scratch.alive.begin(), scratch.alive.end());
        if (b > 0 && scratch.ending[b] >= 0)
            for (const std::int32_t p : ending_with_[std::min<std::uint32_t>(codes[b - 1], 128)]) {
                scratch.may_end[p] = 1;
                if (!scratch.text_runs[p].is_alive()) scratch.due.push_back(p);
            }
        scratch.alive.clear();
        for (const std::int32_t p : scratch.due) {
            auto& run = scratch.text_runs[p];
            const auto reads = [&](std::int32_t set) { return ++scratch.steps, sets_[set].has(codes[b]); };
            const auto at = [&](const ProgramNode& node) { return is_text_edge(node, b, codes); };
            const auto boundary = static_cast<std::int32_t>(b);
            const std::int32_t end = run.step(text_programs_[p].program, boundary, scratch.may_end[p], reads, at);
            scratch.may_end[p] = 0;
            if (end > boundary && scratch.starting[b] >= 0)
                found.push_back({scratch.starting[b], scratch.ending[end] + 1, text_programs_[p].rule});
            if (run.is_alive()) scratch.alive.push_back(p);
        }
    }
    for (const std::int32_t p : scratch.alive) scratch.text_runs[p].clear();
}

void RuleMatcher::match_phrases(std::size_t trie, std::span<const std::int32_t> types, MatchScratch& scratch,
                                std::vector<RuleMatch>& found) const {
    const auto& phrases = tries_[trie];
    auto& pieces = scratch.pieces;
    auto& ends = scratch.piece_ends;  // the token after which a piece ends, or -1
    pieces.clear();
    ends.clear();
    for (std::size_t t = 0; t < types.size(); ++t) {
        const auto& own = types_[types[t]].pieces[trie];
        pieces.insert(pieces.end(), own.begin(), own.end());
        ends.insert(ends.end(), own.size(), -1);
        if (!own.empty()) ends.back() = static_cast<std::int32_t>(t) + 1;
    }
    std::size_t first = 0;
    for (std::size_t t = 0; t < types.size(); first += types_[types[t]].pieces[trie].size(), ++t) {
        if (types_[types[t]].pieces[trie].empty()) continue;
        scratch.phrases.clear();
        std::int32_t node = 0;
        for (std::size_t i = first; i < pieces.size() && pieces[i] >= 0; ++i) {
            node = phrases.step(node, pieces[i]);
            ++scratch.steps;
            if (node < 0) break;
            if (ends[i] < 0) continue;
            for (const std::int32_t rule : phrases.ending(node)) {
                const auto known = std::ranges::find(scratch.phrases, rule, &RuleMatch::rule);
                if (known != scratch.phrases.end())
                    known->end = ends[i];
                else
                    scratch.phrases.push_back({static_cast<std::int32_t>(t), ends[i], rule});
            }
        }
        found.insert(found.end(), scratch.phrases.begin(), scratch.phrases.end());
    }
}

bool matches_whole(const Program& program, std::span<const CharacterSet> sets, std::string_view text) {
    check_tests(program, sets.size());
    std::vector<std::uint32_t> codes;
    append_codes(text, codes);
    ProgramRun run;
    const std::span<const std::uint32_t> all(codes);
    std::int32_t end = -1;
    for (std::size_t b = codes.size() + 1; b-- > 0;) {
        const auto reads = [&](std::int32_t set) { return sets[set].has(codes[b]); };
        const auto at = [&](const ProgramNode& node) { return is_text_edge(node, b, all); };
        end = run.step(program, static_cast<std::int32_t>(b), b == codes.size(), reads, at);
        if (b > 0 && !run.is_alive()) return false;
    }
    return end >= 0;
}

}  // namespace perceptag

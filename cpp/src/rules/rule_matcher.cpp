#include "perceptag/rules/rule_matcher.hpp"

#include <algorithm>
#include <iterator>
#include <stdexcept>
#include <tuple>
#include <unordered_map>

#include "perceptag/rules/utf8.hpp"
#include "perceptag/text/ascii.hpp"

namespace perceptag {
namespace {

void check_tests(const Program& program, std::size_t tests) {
    if (program.largest_test() >= static_cast<std::int32_t>(tests))
        throw std::invalid_argument("a program asks for a test that is not there");
}

// Whether a character is in one of some sets; 128 stands for all beyond ASCII.
bool is_in_any(std::uint32_t code, std::span<const std::int32_t> some, std::span<const CharacterSet> sets) {
    return std::ranges::any_of(
        some, [&](std::int32_t set) { return code < 128 ? sets[set].has(code) : sets[set].has_beyond_ascii(); });
}

// Notes the characters with which a match of a program may end.
void note_endings(const Program& program, std::int32_t number, std::span<const CharacterSet> sets,
                  std::span<std::vector<std::int32_t>, 129> ending_with) {
    for (std::uint32_t code = 0; code <= 128; ++code)
        if (is_in_any(code, program.last_tests(), sets)) ending_with[code].push_back(number);
}

// Keeps, from a place on, the longest of the matches of one rule from one token, and sorts them.
void keep_longest(std::vector<RuleMatch>& found, std::ptrdiff_t first) {
    if (std::ssize(found) <= first + 1) return;
    const auto begin = found.begin() + first;
    std::sort(begin, found.end(), [](const RuleMatch& a, const RuleMatch& b) {
        return std::tie(a.start, a.rule, b.end) < std::tie(b.start, b.rule, a.end);
    });
    const auto is_same = [](const RuleMatch& a, const RuleMatch& b) { return a.start == b.start && a.rule == b.rule; };
    found.erase(std::unique(begin, found.end(), is_same), found.end());
    std::sort(begin, found.end(), [](const RuleMatch& a, const RuleMatch& b) {
        return std::tie(a.start, a.end, a.rule) < std::tie(b.start, b.end, b.rule);
    });
}

// Leaves out what a match of the same rule covers, and sorts the rest. `found` is in the order of starts.
void leave_out_covered(std::vector<RuleMatch>& inside, std::span<const RuleMatch> found) {
    if (inside.empty() || found.empty()) return;
    std::ranges::stable_sort(inside, {}, &RuleMatch::start);
    std::unordered_map<std::int32_t, std::int32_t> reached;  // by rule: the last end of the matches so far
    auto next = found.begin();
    std::erase_if(inside, [&](const RuleMatch& one) {
        for (; next != found.end() && next->start <= one.start; ++next)
            reached[next->rule] = std::max(reached[next->rule], next->end);
        const auto known = reached.find(one.rule);
        return known != reached.end() && one.end <= known->second;
    });
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

RuleMatcher::RuleMatcher(std::int32_t tests, std::vector<CharacterSet> sets, std::vector<PhraseList> phrases)
    : tests_(tests), sets_(std::move(sets)), phrases_(std::move(phrases)) {}

std::int32_t RuleMatcher::add_look(LookAround look) {
    check_tests(look.program, tests_);
    looks_.push_back(std::move(look));
    return static_cast<std::int32_t>(looks_.size()) - 1;
}

void RuleMatcher::add_token_program(Program program, std::int32_t rule) {
    check_tests(program, tests_);
    token_programs_.push_back({std::move(program), rule, false});
}

void RuleMatcher::add_text_program(Program program, std::int32_t rule, bool expands) {
    check_tests(program, sets_.size());
    note_endings(program, static_cast<std::int32_t>(text_programs_.size()), sets_, ending_with_);
    text_programs_.push_back({std::move(program), rule, expands});
    expands_text_ |= expands;
}

void WholeExpressions::add(Program program) {
    check_tests(program, sets_.size());
    note_endings(program, static_cast<std::int32_t>(programs_.size()), sets_, ending_with_);
    for (std::uint32_t code = 0; code <= 128; ++code)
        beginning_with_[code].push_back(is_in_any(code, program.first_tests(), sets_));
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
    const auto at = [](char c) { return std::min<std::size_t>(static_cast<unsigned char>(c), 128); };
    const auto& may_begin = beginning_with_[at(text.front())];
    for (const std::int32_t number : ending_with_[at(text.back())])
        if (may_begin[number]) try_one(number);
    return found;
}

std::int32_t RuleMatcher::add_type(std::string_view form, std::span<const std::int32_t> tests,
                                   std::span<const std::string_view> by_list, bool is_word) {
    if (by_list.size() != phrases_.size()) throw std::invalid_argument("a type has one value for each list of phrases");
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
    for (std::size_t i = 0; i < phrases_.size(); ++i) phrases_[i].add_type(by_list[i]);
    if (!text_programs_.empty()) {
        type.form = form;
        find_ending_text(type);
    }
    types_.push_back(std::move(type));
    const auto number = static_cast<std::int32_t>(types_.size()) - 1;
    if (is_word) words_.add(form, number);
    return number;
}

// Runs each text program from the end of a word to its beginning, so that match_text starts only those that begin
// there or can go on. What is next to the word is not known: at its borders all edges hold.
void RuleMatcher::find_ending_text(Type& type) {
    std::vector<std::uint32_t> codes;
    append_codes(type.form, codes);
    const std::size_t n = codes.size();
    if (n == 0) {  // the end of an empty word is that of the white space before it
        for (std::size_t p = 0; p < text_programs_.size(); ++p)
            if (!text_programs_[p].expands) type.ending_text_joined.push_back(static_cast<std::int32_t>(p));
        type.ending_text_apart = type.ending_text_joined;
        return;
    }
    ProgramRun run;
    for (const std::int32_t p : ending_with_[std::min<std::uint32_t>(codes.back(), 128)]) {
        const auto& [program, rule, expands] = text_programs_[p];
        if (expands) continue;
        run.clear();
        bool begins_here = false;
        for (std::size_t b = n + 1; b-- > 0 && (b == n || run.is_alive());) {
            const auto reads = [&](std::int32_t set) { return ++type_steps_, sets_[set].has(codes[b]); };
            const auto at = [&](const ProgramNode& node) {
                return (node.op == Op::At && (b == 0 || b == n)) || is_text_edge(node, b, codes);
            };
            begins_here = run.step(program, static_cast<std::int32_t>(b), b == n, reads, at) > 0 && b == 0;
        }
        if (begins_here || run.is_alive()) type.ending_text_joined.push_back(p);
        if (begins_here || run.can_read(program, [&](std::int32_t set) { return sets_[set].has(' '); }))
            type.ending_text_apart.push_back(p);
    }
}

void PhraseList::add_type(std::string_view value) {
    const auto own = trie.pieces(value);
    const std::int32_t first = own.empty() ? -1 : own.front();
    cuts.push_back({pieces.size(), own.size(), first < 0 ? -1 : trie.step(0, first)});
    pieces.insert(pieces.end(), own.begin(), own.end());
}

std::int32_t RuleMatcher::type_of(std::string_view word) {
    if (const std::int32_t known = words_.find(word); known >= 0) return known;
    if (tests_) return -1;
    std::vector<std::string_view> by_list;
    std::string lower;
    for (const auto& list : phrases_) {
        if (list.by == PhraseList::By::Other || (list.by == PhraseList::By::Lower && !is_ascii(word))) return -1;
        if (list.by == PhraseList::By::Lower && lower.empty())
            std::ranges::transform(word, std::back_inserter(lower), to_lower);
    }
    for (const auto& list : phrases_) by_list.push_back(list.by == PhraseList::By::Lower ? lower : word);
    return add_type(word, {}, by_list, true);
}

void RuleMatcher::clear_types() {
    types_.clear();
    words_ = {};
    for (auto& list : phrases_) {
        list.cuts.clear();
        list.pieces.clear();
    }
}

void RuleMatcher::match(std::span<const std::int32_t> types, std::span<const std::uint8_t> spaces,
                        MatchScratch& scratch, std::vector<RuleMatch>& found) const {
    if (types.empty()) return;
    for (const std::int32_t type : types)
        if (type < 0 || type >= static_cast<std::int32_t>(types_.size()))
            throw std::invalid_argument("a token has a type that is not there");
    const auto before = static_cast<std::ptrdiff_t>(found.size());
    scratch.inside.clear();
    for (std::size_t list = 0; list < phrases_.size(); ++list)
        if (!phrases_[list].trie.is_empty()) match_phrases(list, types, scratch, found);
    if (!token_programs_.empty()) match_tokens(types, scratch, found);
    if (!text_programs_.empty()) match_text(types, spaces, scratch, found);
    keep_longest(found, before);
    leave_out_covered(scratch.inside, std::span(found).subspan(static_cast<std::size_t>(before)));
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

void RuleMatcher::read_text(std::span<const std::int32_t> types, std::span<const std::uint8_t> spaces,
                            MatchScratch& scratch) const {
    auto& codes = scratch.codes;
    codes.clear();
    scratch.starting.clear();
    scratch.ending.clear();
    scratch.first_token.clear();
    scratch.last_token.clear();
    const auto mark = [&](std::vector<std::int32_t>& places, std::size_t token) {
        places.resize(codes.size() + 1, -1);
        if (places[codes.size()] < 0) places[codes.size()] = static_cast<std::int32_t>(token);
    };
    for (std::size_t t = 0; t < types.size(); ++t) {
        mark(scratch.starting, t);
        append_codes(types_[types[t]].form, codes);
        mark(scratch.ending, t);
        const bool has_space = spaces[t] && t + 1 < types.size();
        if (has_space) codes.push_back(' ');
        if (!expands_text_) continue;
        scratch.last_token.resize(codes.size(), static_cast<std::int32_t>(t));
        scratch.first_token.resize(codes.size(), static_cast<std::int32_t>(t));
        if (has_space) ++scratch.first_token.back();
    }
    scratch.starting.resize(codes.size() + 1, -1);
    scratch.ending.resize(codes.size() + 1, -1);
}

void RuleMatcher::match_text(std::span<const std::int32_t> types, std::span<const std::uint8_t> spaces,
                             MatchScratch& scratch, std::vector<RuleMatch>& found) const {
    read_text(types, spaces, scratch);
    const auto& codes = scratch.codes;
    scratch.text_runs.resize(text_programs_.size());
    scratch.may_end.assign(text_programs_.size(), 0);
    scratch.alive.clear();
    for (std::size_t b = codes.size() + 1; b-- > 0;) {
        scratch.due.assign(scratch.alive.begin(), scratch.alive.end());
        const auto start = [&](std::int32_t p) {
            scratch.may_end[p] = 1;
            if (!scratch.text_runs[p].is_alive()) scratch.due.push_back(p);
        };
        if (b > 0 && scratch.ending[b] >= 0) {
            const auto token = static_cast<std::size_t>(scratch.ending[b]);
            const Type& type = types_[types[token]];
            const bool is_apart = token == 0 || spaces[token - 1];
            for (const std::int32_t p : is_apart ? type.ending_text_apart : type.ending_text_joined) start(p);
        }
        if (b > 0 && expands_text_)
            for (const std::int32_t p : ending_with_[std::min<std::uint32_t>(codes[b - 1], 128)])
                if (text_programs_[p].expands) start(p);
        scratch.alive.clear();
        for (const std::int32_t p : scratch.due) {
            auto& run = scratch.text_runs[p];
            const auto& [program, rule, expands] = text_programs_[p];
            const auto reads = [&](std::int32_t set) { return ++scratch.steps, sets_[set].has(codes[b]); };
            const auto at = [&](const ProgramNode& node) { return is_text_edge(node, b, codes); };
            const auto boundary = static_cast<std::int32_t>(b);
            const std::int32_t end = run.step(program, boundary, scratch.may_end[p], reads, at);
            scratch.may_end[p] = 0;
            if (run.is_alive()) scratch.alive.push_back(p);
            if (end <= boundary) continue;
            const std::int32_t first = expands ? scratch.first_token[b] : scratch.starting[b];
            const std::int32_t last = expands ? scratch.last_token[end - 1] : scratch.ending[end];
            if (first >= 0 && first <= last) found.push_back({first, last + 1, rule});
        }
    }
    for (const std::int32_t p : scratch.alive) scratch.text_runs[p].clear();
}

void RuleMatcher::match_phrases(std::size_t list, std::span<const std::int32_t> types, MatchScratch& scratch,
                                std::vector<RuleMatch>& found) const {
    const PhraseList& phrases = phrases_[list];
    scratch.pieces.clear();
    scratch.owners.clear();
    scratch.entries.clear();
    for (std::size_t t = 0; t < types.size(); ++t) {
        const auto& [begin, size, entry] = phrases.cuts[types[t]];
        for (std::size_t i = 0; i < size; ++i) {
            const std::int32_t piece = phrases.pieces[begin + i];
            scratch.pieces.push_back(piece);
            scratch.owners.push_back(static_cast<std::int32_t>(t));
            scratch.entries.push_back(i == 0 ? entry : piece < 0 ? -1 : phrases.trie.step(0, piece));
        }
    }
    for (std::size_t first = 0; first < scratch.pieces.size(); ++first) {
        if (scratch.entries[first] < 0) continue;
        scratch.phrases.clear();
        phrases_from(first, phrases, scratch);
        found.insert(found.end(), scratch.phrases.begin(), scratch.phrases.end());
    }
}

// Finds the longest phrase of each rule that begins with a piece.
void RuleMatcher::phrases_from(std::size_t first, const PhraseList& list, MatchScratch& scratch) const {
    const auto& [pieces, owners] = std::tie(scratch.pieces, scratch.owners);
    const auto borders = [&](std::size_t i) { return i == 0 || i == pieces.size() || owners[i - 1] != owners[i]; };
    std::int32_t node = scratch.entries[first];
    for (std::size_t i = first; i < pieces.size() && pieces[i] >= 0; ++i) {
        if (i > first) node = list.trie.step(node, pieces[i]);
        ++scratch.steps;
        if (node < 0) return;
        const auto rules = list.trie.ending(node);
        if (rules.empty()) continue;
        const bool is_whole = list.expands || (borders(first) && borders(i + 1));
        for (const std::int32_t rule : rules) {
            auto& listed = is_whole ? scratch.phrases : scratch.inside;
            const auto known = is_whole ? std::ranges::find(listed, rule, &RuleMatch::rule) : listed.end();
            if (known != listed.end())
                known->end = owners[i] + 1;
            else
                listed.push_back({owners[first], owners[i] + 1, rule});
        }
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

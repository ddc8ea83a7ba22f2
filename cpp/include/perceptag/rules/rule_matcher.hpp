// Finds the matches of rules: for each rule the longest match from each token, in one pass over a sentence.
//
// A type is a word with all that rules look at: the numbers of the tests that hold for it, its letters, the pieces of
// it that phrases are made of. Python finds the tests once for each type; here a token is the number of its type.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "perceptag/rules/character_set.hpp"
#include "perceptag/rules/phrase_trie.hpp"
#include "perceptag/rules/program.hpp"

namespace perceptag {

struct RuleMatch {
    std::int32_t start, end, rule;
};

struct LookAround {
    Program program;  // of one that looks behind: for the items in the opposite order
    bool behind, negated;
};

// The memory of a thread.
struct MatchScratch {
    std::vector<ProgramRun> token_runs, text_runs;
    ProgramRun look_run;
    std::vector<std::int32_t> alive, due;
    std::vector<std::uint8_t> may_end;
    std::vector<std::vector<std::uint8_t>>
        looks;  // [look-arounds] for each boundary whether it holds; empty: not known
    std::vector<std::uint32_t> codes;
    std::vector<std::int32_t> starting, ending;  // [boundaries of characters] the token, or -1
    std::vector<std::int32_t> pieces, piece_ends;
    std::vector<RuleMatch> phrases;
    std::uint64_t steps = 0;  // tests of an item by a node
};

class RuleMatcher {
  public:
    RuleMatcher(std::int32_t tests, std::vector<CharacterSet> sets, std::size_t tries);

    std::int32_t add_look(LookAround look);
    void add_token_program(Program program, std::int32_t rule);
    void add_text_program(Program program, std::int32_t rule);
    PhraseTrie& trie(std::size_t number) { return tries_.at(number); }

    // Adds a type and returns its number. `by_trie`: what each trie looks at.
    std::int32_t add_type(std::string_view form, std::span<const std::int32_t> tests,
                          std::span<const std::string_view> by_trie);
    void clear_types();
    std::size_t types() const { return types_.size(); }

    // Appends the matches of a sentence. `spaces`: whether there is white space after each token.
    void match(std::span<const std::int32_t> types, std::span<const std::uint8_t> spaces, MatchScratch& scratch,
               std::vector<RuleMatch>& found) const;

  private:
    struct Type {
        std::vector<std::uint64_t> tests;  // a bit for each
        std::vector<std::int32_t> ending;  // the programs of which it may be the last token
        std::string form;
        std::vector<std::vector<std::int32_t>> pieces;  // for each trie
    };
    struct Ruled {
        Program program;
        std::int32_t rule;
    };
    void match_tokens(std::span<const std::int32_t> types, MatchScratch& scratch, std::vector<RuleMatch>& found) const;
    void match_text(std::span<const std::int32_t> types, std::span<const std::uint8_t> spaces, MatchScratch& scratch,
                    std::vector<RuleMatch>& found) const;
    void match_phrases(std::size_t trie, std::span<const std::int32_t> types, MatchScratch& scratch,
                       std::vector<RuleMatch>& found) const;
    bool is_at(const ProgramNode& node, std::size_t boundary, std::span<const std::int32_t> types,
               MatchScratch& scratch) const;
    void look(std::size_t number, std::span<const std::int32_t> types, MatchScratch& scratch) const;
    bool passes(std::int32_t type, std::int32_t test) const { return types_[type].tests[test / 64] >> test % 64 & 1; }

    std::int32_t tests_;
    std::vector<CharacterSet> sets_;
    std::vector<LookAround> looks_;
    std::vector<Ruled> token_programs_, text_programs_;
    std::array<std::vector<std::int32_t>, 129> ending_with_;  // [characters of ASCII, and all others] text programs
    std::vector<PhraseTrie> tries_;
    std::vector<Type> types_;
};

// Whether a program over characters matches the whole of a text.
bool matches_whole(const Program& program, std::span<const CharacterSet> sets, std::string_view text);

// Regular expressions for whole values. Those that cannot end with the last character of a value are not run.
class WholeExpressions {
  public:
    explicit WholeExpressions(std::vector<CharacterSet> sets) : sets_(std::move(sets)) {}
    void add(Program program);
    // The numbers of the expressions that match the whole of a text, in their order.
    std::vector<std::int32_t> matching(std::string_view text) const;

  private:
    std::vector<CharacterSet> sets_;
    std::vector<Program> programs_;
    std::array<std::vector<std::int32_t>, 129> ending_with_;  // [last characters of ASCII, and all others] programs
};

}  // namespace perceptag

// Finds the matches of rules: for each rule the longest match from each token, in one pass over a sentence.
//
// A type is a word with all that rules look at: the numbers of the tests that hold for it, its letters, the pieces of
// it that phrases are made of. Python finds the tests once for each type; here a token is the number of its type.
//
// A match begins and ends with a token. Where a rule expands its matches, one that begins or ends inside a token takes
// the whole token.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
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

// Phrases that are compared with the same value of a token.
struct PhraseList {
    enum class By : std::int32_t { Form, Lower, Other };
    By by = By::Form;
    bool expands = false;
    PhraseTrie trie{};

    // The pieces of each type, one after the other.
    struct Cut {
        std::size_t begin = 0, size = 0;
        std::int32_t entry = -1;  // where the first piece leads from the root of the trie; -1: no phrase begins with it
    };
    std::vector<Cut> cuts{};
    std::vector<std::int32_t> pieces{};
    void add_type(std::string_view value);
};

// The memory of a thread.
struct MatchScratch {
    std::vector<ProgramRun> token_runs, text_runs;
    std::vector<std::int32_t> alive, due;
    std::vector<std::uint8_t> may_end;
    std::vector<std::vector<std::uint8_t>>
        looks;  // [look-arounds] for each boundary whether it holds; empty: not known
    std::vector<std::uint32_t> codes;
    std::vector<std::int32_t> starting, ending;         // [boundaries of characters] the token, or -1
    std::vector<std::int32_t> first_token, last_token;  // [characters] the first that ends after it, the last up to it
    std::vector<std::int32_t> pieces, owners, entries;  // of the pieces of a sentence: numbers, tokens, first nodes
    std::vector<RuleMatch> phrases;
    std::vector<RuleMatch> inside;  // phrases that begin or end inside a token, with the tokens that they touch
    std::uint64_t steps = 0;        // tests of an item by a node
};

class RuleMatcher {
  public:
    RuleMatcher(std::int32_t tests, std::vector<CharacterSet> sets, std::vector<PhraseList> phrases);

    std::int32_t add_look(LookAround look);
    void add_token_program(Program program, std::int32_t rule);
    void add_text_program(Program program, std::int32_t rule, bool expands);
    PhraseTrie& trie(std::size_t number) { return phrases_.at(number).trie; }

    // Adds a type and returns its number. `by_list`: what each list of phrases looks at. A type that `is_word` is that
    // of its form, whatever else the token has.
    std::int32_t add_type(std::string_view form, std::span<const std::int32_t> tests,
                          std::span<const std::string_view> by_list, bool is_word);
    // The type of a word. One without a type gets it here, if that takes no more than its letters; else -1.
    std::int32_t type_of(std::string_view word);
    void clear_types();
    std::size_t types() const { return types_.size(); }
    // The steps that new types have taken since the last call.
    std::uint64_t take_type_steps() { return std::exchange(type_steps_, 0); }

    // Appends the matches of a sentence: of each rule the longest from each token, in order. `spaces`: whether there is
    // white space after each token.
    void match(std::span<const std::int32_t> types, std::span<const std::uint8_t> spaces, MatchScratch& scratch,
               std::vector<RuleMatch>& found) const;

  private:
    struct Type {
        std::vector<std::uint64_t> tests;  // a bit for each
        std::vector<std::int32_t> ending;  // the token programs of which it may be the last token
        // The text programs of which it may end a match: after white space or at the beginning of the text; elsewhere.
        std::vector<std::int32_t> ending_text_apart, ending_text_joined;
        std::string form;
    };
    struct Ruled {
        Program program;
        std::int32_t rule;
        bool expands = false;
    };
    void find_ending_text(Type& type);
    void match_tokens(std::span<const std::int32_t> types, MatchScratch& scratch, std::vector<RuleMatch>& found) const;
    void match_text(std::span<const std::int32_t> types, std::span<const std::uint8_t> spaces, MatchScratch& scratch,
                    std::vector<RuleMatch>& found) const;
    void match_phrases(std::size_t list, std::span<const std::int32_t> types, MatchScratch& scratch,
                       std::vector<RuleMatch>& found) const;
    void phrases_from(std::size_t first, const PhraseList& list, MatchScratch& scratch) const;
    void read_text(std::span<const std::int32_t> types, std::span<const std::uint8_t> spaces,
                   MatchScratch& scratch) const;
    bool is_at(const ProgramNode& node, std::size_t boundary, std::span<const std::int32_t> types,
               MatchScratch& scratch) const;
    void look(std::size_t number, std::span<const std::int32_t> types, MatchScratch& scratch) const;
    bool passes(std::int32_t type, std::int32_t test) const { return types_[type].tests[test / 64] >> test % 64 & 1; }

    std::int32_t tests_;
    std::vector<CharacterSet> sets_;
    std::vector<LookAround> looks_;
    std::vector<Ruled> token_programs_, text_programs_;
    std::array<std::vector<std::int32_t>, 129> ending_with_;  // [characters of ASCII, and all others] text programs
    std::vector<PhraseList> phrases_;
    bool expands_text_ = false;  // whether one of the text programs does
    std::vector<Type> types_;
    std::uint64_t type_steps_ = 0;
    TextLexicon words_;  // the types of words
};

// Whether a program over characters matches the whole of a text.
bool matches_whole(const Program& program, std::span<const CharacterSet> sets, std::string_view text);

// Regular expressions for whole values. Those that cannot begin with the first character of a value, or end with the
// last one, are not run.
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
    std::array<std::vector<bool>, 129> beginning_with_;       // the same for the first one, [programs]
};

}  // namespace perceptag

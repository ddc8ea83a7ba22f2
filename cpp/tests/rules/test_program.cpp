#include <array>

#include "check.hpp"
#include "perceptag/rules/program.hpp"
#include "perceptag/rules/rule_matcher.hpp"

using namespace perceptag;

namespace {

// a+ b, with test 0 for a and test 1 for b.
Program pattern() {
    const std::array<std::int32_t, 12> nodes{0, 0, 0, 1, 1, 0, 2, 3, 1, 1, 0, 2};
    return Program(nodes, 3);
}

}  // namespace

void test_programs_find_the_longest_match_from_each_token() {
    const std::array<std::int32_t, 6> wild{0, 0, 0, 1, 0, 7};
    CHECK_THROWS(Program(wild, 1));
    CHECK_THROWS(Program(std::span(wild).first(3), 4));
    CHECK(pattern().last_tests() == std::vector<std::int32_t>{1});
    CHECK(pattern().first_tests() == std::vector<std::int32_t>{0});

    RuleMatcher matcher(2, {}, std::vector<PhraseList>(1));
    matcher.add_token_program(pattern(), 5);
    const std::array<std::string_view, 1> none{""};
    const std::array<std::int32_t, 1> is_a{0}, is_b{1};
    const auto a = matcher.add_type("a", is_a, none, true);
    const auto b = matcher.add_type("b", is_b, none, true);
    MatchScratch scratch;
    std::vector<RuleMatch> found;
    const std::array<std::int32_t, 5> types{b, a, a, b, a};
    const std::array<std::uint8_t, 5> spaces{1, 1, 1, 1, 1};
    matcher.match(types, spaces, scratch, found);
    CHECK(found.size() == 2);
    CHECK(found[0].start == 1 && found[0].end == 4 && found[1].start == 2 && found[1].end == 4 && found[1].rule == 5);
    CHECK(matcher.type_of("b") == b && matcher.type_of("c") == -1);
    CHECK_THROWS(matcher.match(std::array<std::int32_t, 1>{9}, spaces, scratch, found));
}

void test_phrases_are_cut_into_pieces() {
    PhraseTrie trie;
    const auto added = trie.add_lines("Dr. No\n\nNo\n", 3);
    CHECK(added.phrases == 2 && added.too_long == 0);
    const auto pieces = trie.pieces("Dr.");
    CHECK(pieces.size() == 2 && pieces[0] >= 0 && pieces[1] >= 0);
    CHECK(trie.pieces("x")[0] == -1);
    const auto node = trie.step(0, trie.pieces("No")[0]);
    CHECK(node > 0 && trie.ending(node).size() == 1 && trie.ending(node)[0] == 3);
    trie.add_lines("No", 4);
    CHECK(trie.ending(node).size() == 2);
}

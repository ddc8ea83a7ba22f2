"""The matcher of the core finds what its slow twin finds."""

import re
import unicodedata
from time import process_time

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from perceptag import Sentence
from perceptag.rules.compiled_rules import compile_expressions
from perceptag.rules.conditions import FieldReader, holds
from perceptag.rules.overlaps import without_overlaps
from perceptag.rules.rules import Rules
from perceptag.rules.text_patterns import CharacterSets, category
from perceptag.rules.token_patterns import TokenConditions
from perceptag.rules.token_types import ExpressionList
from reference import rules as reference

WORDS = st.sampled_from(["a", "b", "c", "A", "a-b", "1"])
QUANTIFIERS = st.sampled_from(["", "", "", "?", "*", "+", "{2}", "{1,2}", "{0,3}", "{2,}"])


def _grown(item: st.SearchStrategy[str], looks: tuple[str, ...], gap: str) -> st.SearchStrategy[str]:
    def larger(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
        group = st.builds(lambda text, times: f"({text}){times}", inner, QUANTIFIERS)
        look = st.builds(lambda sign, text: f"{sign}{text})", st.sampled_from(looks), inner) if looks else group
        several = st.lists(inner, min_size=1, max_size=3).map(gap.join)
        choice = st.lists(inner, min_size=2, max_size=3).map("|".join)
        return several | group | look | choice

    return st.recursive(st.builds(lambda text, times: text + times, item, QUANTIFIERS), larger, max_leaves=8)


TOKEN_ITEMS = st.sampled_from(
    ['"a"', '"A"i', "[]", '[lower != "a"]', "[form ~ /[ab]+/]", "[digit]", '[upper | form = "b"]', "[lower in some]"]
)
TOKEN_PATTERNS = _grown(TOKEN_ITEMS, ("(?=", "(?!", "(?<=", "(?<!"), " ") | st.just('^ "a"') | st.just('[] "b" $')
TEXT_ITEMS = st.sampled_from(["a", "b", ".", "[ab]", "[^a]", r"\d", r"\w", r"\b", " ", "-", "^", "$"])
REPEATED = TEXT_ITEMS.filter(lambda item: item not in r"\b^$")  # Python refuses to repeat a boundary
TEXT_PATTERNS = _grown(REPEATED, (), "") | st.lists(TEXT_ITEMS, min_size=1).map("".join)

PREFIX = 'lists.some = ["b", "c"]\n'


def _rules(key: str, patterns: list[str], rest: str = "") -> Rules | None:
    """Rules with a pattern each; None if one of them may match nothing."""
    tables = "".join(f"[[rule]]\nlabel = 'X'\n{rest}{key} = '''{pattern}'''\n" for pattern in patterns)
    try:
        return Rules.parse(PREFIX + tables)
    except ValueError as error:
        assert "may match nothing" in str(error)
        return None


@settings(max_examples=80, deadline=None)
@given(st.lists(TOKEN_PATTERNS, min_size=1, max_size=3), st.lists(st.lists(WORDS, max_size=7), min_size=1, max_size=3))
def test_token_patterns_match_what_the_reference_matches(patterns, sentences):
    rules = _rules("tokens", patterns)
    if rules is None:
        return
    tests = TokenConditions({"some": frozenset("bc")}, lambda field: None)
    parsed = [(tests.parse(pattern), number) for number, pattern in enumerate(patterns)]
    reader = FieldReader({})

    def is_like(expression: str, value: str) -> bool:
        return re.fullmatch(expression, value) is not None

    found = rules.matches([Sentence({"form": words}) for words in sentences])
    for words, matches in zip(sentences, found, strict=True):

        def passes(test: int, place: int, words: list[str] = words) -> bool:
            columns = {"form": words[place]}
            return holds(tests.conditions[test], lambda field: reader.values(field, columns), is_like)

        assert set(matches) == reference.token_matches(parsed, len(words), passes)


@settings(max_examples=80, deadline=None)
@given(
    st.lists(TEXT_PATTERNS, min_size=1, max_size=3),
    st.lists(st.tuples(WORDS, st.booleans()), max_size=6),
    st.sampled_from(["strict", "expand"]),
)
@example(["a "], [("a", True), ("", True)], "strict")
@example([" a"], [("", True), ("a", True)], "strict")
@example(["a|b b"], [("a-b", True), ("b", True)], "expand")
def test_regular_expressions_match_what_the_reference_matches(patterns, tokens, align):
    rules = _rules("text", patterns, f"align = '{align}'\n")
    if rules is None:
        return
    sets = CharacterSets()
    parsed = [(sets.parse(pattern), number) for number, pattern in enumerate(patterns)]
    words = [word for word, _ in tokens]
    spaces = [space for _, space in tokens]
    misc = ["_" if space else "SpaceAfter=No" for space in spaces]

    def passes(test: int, character: str) -> bool:
        return any(first <= ord(character) <= last for first, last in sets.sets[test])

    found = rules.matches([Sentence({"form": words, "misc": misc})])[0]
    assert set(found) == reference.text_matches(parsed, words, spaces, passes, align == "expand")


def test_categories_are_those_of_unicode():
    categories = [unicodedata.category(chr(code)) for code in range(0x30000)]
    for name in ("L", "Lu", "Nd", "Zs"):
        within = {code for first, last in category(name) for code in range(first, last + 1)}
        assert within & {*range(0x30000)} == {code for code, found in enumerate(categories) if found.startswith(name)}


@settings(max_examples=100, deadline=None)
@given(TEXT_PATTERNS, st.text("ab1 -", max_size=6))
def test_whole_expressions_match_as_those_of_python(pattern, text):
    wanted = [one for one in (pattern, ".b") if re.fullmatch(one, text, re.ASCII)]
    assert ExpressionList(compile_expressions([pattern, ".b"])).matching(text) == wanted


PHRASES = st.lists(st.sampled_from(["a", "b", "A", "a-b", "a b", "-"]), min_size=1, max_size=3).map(" ".join)


@settings(max_examples=80, deadline=None)
@given(
    st.lists(st.tuples(PHRASES, st.integers(0, 2)), min_size=1, max_size=6),
    st.lists(st.sampled_from(["a", "b", "A", "-", "a-", "-b", "a-b", "’"]), max_size=7),
    st.sampled_from(["strict", "expand"]),
)
def test_phrases_match_what_the_reference_matches(phrases, words, align):
    by_rule = [[phrase for phrase, rule in phrases if rule == number] for number in range(3)]
    table = f"[[rule]]\nlabel = 'X'\nalign = '{align}'\n"
    rules = Rules.parse("".join(f"{table}phrases = {listed or ['none such']}\n" for listed in by_rule))
    found = rules.matches([Sentence({"form": words})])[0]
    wanted, expanded = (reference.phrase_matches(phrases, words, expands) for expands in (False, True))
    assert set(found) == (expanded if align == "expand" else wanted)
    if align == "strict":
        is_covered = [any(w[0] <= m[0] and m[1] <= w[1] and w[2] == m[2] for w in wanted) for m in expanded]
        assert bool(rules.inside_token) >= (not all(is_covered))


def test_phrases_inside_tokens_take_time_in_proportion_to_the_length_of_a_sentence():
    rules = Rules.parse("[[rule]]\nlabel = 'X'\nphrases = ['York']\n")

    def seconds(times: int) -> float:
        sentence = Sentence({"form": ["York", "New-York"] * times})
        start = process_time()
        assert len(rules.matches([sentence])[0]) == times
        return process_time() - start

    short, long = (min(seconds(times) for _ in range(3)) for times in (4_000, 32_000))
    assert rules.inside_token
    assert long < 30 * short  # 8 times the tokens; 64 times the pairs of matches


@settings(max_examples=100, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 6), st.integers(1, 4), st.integers(0, 3)), max_size=8))
def test_overlaps_are_resolved_as_in_the_reference(found):
    matches = {(start, start + size, rule) for start, size, rule in found}
    priorities = [0, 2, 1, 2]
    assert without_overlaps(matches, priorities) == reference.without_overlaps(matches, priorities)


@pytest.mark.parametrize(("text", "wanted"), [("É", True), ("é", True), ("e", False)])
def test_letters_beyond_ascii(text, wanted):
    expressions = ExpressionList(compile_expressions(["(?i)é", r"\p{L}"]))
    assert expressions.matching(text) == [*(["(?i)é"] if wanted else []), r"\p{L}"]

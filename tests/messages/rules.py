"""What is said of a mistake in a file of rules, with its line and its place."""

from __future__ import annotations

from collections.abc import Callable

from message_calls import checked, of
from perceptag import Rules

RULE = "[[rule]]\nlabel = 'X'\ntokens = '\"a\"'\n"


def rules(text: str, message: str) -> tuple[Callable[[], object], str]:
    """Return a row about a file of rules."""
    return of(Rules.parse, text, "my.toml"), f"my.toml:{message}"


def tokens(pattern: str, message: str) -> tuple[Callable[[], object], str]:
    """Return a row about a pattern of tokens."""
    text = f"# a comment\n\n[[rule]]\nname = 'mine'\nlabel = 'X'\ntokens = '''{pattern}'''\n"
    return of(Rules.parse, text, "my.toml"), message


def expression(pattern: str, message: str) -> tuple[Callable[[], object], str]:
    """Return a row about a regular expression."""
    return of(Rules.parse, f"[[rule]]\nlabel = 'X'\ntext = '''{pattern}'''\n", "my.toml"), message


ROWS = checked(
    [
        rules("[[rule]\n", "1: expected TOML: "),
        rules("", " expected 1 to 100000 rules, each a table [[rule]]; found 0"),
        rules(RULE + "colour = 1\n", "4: rule 1: a rule has no key 'colour'; expected name, label,"),
        rules("colum = 'x'\n" + RULE, "1: a rule file has no key 'colum'; expected column, description, lists"),
        rules("[[rule]]\nname = 'a'\nlable = 'X'\n", "3: rule 'a': a rule has no key 'lable'; expected name"),
        rules("column = 'a b'\n" + RULE, "1: column: expected a name of letters"),
        rules("\n[[rule]]\ntokens = '\"a\"'\n", "2: rule 'rule-1': label: expected a word, found None"),
        rules(
            RULE.replace("'X'", "'B-PER'"),
            "2: rule 'B-PER-1': label: expected PER, to which B- and I- are added; found",
        ),
        rules("[[rule]]\nlabel = 'X'\n", "1: rule 'X-1': expected tokens, text or phrases, found none of them"),
        rules(RULE + "say = 'forse'\n", "4: rule 'X-1': say: expected one of force, suggest, forbid, feature; found"),
        rules(RULE + "weight = 2\n", "4: rule 'X-1': weight: only rules with say = \"suggest\" have one"),
        rules(RULE + "say = 'suggest'\nweight = nan\n", "5: rule 'X-1': weight: expected a number up to 1000000"),
        rules(RULE + "priority = 1.5\n", "4: rule 'X-1': priority: expected a whole number, found 1.5"),
        rules(RULE + "value = 'dates'\n", "4: rule 'X-1': value: expected one of address, date,"),
        rules(RULE + "by = 'shape'\nphrases = ['a']\n", "4: rule 'X-1': by: expected a column, or lower; found"),
        rules((RULE + "name = 'a'\n") * 2, "5: rule 'a': expected different names of rules, found this one in line 1"),
        rules(RULE + "phrases = { list = 'x' }\n", "4: rule 'X-1': phrases: expected a list of the file (no list)"),
        rules(
            RULE + "phrases = { file = '../x' }\n", "4: rule 'X-1': phrases: my.toml: file: expected a file below the"
        ),
        rules("[lists]\nmonths = ['may']\n" + RULE + "value = 'date'\n", "6: rule 'X-1': value: lists: months: "),
        rules("[lists]\na = 3\n" + RULE, "2: lists: a: expected a list of words, a table of words with values"),
        rules("rule = [{label = 'X', tokens = '\"a'}]\n", " rule 'X-1': tokens: character 1, before '\"a': expected"),
        tokens('"a" [lower', "my.toml:6: rule 'mine': tokens: character 5, before '[lower': expected ']', & or | in a"),
        tokens('"a" (', "character 5, before '(': expected ')' for this '(', found the end of the pattern"),
        tokens('"a" x', "character 5, before 'x': expected \"word\", [condition] or (group), found 'x'"),
        tokens("+", "character 1, before '+': expected something that '+' repeats before it"),
        tokens('"a"{3,1}', "expected {least,most} with least up to most, found {3,1}"),
        tokens('"a"{2000}', "expected at most 1000 times, found 2000"),
        tokens('"a"{1,', "expected a number of times, such as {2} or {1,3}"),
        tokens('"a"+?', "expected one quantifier, found another; a match is always the longest"),
        tokens('"a"?', "expected a pattern that matches at least one item, found one that may match nothing"),
        tokens("[lover = 'a']", 'expected a text in "quotation marks"'),
        tokens("[form.lover]", "character 2, before 'form.lover]': unknown attribute 'lover'; did you mean 'lower'?"),
        tokens(
            "[lower in towns]", "character 11, before 'towns]': expected a list of the file (no list), found 'towns'"
        ),
        tokens("[form ~ /a(/]", "character 11, before '(/]': expected ')' for this '(', found the end of the pattern"),
        tokens("<x>", "expected a named pattern (no pattern), found 'x'"),
        tokens("(" * 60 + '"a"' + ")" * 60, "expected at most 50 groups inside each other"),
        tokens(
            '(("a"{1000}){1000})',
            "expected a pattern of at most 10000 parts, with {least,most} written out; found more",
        ),
        tokens('(?x "a")', "expected a group such as ( … ) or (?= … ), (?! … ), (?<= … ), (?<! … )"),
        expression(r"(a)\1", r"\1: back-references are not offered, since they cannot be matched in linear time"),
        expression("a(?=b)", "(?=…): look-around is not offered in regular expressions; a pattern over tokens has it"),
        expression("(?<!b)a", "(?<!…): look-around is not offered"),
        expression(
            "(?P<n>a)", "expected (…), (?:…) or (?&name), or (?i) at the beginning; found another kind of group"
        ),
        expression("[a", "character 1, before '[a': expected ']' for this '[', found the end of the pattern"),
        expression("[z-a]", "expected a range such as a-z, found 'z-a'"),
        expression(r"\q", r"\q: expected one of \d \w \s \b \p \n \t \x, or a sign"),
        expression(r"\p{Foo}", r"\p: expected a Unicode category, such as \p{L} or \p{Lu}"),
        expression(r"\xZZ", "expected 2 hexadecimal digits, found 'ZZ'"),
        expression("a\\", r"expected a character after '\', found the end of the pattern"),
        expression(
            "a)", "my.toml:3: rule 'X-1': text: character 2, before ')': expected the end of the pattern, found ')'"
        ),
        expression(r"a\B", r"\B: not offered; expected \b, the edge of a word"),
        expression("(?&x)", "expected an expression or a list (none), found 'x'"),
        expression("(?&x", "expected ')' after the name of an expression or a list"),
    ]
)

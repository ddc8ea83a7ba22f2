"""Rule files: what they may say, and errors that name file, line, rule and place."""

import time

import pytest

from perceptag import DataError, Rules, Sentence

GOOD = "[[rule]]\nlabel = 'X'\ntokens = '\"a\"'\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[[rule]\n", "my.toml:1: expected TOML: "),
        ("", "my.toml: expected 1 to 100000 rules, each a table [[rule]]; found 0"),
        (GOOD + "colour = 1\n", "my.toml:4: rule 1: a rule has no key 'colour'; expected name, label,"),
        ("colum = 'x'\n" + GOOD, "my.toml:1: a rule file has no key 'colum'; expected column, description, lists"),
        ("[[rule]]\nname = 'a'\nlable = 'X'\n", "my.toml:3: rule 'a': a rule has no key 'lable'; expected name"),
        ("[[rule]]\nlable = 'X'\n", "value; did you mean 'label'?"),
        ("column = 'a b'\n" + GOOD, "my.toml:1: column: expected a name of letters"),
        ("\n[[rule]]\ntokens = '\"a\"'\n", "my.toml:2: rule 'rule-1': label: expected a word, found None"),
        (
            "[[rule]]\nlabel = 'B-PER'\ntokens = '\"a\"'\n",
            "my.toml:2: rule 'B-PER-1': label: expected PER, to which B- and I- are added; found 'B-PER'",
        ),
        ("[[rule]]\nlabel = 'X'\n", "my.toml:1: rule 'X-1': expected tokens, text or phrases, found none of them"),
        (
            GOOD + "say = 'forse'\n",
            "my.toml:4: rule 'X-1': say: expected one of force, suggest, forbid, feature; found",
        ),
        (GOOD + "weight = 2\n", "my.toml:4: rule 'X-1': weight: only rules with say = \"suggest\" have one"),
        (GOOD + "say = 'suggest'\nweight = nan\n", "my.toml:5: rule 'X-1': weight: expected a number up to 1000000"),
        (GOOD + "priority = 1.5\n", "my.toml:4: rule 'X-1': priority: expected a whole number, found 1.5"),
        (GOOD + "value = 'dates'\n", "my.toml:4: rule 'X-1': value: expected one of address, date,"),
        (GOOD + "by = 'shape'\nphrases = ['a']\n", "my.toml:4: rule 'X-1': by: expected a column, or lower; found 's"),
        (
            (GOOD + "name = 'a'\n") * 2,
            "my.toml:5: rule 'a': expected different names of rules, found this one in line 1",
        ),
        (GOOD + "phrases = { list = 'x' }\n", "my.toml:4: rule 'X-1': phrases: expected a list of the file (no list)"),
        (GOOD + "phrases = { file = '../x' }\n", "file: expected a file below the folder of the rule file, found '../"),
        (
            "[lists]\nmonths = ['may']\n" + GOOD + "value = 'date'\n",
            "my.toml:6: rule 'X-1': value: lists: months: ",
        ),
        ("[lists]\na = 3\n" + GOOD, "my.toml:2: lists: a: expected a list of words, a table of words with values"),
        (
            "rule = [{label = 'X', tokens = '\"a'}]\n",
            "my.toml: rule 'X-1': tokens: character 1, before '\"a': expected",
        ),
    ],
)
def test_a_file_that_cannot_be_used_says_where(text, message):
    with pytest.raises(DataError) as caught:
        Rules.parse(text, "my.toml")
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("pattern", "message"),
    [
        ('"a" [lower', "character 5, before '[lower': expected ']', & or | in a condition, found ''"),
        ('"a" (', "character 5, before '(': expected ')' for this '(', found the end of the pattern"),
        ('"a" x', "character 5, before 'x': expected \"word\", [condition] or (group), found 'x'"),
        ("+", "character 1, before '+': expected something that '+' repeats before it"),
        ('"a"{3,1}', "character 1, before '\"a\"{3,1}': expected {least,most} with least up to most, found {3,1}"),
        ('"a"{2000}', "expected at most 1000 times, found 2000"),
        ('"a"{1,', "expected a number of times, such as {2} or {1,3}"),
        ('"a"+?', "expected one quantifier, found another; a match is always the longest"),
        ('"a"?', "expected a pattern that matches at least one item, found one that may match nothing"),
        ("[lover = 'a']", 'expected a text in "quotation marks"'),
        ("[form.lover]", "character 2, before 'form.lover]': unknown attribute 'lover'; did you mean 'lower'?"),
        ("[lower in towns]", "character 11, before 'towns]': expected a list of the file (no list), found 'towns'"),
        ("[form ~ /a(/]", "character 11, before '(/]': expected ')' for this '(', found the end of the pattern"),
        ("<x>", "expected a named pattern (no pattern), found 'x'"),
        ("(" * 60 + '"a"' + ")" * 60, "expected at most 50 groups inside each other"),
        ('(("a"{1000}){1000})', "expected a pattern of at most 10000 parts, with {least,most} written out; found more"),
        ('(?x "a")', "expected a group such as ( … ) or (?= … ), (?! … ), (?<= … ), (?<! … )"),
    ],
)
def test_a_token_pattern_that_cannot_be_compiled_names_its_place(pattern, message):
    with pytest.raises(DataError) as caught:
        Rules.parse(f"# a comment\n\n[[rule]]\nname = 'mine'\nlabel = 'X'\ntokens = '''{pattern}'''\n", "my.toml")
    assert str(caught.value).startswith("my.toml:6: rule 'mine': tokens: ")
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("pattern", "message"),
    [
        (r"(a)\1", r"\1: back-references are not offered, since they cannot be matched in linear time"),
        ("a(?=b)", "(?=…): look-around is not offered in regular expressions; a pattern over tokens has it"),
        ("(?<!b)a", "(?<!…): look-around is not offered"),
        ("(?P<n>a)", "expected (…), (?:…) or (?&name), or (?i) at the beginning; found another kind of group"),
        ("[a", "character 1, before '[a': expected ']' for this '[', found the end of the pattern"),
        ("[z-a]", "expected a range such as a-z, found 'z-a'"),
        (r"\q", r"\q: expected one of \d \w \s \b \p \n \t \x, or a sign"),
        (r"\p{Foo}", r"\p: expected a Unicode category, such as \p{L} or \p{Lu}"),
        (r"\xZZ", "expected 2 hexadecimal digits, found 'ZZ'"),
        ("a\\", r"expected a character after '\', found the end of the pattern"),
        ("a)", "character 2, before ')': expected the end of the pattern, found ')'"),
        (r"a\B", r"\B: not offered; expected \b, the edge of a word"),
        ("(?&x)", "expected an expression or a list (none), found 'x'"),
        ("(?&x", "expected ')' after the name of an expression or a list"),
    ],
)
def test_a_regular_expression_that_cannot_be_compiled_names_its_place(pattern, message):
    with pytest.raises(DataError) as caught:
        Rules.parse(f"[[rule]]\nlabel = 'X'\ntext = '''{pattern}'''\n", "my.toml")
    assert str(caught.value).startswith("my.toml:3: rule 'X-1': text: character ")
    assert message in str(caught.value)


def test_named_patterns_and_expressions_are_used_and_refused_in_circles():
    rules = Rules.parse(
        "[patterns]\nn = '[digit]'\nm = '<n>+'\n[expressions]\nd = '[0-9]'\ndd = '(?&d)(?&d)'\n"
        "[lists]\nwords = ['Ab', 'c']\n"
        "[[rule]]\nlabel = 'M'\ntokens = '\"m\" <m>'\n"
        "[[rule]]\nlabel = 'D'\ntext = '(?i)(?&dd)(?&words)'\n"
    )
    assert [(s.start, s.end, s.label) for s in rules(["m", "1", "2", "12AB", "12d"])] == [(0, 5, "M")]
    assert [(s.start, s.end, s.label) for s in rules(["12AB", "12c", "1c"])] == [(0, 1, "D"), (1, 2, "D")]
    for table, key, form in (("patterns", "tokens", "<{}>"), ("expressions", "text", "(?&{})")):
        text = f"[{table}]\na = '{form.format('b')}'\nb = '{form.format('a')}'\n[[rule]]\nlabel = 'X'\n"
        with pytest.raises(DataError, match="do not contain themselves, found 'a' inside itself"):
            Rules.parse(f"{text}{key} = '{form.format('a')}'\n")
    with pytest.raises(DataError, match=r"pattern 'a', character 3: expected something that '\+' repeats"):
        Rules.parse("[patterns]\na = '  +'\n[[rule]]\nlabel = 'X'\ntokens = '<a>'\n")


def test_patterns_that_grow_without_end_are_refused_at_once():
    """Ten levels that each name the level below ten times would have ten thousand million parts."""
    levels = "".join(f"a{i + 1} = '{f'<a{i}>' * 10}'\n" for i in range(10))
    begin = time.process_time()
    for text in ('"a"', '("b"?)', '(?<= "a")'):
        with pytest.raises(DataError, match="at most 10000 parts"):
            Rules.parse(f"[patterns]\na0 = '{text}'\n{levels}[[rule]]\nlabel = 'X'\ntokens = '<a10>'\n")
    assert time.process_time() - begin < 5


CATASTROPHES = ["(a*)*b", "(a|a)*b", "(a|aa)+b", "(a+)+b", "(.*)(.*)(.*)(.*)b", "(a?){30}a{30}b"]


@pytest.mark.parametrize("pattern", CATASTROPHES)
def test_catastrophic_patterns_take_steps_in_proportion_to_the_text(pattern):
    steps = []
    for size in (200, 400):
        rules = Rules.parse(f"[[rule]]\nlabel = 'X'\ntext = '{pattern}'\n")
        rules([*["a" * size], "b"])
        rules(["a" * size + "b"] * 2)
        steps.append(rules.steps)
    assert steps[0] > 200
    assert steps[1] < 2.1 * steps[0]


def test_steps_grow_in_proportion_to_text_and_rules():
    def steps(sentences: int, rules: int) -> int:
        text = "".join(f'[[rule]]\nlabel = \'X{i}\'\ntokens = \'"a" [] "b" | [digit]+ "c"\'\n' for i in range(rules))
        made = Rules.parse(text)
        made.matches([Sentence({"form": list("axb12cab")})] * sentences)
        return made.steps

    assert steps(20, 1) == 10 * steps(2, 1) > 0
    assert steps(2, 10) == 10 * steps(2, 1)


def test_phrases_come_from_files_and_those_that_are_too_long_are_refused(tmp_path):
    (tmp_path / "my.toml").write_text("[[rule]]\nlabel = 'CITY'\nphrases = { file = 'cities.txt' }\n")
    (tmp_path / "cities.txt").write_text("New York\n\nParis\n")
    rules = Rules.load(tmp_path / "my.toml")
    assert rules.phrases == 2
    assert [(s.start, s.end) for s in rules(["New", "York", ",", "Paris"])] == [(0, 2), (3, 4)]
    (tmp_path / "cities.txt").write_text("Paris\n" + "a " * 101)
    with pytest.raises(DataError, match="expected phrases of at most 100 words and signs; found 1 longer ones"):
        Rules.load(tmp_path / "my.toml")
    (tmp_path / "cities.txt").unlink()
    with pytest.raises(DataError, match=r"my\.toml:3: rule 'CITY-1': phrases: .*cities\.txt"):
        Rules.load(tmp_path / "my.toml")


def test_contradictions_are_told_with_an_example():
    rules = Rules.parse(
        "[[rule]]\nname = 'a'\nlabel = 'ORG'\nphrases = ['Paris']\n\n"
        "[[rule]]\nname = 'b'\nlabel = 'LOC'\nphrases = ['Paris']\n",
        "my.toml",
    )
    assert [(s.rule, s.label) for s in rules(["Paris"])] == [("a", "ORG")]
    assert rules.contradiction == (
        "my.toml:1: rule 'a' and rule 'b' (line 6) contradict each other on 'Paris': force ORG, force LOC; "
        "one of them needs a higher priority"
    )
    decided = Rules.parse(
        "[[rule]]\nlabel = 'ORG'\nphrases = ['Paris']\n[[rule]]\nlabel = 'LOC'\npriority = 1\nphrases = ['Paris']\n"
    )
    assert [s.label for s in decided(["Paris"])] == ["LOC"]
    assert decided.contradiction == ""


def test_what_rules_say_to_a_tagger_and_to_a_model():
    rules = Rules.parse(
        "[[rule]]\nname = 'f'\nlabel = 'A'\ntokens = '\"a\" \"b\"'\n"
        "[[rule]]\nname = 's'\nlabel = 'B'\nsay = 'suggest'\nweight = 2.5\ntokens = '\"b\" | \"c\"'\n"
        "[[rule]]\nname = 'n'\nlabel = 'B'\nsay = 'forbid'\ntokens = '\"c\" (?= \"d\")'\n"
        "[[rule]]\nname = 'x'\nlabel = 'C'\nsay = 'feature'\ntokens = '\"d\"'\n"
    )
    sentence = Sentence({"form": ["a", "b", "c", "d", "c"]})
    assert [(s.start, s.end, s.rule) for s in rules(sentence)] == [(0, 2, "f"), (3, 4, "x"), (4, 5, "s")]
    assert rules.tag([sentence]) == [["B-A", "I-A", "O", "B-C", "B-B"]]
    said = rules.constraints([sentence])[0]
    assert [(s.start, s.end, s.label, s.say, s.weight) for s in said] == [
        (0, 2, "A", "force", 0.0),
        (1, 2, "B", "suggest", 2.5),
        (2, 3, "B", "suggest", 2.5),
        (2, 3, "B", "forbid", 0.0),
        (3, 4, "C", "feature", 0.0),
        (4, 5, "B", "suggest", 2.5),
    ]


def test_conditions_on_columns_need_them():
    rules = Rules.parse("[[rule]]\nlabel = 'X'\ntokens = '[upos = \"NOUN\" & lower != \"a\"]'\n")
    assert rules.columns == ["form", "upos"]
    found = rules(Sentence({"form": ["A", "dog", "ran"], "upos": ["NOUN", "NOUN", "VERB"]}))
    assert [(s.start, s.end) for s in found] == [(1, 2)]
    with pytest.raises(DataError, match="expected the column 'upos', which the rules look at; found form"):
        rules(["a"])
    with pytest.raises(DataError, match="sentence 0: expected a list of tokens, found 'a dog'"):
        rules("a dog")


def test_a_list_with_values_is_an_attribute(tmp_path):
    (tmp_path / "class3.txt").write_text("dog\t2\ncat\t2\nthe\t0\nnone\n")
    path = tmp_path / "my.toml"
    pattern = 'tokens = \'[class3 = "0"]? [lower.class3 = "2"] [!class3]\''
    path.write_text(f'[lists]\nclass3 = {{ file = "class3.txt" }}\n[[rule]]\nlabel = "X"\n{pattern}\n')
    found = Rules.load(path)(["the", "Dog", "none", "cat", "dog", "it"])
    assert [(span.start, span.end) for span in found] == [(0, 3), (4, 6)]
    with pytest.raises(DataError, match="class4"):
        Rules.parse("[lists]\nclass3 = { dog = 2 }\n[[rule]]\nlabel = 'X'\ntokens = '[lower.class4 = \"2\"]'\n")

"""Rule files: what they may say, and what is refused; tests/messages has the messages about single lines."""

import time

import pytest

from perceptag import DataError, Rules, Sentence


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

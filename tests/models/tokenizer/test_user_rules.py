"""Rules of the user: strings that are never or always split, and the meaning of line ends."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from perceptag import ModelError, Pipeline, SettingError, Tokenizer
from perceptag.cli.tokenize import tokenize
from perceptag.models import model_file
from perceptag.models.tokenizer.user_rules import read_rules
from text_toys import shipped_tokenizer


def words(tokenizer: Tokenizer, text: str) -> list[list[str]]:
    return [[token.text for token in sentence] for sentence in tokenizer(text)]


def flat(tokenizer: Tokenizer, text: str) -> list[str]:
    return [word for sentence in words(tokenizer, text) for word in sentence]


def test_a_string_is_never_split() -> None:
    text = "I see books. They see mybooks."
    plain = shipped_tokenizer()
    assert "books." not in flat(plain, text)
    found = flat(plain.with_rules(never_split=["books."]), text)
    assert found.count("books.") == 1
    assert "mybooks." not in found  # there it does not stand by itself


@pytest.mark.parametrize("lines", ["auto", "sentence"])
def test_no_sentence_ends_with_a_string_that_is_never_split_and_has_a_full_stop(lines: str) -> None:
    text = "I see books. They see books.\n\nThey see books. We see books.\nWe see."
    plain = shipped_tokenizer().with_rules(lines=lines)
    assert [sentence[-1] for sentence in words(plain, text)] == ["."] * 5
    found = [sentence[-1] for sentence in words(plain.with_rules(never_split=["books."]), text)]
    line_end = ["books."] if lines == "sentence" else []
    assert found == ["books.", *line_end, "."]  # at the end of the paragraph, and of the last one


def test_a_string_with_white_space_is_one_token() -> None:
    tokenizer = shipped_tokenizer().with_rules(never_split=["New York"])
    assert "New  York" in flat(tokenizer, "He lives in New  York now.")
    assert "New" in flat(tokenizer, "He lives in New\nYork now.")


def test_a_string_is_always_split() -> None:
    tokenizer = shipped_tokenizer().with_rules(always_split=["foo bar", "/"])
    assert flat(tokenizer, "A foobar here.")[1:3] == ["foo", "bar"]
    assert flat(tokenizer, "x/y foobars")[:3] == ["x", "/", "y"]
    assert "foo" not in flat(tokenizer, "Some foobars here.")


def test_of_several_strings_the_longest_is_used() -> None:
    tokenizer = shipped_tokenizer().with_rules(never_split=["a+b", "a+b+c"], always_split=["a + b + c + d"])
    assert flat(tokenizer, "a+b+c a+b a+b+c+d") == ["a+b+c", "a+b", "a", "+", "b", "+", "c", "+", "d"]


strings = st.lists(st.text(alphabet="ab.- /", min_size=1, max_size=4).filter(str.strip), max_size=4)


@given(
    st.text(alphabet="ab.-/ \n", max_size=60),
    strings,
    strings,
    st.sampled_from(["auto", "space", "sentence", "paragraph"]),
)
@settings(max_examples=80, deadline=None)
def test_tokens_cover_the_text_whatever_the_rules(text: str, never: list[str], always: list[str], lines: str) -> None:
    tokenizer = shipped_tokenizer().with_rules(never_split=never, always_split=always, lines=lines)
    tokens = [token for sentence in tokenizer(text) for token in sentence]
    assert all(text[token.start : token.end] == token.text for token in tokens)
    assert "".join("".join(token.text.split()) for token in tokens) == "".join(text.split())


def test_line_ends() -> None:
    text = "one two\nthree four\nfive"
    counts = {lines: len(words(shipped_tokenizer().with_rules(lines=lines), text)) for lines in ("space", "sentence")}
    assert counts["sentence"] == 3
    assert counts["space"] == len(words(shipped_tokenizer(), text.replace("\n", " ")))
    passage = shipped_tokenizer().with_rules(lines="paragraph").tokenize(text)
    assert [sentence.starts_paragraph for sentence in passage.sentences] == [True] * 3


@pytest.mark.parametrize("bullet", ["- ", "* ", "• ", "1. ", "(a) ", "12) "])
def test_bullets_are_paragraphs(bullet: str) -> None:
    text = f"We need\n{bullet}milk and bread\n{bullet}some tea\n  {bullet}two eggs"
    starts = [s.tokens[0].start for s in shipped_tokenizer().tokenize(text).sentences if s.starts_paragraph]
    assert starts == [0, *(place for place in range(len(text)) if text.startswith(bullet, place))]


def test_a_heading_is_a_paragraph_and_wrapped_text_is_not_cut() -> None:
    heading = "Results of the year\nWe sold more books than in any year before, and fewer pens than last year."
    starts = [s.tokens[0].text for s in shipped_tokenizer().tokenize(heading).sentences if s.starts_paragraph]
    assert starts == ["Results", "We"]
    wrapped = (
        "We sold more books than ever in the old town of\nParis than in any other town that we know of and\nLondon"
    )
    assert sum(s.starts_paragraph for s in shipped_tokenizer().tokenize(wrapped).sentences) == 1


def test_rules_are_kept_by_files_pickles_and_pipelines(tmp_path: Path) -> None:
    tokenizer = shipped_tokenizer().with_rules(never_split=["a+b"], lines="sentence")
    tokenizer.save(tmp_path / "tok.model")
    Pipeline([tokenizer]).save(tmp_path / "all.pipeline")
    again = [Tokenizer.load(tmp_path / "tok.model"), pickle.loads(pickle.dumps(tokenizer))]
    for one in again:
        assert words(one, "a+b\nc") == [["a+b"], ["c"]]
    opened = Pipeline.load(tmp_path / "all.pipeline")
    assert opened.tokenizer is not None
    assert opened.tokenizer.rules == tokenizer.ready_model.rules
    more = opened.with_rules(never_split=["c+d"])
    assert more.tokenizer is not None
    assert more.tokenizer.rules.never == ("a+b", "c+d")
    assert more.tokenizer.rules.lines == "sentence"
    assert "rules" not in shipped_tokenizer().model_.facts  # such a model has the bytes that it had before


def test_rules_of_files_and_their_errors(tmp_path: Path) -> None:
    (tmp_path / "never.txt").write_text("a+b\n\n  New   York \n")
    rules = read_rules([str(tmp_path / "never.txt")], [])
    assert rules.never == ("a+b", "New York")
    (tmp_path / "long.txt").write_text("x\n" + "y" * 2000)
    with pytest.raises(Exception, match=r"long\.txt:2.*at most 1000 characters, found 2000"):
        read_rules([str(tmp_path / "long.txt")], [])
    with pytest.raises(SettingError, match="lines: expected one of auto, space, sentence, paragraph, found 'word'"):
        shipped_tokenizer().with_rules(lines="word")
    with pytest.raises(SettingError, match="never_split: expected a list of strings, found 'a'"):
        shipped_tokenizer().with_rules(never_split="a")


def test_damaged_rules_are_refused() -> None:
    model = shipped_tokenizer().with_rules(never_split=["a"]).model_
    model.facts["rules"] = {"never": "a"}
    with pytest.raises(ModelError, match=r"facts\.rules: never_split: expected a list"):
        Tokenizer.from_model(model_file.load_bytes(model_file.to_bytes(model)[0]))


def test_the_command_takes_them(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from perceptag.cli import main

    shipped_tokenizer().save(tmp_path / "tok.model")
    (tmp_path / "never.txt").write_text("a+b\n")
    (tmp_path / "in.txt").write_text("a+b\nc\n")
    common = ["tokenize", "--model", str(tmp_path / "tok.model"), str(tmp_path / "in.txt"), "--to", "text"]
    assert main([*common, "--never-split", str(tmp_path / "never.txt"), "--lines", "sentence"]) in (None, 0)
    assert capsys.readouterr().out == "a+b\nc\n"
    assert tokenize(str(tmp_path / "tok.model"), str(tmp_path / "in.txt"), str(tmp_path / "out")) > 0


def test_rules_say_whether_anything_is_decided() -> None:
    assert not read_rules([], [])
    assert read_rules([], []).to_facts() == {}
    [facts] = read_rules([], [], "sentence").to_facts().values()
    assert facts == {"lines": "sentence"}

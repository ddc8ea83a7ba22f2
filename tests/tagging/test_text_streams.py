"""Running text as a stream: what ends a document, and when it is answered."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from command_line import check, run, succeed
from perceptag import Pipeline, SettingError
from perceptag.pipeline.text_documents import DocumentRule, document_rule, passages
from perceptag.text import read_conllu
from perceptag.text.raw_text import parts
from pipelines import TEXT, over_documents, whole
from text_toys import shipped_tokenizer

PARAGRAPHS = ["London lost. LONDON won.", "Angela Merkel stayed.", "It rained in london.", "Harwick met.", "A dog."]
SPACES = st.sampled_from(["\n", "\n\n", "\r\n", "\r", " ", "\f", "\n\f\n", "\n \n", "a", "London. ", "b c"])


class Slow(io.RawIOBase):
    """A stream that gives one piece at a time, and records how many were asked for."""

    def __init__(self, pieces: list[str]) -> None:
        self.pieces = [piece.encode() for piece in pieces]
        self.given = 0

    def read1(self, size: int = -1) -> bytes:
        del size
        self.given += 1
        return self.pieces[self.given - 1] if self.given <= len(self.pieces) else b""

    read = read1  # type: ignore[assignment]


@pytest.mark.parametrize("pipeline", [whole, over_documents])
@pytest.mark.parametrize("documents", ["blank-line", 1])
def test_a_paragraph_is_answered_before_the_next_one_is_read(pipeline, documents: str | int) -> None:
    source = Slow([f"{paragraph}\n\n" for paragraph in PARAGRAPHS])
    seen: dict[str, int] = {}
    for document in pipeline().stream(source, documents=documents):
        for sentence in document:
            seen[sentence.text] = source.given
    last = [paragraph.rpartition(". ")[2] for paragraph in PARAGRAPHS]
    expected = {text: n for n, text in enumerate(last, 1)}
    assert {text: seen[text] for text in last} == expected


def test_two_sentences_are_answered_when_the_second_is_there() -> None:
    source = Slow([f"{paragraph}\n\n" for paragraph in PARAGRAPHS[1:]])
    found = [([str(s) for s in document], source.given) for document in over_documents().stream(source, documents=2)]
    assert found == [(PARAGRAPHS[1:3], 2), (PARAGRAPHS[3:5], 4)]


def test_a_mark_ends_a_document_at_once() -> None:
    source = Slow([f"{paragraph}\n\n\f\n" for paragraph in PARAGRAPHS])
    found = [(document.text, source.given) for document in over_documents().stream(source)]
    assert found == [(f"{paragraph}\n\n\f\n", n) for n, paragraph in enumerate(PARAGRAPHS, 1)]


def test_marked_documents_do_not_see_each_other() -> None:
    nlp = over_documents()
    text = "\n\f\n".join(PARAGRAPHS)
    single = [sentence for paragraph in PARAGRAPHS for sentence in nlp(paragraph)]
    together = nlp(text)
    assert [[w.ner for w in s.words] for s in together] == [[w.ner for w in s.words] for s in single]
    by_blank_lines = nlp.stream(io.StringIO("\n\n".join(PARAGRAPHS)), documents="blank-line")
    assert [[w.ner for w in s.words] for d in by_blank_lines for s in d] == [[w.ner for w in s.words] for s in single]


def test_a_form_feed_in_a_line_of_text_is_not_a_mark() -> None:
    found = passages(shipped_tokenizer().ready_model, ["London lost.\n\fLondon won.\n\n\fLondon met. \f It rained."])
    assert [s.starts_document for p in found for s in p.sentences] == [True, False, False, False]


def documents_of(text: str, rule: DocumentRule) -> list[list[str]]:
    found: list[list[str]] = []
    for passage in passages(shipped_tokenizer().ready_model, [text], rule):
        for sentence in passage.sentences:
            if sentence.starts_document:
                found.append([])
            found[-1].append(passage.between(sentence.tokens[0].start, sentence.tokens[-1].end))
    return found


def test_documents_by_rule() -> None:
    text = "A dog. It rained.\n\nLondon lost. London won.\n\n\f\nHarwick met."
    one, two, three = ["A dog.", "It rained."], ["London lost.", "London won."], ["Harwick met."]
    assert documents_of(text, document_rule("mark")) == [one + two, three]
    assert documents_of(text, document_rule("blank-line")) == [one, two, three]
    assert documents_of(text, document_rule(3)) == [one + two[:1], two[1:], three]
    assert documents_of(text, document_rule("1")) == [[s] for s in one + two + three]


@pytest.mark.parametrize("wrong", ["paragraph", 0, -1, True, 1.5, "0"])
def test_other_rules_are_refused(wrong: object) -> None:
    with pytest.raises(SettingError, match="documents: expected mark, blank-line or a number of sentences, found"):
        document_rule(wrong)


@pytest.mark.parametrize("at_once", [False, True])
@given(st.lists(SPACES, max_size=12), st.integers(1, 5))
@settings(max_examples=150, deadline=None)
def test_cuts_depend_on_the_text_alone(at_once: bool, pieces: list[str], size: int) -> None:
    text = "".join(pieces)

    def cut(blocks: list[str]) -> list[str]:
        return list(parts(blocks, at_once))

    in_pieces = cut([text[i : i + size] for i in range(0, len(text), size)])
    in_letters = cut(list(text))
    assert "".join(in_pieces) == "".join(in_letters) == text
    if at_once:
        assert in_pieces == in_letters == cut([text])
    assert _ends(cut([text])) <= _ends(in_pieces) <= _ends(in_letters)


def test_a_line_is_answered_when_it_is_there_if_lines_are_paragraphs() -> None:
    came: list[str] = []

    def blocks() -> Iterator[str]:
        for block in ("Anna sings.\n", "Bo", "b left.\r", "\nEva \n\n", "stays."):
            came.append(block)
            yield block

    answered = [(part, len(came)) for part in parts(blocks(), at_once=True, by_line=True)]
    assert answered == [("Anna sings.\n", 1), ("Bob left.\r\n", 4), ("Eva \n", 4), ("\nstays.", 5)]


def _ends(found: list[str]) -> set[int]:
    return {sum(map(len, found[:i])) for i in range(len(found) + 1)}


# ------------------------------------------------------------------------------------------ command line


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("model") / "names.model"
    over_documents().save(path)
    return path


def test_options_for_documents(model: Path, tmp_path: Path) -> None:
    text = "\n\n".join(PARAGRAPHS).encode()
    one_by_one = "".join(succeed("tag", "-m", model, "--to", "inline", stdin=p.encode()).out for p in PARAGRAPHS)
    for options in (["--batch", 1], ["--documents", "blank-line"]):
        assert succeed("tag", "-m", model, "--to", "inline", *options, stdin=text).out == one_by_one
    assert "every paragraph is labelled as a document" in succeed("tag", "-m", model, "--batch", 1, stdin=text).err
    same = succeed("tag", "-m", model, "--batch", 1, "--documents", "mark", stdin=text)
    assert (same.out, same.err) == (succeed("tag", "-m", model, stdin=text).out, "")
    marked = succeed("tag", "-m", model, "--to", "conllu", "--documents", 2, stdin=text).out
    starts = [s.starts_document for s in read_conllu(io.StringIO(marked))]
    assert starts == [True, False, True, False, True, False]
    check(
        run("tag", "-m", model, "--documents", "page", stdin=text), "--documents: expected mark, blank-line or a numb"
    )
    columns = tmp_path / "in.conll"
    columns.write_text("London\n")
    words = ("tag", "-m", model, "--format", "columns", "--documents", "mark", columns)
    check(run(*words), "--documents: expected running text, found")


def test_the_golden_text_is_one_document() -> None:
    assert [s.starts_document for s in _sentences(whole(), TEXT)] == [True, False, False]


def _sentences(nlp: Pipeline, text: str) -> list:
    return [s for p in nlp.passages(io.StringIO(text)) for s in p.sentences]

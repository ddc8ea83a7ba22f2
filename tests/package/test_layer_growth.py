"""What surrounds a model takes steps that grow no faster than linearly: tokens, labels, scores, JSON, training."""

from __future__ import annotations

import io
import json
from collections.abc import Callable

import pytest

from perceptag import Sentence
from perceptag.evaluation import evaluate
from perceptag.features.document_columns import numbered_columns
from perceptag.features.gazetteer import Gazetteer
from perceptag.labels import schemes
from pipelines import over_documents, whole
from reference.document_columns import COLUMNS, document_column
from steps import ALLOWED, growth

pytestmark = pytest.mark.every

RUNNING: dict[str, Callable[[int], str]] = {  # texts of n characters
    "an address": lambda n: "http://a.example/" + "x/y?" * (n // 4),
    "one run": lambda n: "a" * n,
    "brackets": lambda n: "(" * n,
    "quotes": lambda n: "\"'" * (n // 2),
    "dots": lambda n: "." * n,
    "numbers": lambda n: "1," * (n // 2),
    "combining marks": lambda n: "e\u0301" * (n // 2),
    "one word": lambda n: "0 " * (n // 2),
    "white space": lambda n: " " * n + "a",
    "line ends": lambda n: "\n" * n + "a",
    "sentences": lambda n: "Angela met Bob. " * (n // 16),
    "paragraphs": lambda n: "a.\n\n" * (n // 4),
}
LABELS: dict[str, Callable[[int], list[str]]] = {
    "single tokens": lambda n: ["B-X"] * n,
    "one span": lambda n: ["B-X"] + ["I-X"] * (n - 1),
    "spans apart": lambda n: ["B-X", "O"] * (n // 2),
    "broken": lambda n: ["I-X", "I-Y"] * (n // 2),
}


@pytest.mark.parametrize("text", RUNNING)
def test_documents_and_their_json(text: str) -> None:
    def work(part: str) -> None:
        for pipeline in (whole(), over_documents()):
            found = pipeline(part)
            json.dumps(found.to_dict())
            assert str(found) is not None
            assert found._repr_html_()

    assert growth(work, RUNNING[text], 500) <= ALLOWED


@pytest.mark.parametrize("text", RUNNING)
def test_streams(text: str) -> None:
    assert growth(lambda part: list(whole().stream(io.StringIO(part))), RUNNING[text], 500) <= ALLOWED


@pytest.mark.parametrize("labels", LABELS)
@pytest.mark.parametrize("target", schemes.ALL_SCHEMES)
def test_label_schemes(labels: str, target: str) -> None:
    def work(part: list[str]) -> None:
        schemes.spans(schemes.convert(part, target), target)
        list(schemes.violations(part, "IOB2"))
        schemes.repair(part, "IOB2")

    assert growth(work, LABELS[labels], 500) <= ALLOWED


@pytest.mark.parametrize("labels", LABELS)
def test_scores(labels: str) -> None:
    def one_sentence(part: list[str]) -> None:
        evaluate([part], [part[::-1]])

    def many_sentences(part: list[str]) -> None:
        evaluate([[y] for y in part], [[y] for y in part[::-1]])

    assert growth(one_sentence, LABELS[labels], 500) <= ALLOWED
    assert growth(many_sentences, LABELS[labels], 500) <= ALLOWED


@pytest.mark.parametrize("words", [["a"], ["a", "b"]])
def test_gazetteers(words: list[str]) -> None:
    lists = Gazetteer({"long": {tuple(words * 20)}, "overlapping": {("a",) * k for k in range(1, 20)}})
    assert growth(lists.match, lambda n: words * (n // len(words)), 500) <= ALLOWED


def long_sentence(n: int) -> list[Sentence]:
    return [Sentence({"form": ["Germany"] * n}, starts_document=True)]


def many_sentences(n: int) -> list[Sentence]:
    return [Sentence({"form": ["Germany", "A"]}, starts_document=i == 0) for i in range(n // 2)]


@pytest.mark.parametrize("make", [long_sentence, many_sentences])
@pytest.mark.parametrize("column", COLUMNS)
def test_document_columns(column: str, make: Callable[[int], list[Sentence]]) -> None:
    assert growth(lambda text: document_column(column, text), make, 400) <= ALLOWED
    assert growth(lambda text: numbered_columns([column], text), make, 400) <= ALLOWED

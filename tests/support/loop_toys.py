"""A small project that a model can learn: names after "in" are places, names after "Mr" are persons."""

from __future__ import annotations

from perceptag.project.records import LabelledSentence
from perceptag.workbench.learning.messages import Example, Text

PLACES = ("Rome", "Paris", "Oslo", "Lima", "Cairo", "Quito")
PEOPLE = ("Smith", "Jones", "Brown", "Clark", "Lewis", "Young")
VERBS = ("lives", "works", "sleeps", "sings")


def sentence(i: int) -> tuple[list[str], list[str]]:
    """Sentence number `i` and its labels; every third has a person, every second a place."""
    tokens, labels = [VERBS[i % 4]], ["O"]
    if i % 3 == 0:
        tokens, labels = ["Mr", PEOPLE[i // 3 % 6], *tokens], ["O", "B-PER", *labels]
    if i % 2 == 0:
        tokens, labels = [*tokens, "in", PLACES[i // 2 % 6]], [*labels, "O", "B-LOC"]
    return [*tokens, f"no{i % 7}"], [*labels, "O"]


def text(i: int) -> Text:
    return Text(i, sentence(i)[0])


def example(i: int, in_sample: bool = True) -> Example:
    return Example(text(i), sentence(i)[1], order=i, in_sample=in_sample)


def examples(n: int) -> list[Example]:
    return [example(i) for i in range(1, n + 1)]


def logged(i: int, labels: list[str] | None = None, revision: int = 0) -> LabelledSentence:
    tokens, own = sentence(i)
    given = own if labels is None else labels
    return LabelledSentence(i, tokens, {}, given, i, revision or i, rank=i, document=i, in_sample=True)

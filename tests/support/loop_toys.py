"""A small project that a model can learn: names after "in" are places, names after "Mr" are persons."""

from __future__ import annotations

from dataclasses import dataclass, field

from perceptag.workbench.learning.examples import Example, Text

PLACES = ("Rome", "Paris", "Oslo", "Lima", "Cairo", "Quito")
PEOPLE = ("Smith", "Jones", "Brown", "Clark", "Lewis", "Young")
VERBS = ("lives", "works", "sleeps", "sings")


@dataclass(frozen=True)
class Logged:
    """A labelled sentence as the log of a project has it."""

    sentence_id: int
    tokens: list[str]
    labels: list[str]
    first_revision: int
    revision: int
    in_sample: bool = True
    columns: dict[str, list[str]] = field(default_factory=dict)


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


def logged(i: int, labels: list[str] | None = None, revision: int = 0) -> Logged:
    tokens, own = sentence(i)
    return Logged(i, tokens, own if labels is None else labels, i, revision or i)

"""A small corpus of names with regular labels, so that a spoilt label stands out."""

from __future__ import annotations

from dataclasses import replace

from perceptag.text import Sentence

PEOPLE = ("Anna Berg", "Otto Lang", "Ida Krag", "Paul Voss", "Nora Dahl", "Hugo Stern", "Vera Holt", "Emil Brandt")
TOWNS = ("Lund", "Riga", "Turku", "Malmo", "Bergen", "Tartu", "Vaasa", "Oslo")


def sentence(text: str, number: int = 0) -> Sentence:
    """``"Anna/B-PER sleeps"``: a word without a slash is outside spans."""
    pairs = [(word, label or "O") for word, _, label in (token.partition("/") for token in text.split())]
    return Sentence({"form": [w for w, _ in pairs], "label": [y for _, y in pairs]}, "toy.txt", 10 * number + 1)


def names() -> list[Sentence]:
    """64 sentences: each person in each town."""
    found = []
    for i, person in enumerate(PEOPLE):
        for j, town in enumerate(TOWNS):
            first, last = person.split()
            verb = ("lives", "works", "studied", "slept")[(i + j) % 4]
            text = f"{first}/B-PER {last}/I-PER {verb} in {town}/B-LOC ."
            found.append(sentence(text, len(found)))
    return found


def relabelled(sentences: list[Sentence], number: int, labels: str) -> list[Sentence]:
    """The sentences with other labels for one of them, separated by spaces."""
    columns = {**sentences[number].columns, "label": labels.split()}
    return [*sentences[:number], replace(sentences[number], columns=columns), *sentences[number + 1 :]]

"""lattice.svg: every label of every word, and the path that Viterbi search finds.

A model of noun phrases (Collins 2002) learns from the news stories in the package. The number in a circle says how much
the best labelling through it scores below the best of all: it comes from the list of all labellings and their scores.
"""

from __future__ import annotations

from functools import cache
from itertools import product

from drawing import circle, line, picture, words
from news import sentence, sentences

from perceptag import Sentence, Tagger

LABELS = ("B-NP", "I-NP", "O")
_LEFT, _TOP, _DOWN = 78, 62, 62
Labelling = tuple[tuple[str, ...], float]  # its labels and its score


@cache
def chunker() -> Tagger:
    """A model that marks noun phrases."""
    return Tagger("collins-np", labels_keep=["NP"], labels_column="chunk", epochs=3).fit(sentences("train"))


def labellings(chosen: Sentence) -> list[Labelling]:
    """All labellings of a sentence, the best one first."""
    number = len(LABELS) ** len(chosen.columns["form"])
    return [(tuple(labels), score) for labels, score in chunker().predict_nbest([chosen], n=number)[0]]


def through(found: list[Labelling], places: dict[int, str]) -> float:
    """How much the best labelling with these labels at these places scores below the best of all."""
    return found[0][1] - max(s for labels, s in found if all(labels[t] == y for t, y in places.items()))


def grid(found: list[Labelling], left: float, top: float, across: float, down: float, radius: float) -> list[str]:
    """Circles for the labels of each word, lines between them, and the best path."""
    best = found[0][0]

    def place(t: int, label: str) -> tuple[float, float]:
        return left + t * across, top + LABELS.index(label) * down

    pairs = [(t, a, b) for t in range(len(best) - 1) for a, b in product(LABELS, repeat=2) if possible(found, t, a, b)]
    parts = [line([place(t, a), place(t + 1, b)]) for t, a, b in pairs]
    parts.append(line([place(t, label) for t, label in enumerate(best)], "best"))
    for t, label in product(range(len(best)), LABELS):
        x, y = place(t, label)
        parts.append(circle(x, y, radius, "full" if best[t] == label else "box"))
    return parts


def possible(found: list[Labelling], t: int, a: str, b: str) -> bool:
    """Whether some labelling has these two labels in a row: a phrase cannot go on before it has begun."""
    return any(labels[t] == a and labels[t + 1] == b for labels, _ in found)


def draw() -> dict[str, str]:
    """The files, by their names."""
    chosen = sentence("dev", "Aldermoor gets")
    found = labellings(chosen)
    forms = chosen.columns["form"]
    across = (400 - _LEFT - 24) / (len(forms) - 1)
    parts = [words(200, 20, "Which label has each word?", "bold", "middle")]
    parts += grid(found, _LEFT, _TOP + 20, across, _DOWN, 20)
    parts += [words(8, _TOP + 24 + i * _DOWN, label) for i, label in enumerate(LABELS)]
    for t, form in enumerate(forms):
        x = _LEFT + t * across
        parts.append(words(x, 46, form, "small" if len(form) > 8 else "", "middle"))
        for i, label in enumerate(LABELS):
            cost = through(found, {t: label}) if any(y[t] == label for y, _ in found) else None
            look = "small on" if cost == 0 else "small"
            said = "–" if cost is None else f"−{cost:.1f}" if cost else "best"
            parts.append(words(x, _TOP + 24 + i * _DOWN, said, look, "middle"))
    low = _TOP + 20 + 3 * _DOWN
    parts.append(
        words(8, low, f"{len(found)} labellings are possible. The best scores {found[0][1]:.1f}.", "small soft")
    )
    parts.append(words(8, low + 16, "In a circle: how much less the best one through it scores.", "small soft"))
    return {"images/lattice.svg": picture(f"The lattice of {' '.join(forms)!r} with its best path", low + 28, parts)}

"""*Mark all*: the same words everywhere, shown first, then changed in one step."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from perceptag.labels.schemes import Span, spans, spans_to_labels


@dataclass(frozen=True, slots=True)
class Place:
    """Where words begin in a sentence."""

    id: int
    start: int


def places(tokens: Sequence[str], words: Sequence[str], ignore_case: bool) -> Iterator[int]:
    """Yield where words begin; places do not overlap."""
    wanted = [word.casefold() for word in words] if ignore_case else list(words)
    found = [token.casefold() for token in tokens] if ignore_case else list(tokens)
    t = 0
    while t + len(wanted) <= len(found):
        if found[t : t + len(wanted)] == wanted:
            yield t
            t += len(wanted)
        else:
            t += 1


def pieces(label: str, length: int, kind: str) -> list[str]:
    """Return the labels of words that are one span, or all have one tag."""
    if kind == "tags" or label == "O":
        return [label] * length
    return [f"B-{label}"] + [f"I-{label}"] * (length - 1)


def marked(labels: Sequence[str], start: int, length: int, label: str, kind: str) -> list[str]:
    """Return labels in which some words are one span with a label. A span that they cut is gone."""
    if kind == "tags":
        return [*labels[:start], *pieces(label, length, kind), *labels[start + length :]]
    end = start + length
    kept = [s for s in spans(labels, "IOB2") if s.end <= start or s.start >= end]
    new = [] if label == "O" else [Span(start, end, label)]
    return spans_to_labels(sorted([*kept, *new], key=lambda s: s.start), len(labels), "IOB2")


def drafted(draft: Sequence[str | None] | None, size: int, start: int, length: int, label: str, kind: str) -> list[Any]:
    """Return a draft in which some words have a label, and what was said of others stays."""
    found: list[str | None] = list(draft) if draft is not None else [None] * size
    found[start : start + length] = pieces(label, length, kind)
    for t in range(start + length, size):  # the rest of a span that is cut
        if kind == "tags" or not (found[t] or "").startswith("I-"):
            break
        found[t] = None
    return found


def label_at(given: Sequence[str | None] | None, start: int, length: int, kind: str) -> str | None:
    """Return what labels or a draft say of some words: their label, or None if they are not one span."""
    if given is None or None in given[start : start + length]:
        return None
    labels = ["O" if label is None else label for label in given]
    here = list(labels[start : start + length])
    if kind == "tags":
        return here[0] if len(set(here)) == 1 else None
    if set(here) == {"O"}:
        return "O"
    whole = [s.label for s in spans(labels, "IOB2") if (s.start, s.end) == (start, start + length)]
    return whole[0] if whole else None

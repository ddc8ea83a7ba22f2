"""Non-local features in slow, obvious Python: the oracle of the native ones, and an example of a user's function.

The definitions are those of cpp/include/perceptag/document/mention_features.hpp; `consistency` has the signature that
`perceptag.models.document.features` requires of a user's function.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from perceptag.labels.schemes import Span
from perceptag.text.sentence import Sentence

JOINING = (",", "and", "or", "&")
LONGEST = 32  # words: longer mentions are not compared with others


class Mention(NamedTuple):
    """A span with the words that it covers."""

    sentence: int
    span: Span
    words: tuple[str, ...]


def consistency(
    document: Sequence[Sentence], spans: Sequence[Sequence[Span]], longest: int = LONGEST
) -> dict[str, float]:
    """Return all built-in features of a labelled document, by name."""
    mentions = [
        Mention(s, span, tuple(document[s].tokens[span.start : span.end]))
        for s, found in enumerate(spans)
        for span in found
    ]
    counts: Counter[str] = Counter()
    for mention in mentions:
        if len(mention.words) > longest:
            continue
        own = mention.span.label
        same = [m.span.label for m in mentions if m is not mention and m.words == mention.words]
        above = [m.span.label for m in mentions if contains(m.words, mention.words)]
        counts.update(f"phrase[{own},{other}]" for other in set(same))
        counts.update(f"majority[{own},{other}]" for other in majority(same))
        counts.update(f"subphrase[{own},{other}]" for other in set(above))
        counts.update(f"submajority[{own},{other}]" for other in majority(above))
        if occurs_unlabelled(document, spans, mention.words):
            counts[f"unlabelled[{own}]"] += 1
    for s, found in enumerate(spans):
        for a, b in pairwise(found):
            gap = document[s].tokens[a.end : b.start]
            if 1 <= len(gap) <= 2 and all(word in JOINING for word in gap):
                counts[f"conjunction[{a.label},{b.label}]"] += 1
    return {name: float(count) for name, count in counts.items()}


def spans_of_tags(labels: Sequence[str]) -> list[Span]:
    """Read labels that are not spans, such as parts of speech: every token is a span with its label.

    >>> spans_of_tags(["DT", "NN"])
    [Span(start=0, end=1, label='DT'), Span(start=1, end=2, label='NN')]
    """
    return [Span(t, t + 1, label) for t, label in enumerate(labels)]


def majority(labels: Sequence[str]) -> list[str]:
    """Return the most frequent label, the first in alphabetical order on a tie; an empty list if there are no labels.

    >>> majority(["PER", "LOC", "PER", "LOC", "ORG"])
    ['LOC']
    """
    return sorted(labels, key=lambda label: (-labels.count(label), label))[:1]


def contains(longer: tuple[str, ...], shorter: tuple[str, ...]) -> bool:
    """Return whether a phrase properly contains another as consecutive words."""
    return len(longer) > len(shorter) and shorter in windows(longer, len(shorter))


def windows(words: Sequence[str], length: int) -> Iterator[tuple[str, ...]]:
    """Yield all runs of `length` words."""
    return (tuple(words[i : i + length]) for i in range(len(words) - length + 1))


def occurs_unlabelled(document: Sequence[Sentence], spans: Sequence[Sequence[Span]], words: tuple[str, ...]) -> bool:
    """Return whether the words occur somewhere in the document outside all spans."""
    for sentence, found in zip(document, spans, strict=True):
        inside = {t for span in found for t in range(span.start, span.end)}
        for start, window in enumerate(windows(sentence.tokens, len(words))):
            if window == words and not inside & set(range(start, start + len(words))):
                return True
    return False

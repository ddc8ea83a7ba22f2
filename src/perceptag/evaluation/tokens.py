"""Score tokens, sentences and words of raw text as in the CoNLL 2018 shared task.

Zeman et al. (2018), "CoNLL 2018 Shared Task: Multilingual Parsing from Raw Text to Universal Dependencies" [K18-2001],
and its script conll18_ud_eval.py.

    tokens, sentences   right if their first and last characters are those of a gold one; white space does not count
    words               outside of multiword tokens: the same; where either side has a multiword token, the words of the
                        stretch that it covers are aligned by their longest common subsequence, ignoring case
    labels              of words: right if the word is aligned and the labels are the same

Both sides must have the same characters, except for white space.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from perceptag.errors import DataError
from perceptag.evaluation.chunks import Counts
from perceptag.evaluation.shared_task import is_right
from perceptag.system.plural import plural
from perceptag.text.tokens import Passage

Layers = Mapping[str, tuple[Sequence[str], Sequence[str]]]  # name: labels of the gold words, of the found words


class CharacterRange(NamedTuple):
    """First character and the one after the last, counted without white space."""

    start: int
    end: int


class Word(NamedTuple):
    """A word; all words of a multiword token have its span."""

    span: CharacterRange
    form: str
    is_part: bool  # of a multiword token


@dataclass(slots=True)
class Pieces:
    """The items of one side to be compared."""

    characters: str = ""
    sentences: list[CharacterRange] = field(default_factory=list)
    tokens: list[CharacterRange] = field(default_factory=list)
    words: list[Word] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class TokenReport:
    """Counts of tokens, sentences, words and labels, by name."""

    counts: dict[str, Counts]

    def to_dict(self) -> dict[str, Any]:
        """Return everything as JSON values, in per cent."""
        return {
            name: {"precision": c.precision, "recall": c.recall, "f1": c.f1}
            | {"correct": c.correct, "predicted": c.predicted, "gold": c.gold}
            for name, c in self.counts.items()
        }

    def render(self) -> str:
        """Return a line for each score."""
        return "\n".join(
            f"{name:>9}: precision: {c.precision:6.2f}%; recall: {c.recall:6.2f}%; F1: {c.f1:6.2f}"
            for name, c in self.counts.items()
        )


def evaluate_tokens(gold: Passage, found: Passage, layers: Layers | None = None) -> TokenReport:
    """Score the tokens, sentences and words of a text, and labels of the words if there are any."""
    ours, theirs = pieces_of(gold), pieces_of(found)
    _check_characters(ours.characters, theirs.characters)
    pairs = align_words(ours.words, theirs.words)
    counts = {
        "tokens": _counts(ours.tokens, theirs.tokens),
        "sentences": _counts(ours.sentences, theirs.sentences),
        "words": Counts(len(pairs), len(theirs.words), len(ours.words)),
    }
    for name, (wanted, given) in (layers or {}).items():
        for labels, side in ((wanted, ours), (given, theirs)):
            if len(labels) != len(side.words):
                raise DataError(
                    f"{name}: expected a label for each of {plural(len(side.words), 'word')}, found {len(labels)}"
                )
        right = sum(is_right(name, wanted[g], given[f]) for g, f in pairs)
        counts[name] = Counts(right, len(theirs.words), len(ours.words))
    return TokenReport(counts)


def pieces_of(passage: Passage) -> Pieces:
    """Return the spans of sentences, tokens and words."""
    pieces = Pieces()
    parts: list[str] = []
    place = 0
    for sentence in passage.sentences:
        first = place
        for token in sentence.tokens:
            characters = "".join(token.text.split())
            span = CharacterRange(place, place + len(characters))
            parts.append(characters)
            place = span.end
            pieces.tokens.append(span)
            pieces.words += [Word(span, word, len(token.words) > 1) for word in token.words]
        pieces.sentences.append(CharacterRange(first, place))
    pieces.characters = "".join(parts)
    return pieces


def _check_characters(gold: str, found: str) -> None:
    if gold != found:
        place = next(
            (i for i, (a, b) in enumerate(zip(gold, found, strict=False)) if a != b), min(len(gold), len(found))
        )
        raise DataError(
            f"expected the characters of the gold text, found others from character {place} (without white space): "
            f"{gold[place : place + 20]!r} and {found[place : place + 20]!r}"
        )


def _counts(gold: Sequence[CharacterRange], found: Sequence[CharacterRange]) -> Counts:
    return Counts(len({*gold} & {*found}), len(found), len(gold))


def align_words(gold: Sequence[Word], found: Sequence[Word]) -> list[tuple[int, int]]:
    """Return the numbers of words that belong together."""
    pairs: list[tuple[int, int]] = []
    g = f = 0
    while g < len(gold) and f < len(found):
        if gold[g].is_part or found[f].is_part:
            (g_first, g), (f_first, f) = _stretch(gold, found, g, f)
            pairs += _common(gold, found, range(g_first, g), range(f_first, f))
        elif gold[g].span == found[f].span:
            pairs.append((g, f))
            g, f = g + 1, f + 1
        elif gold[g].span.start <= found[f].span.start:
            g += 1
        else:
            f += 1
    return pairs


def _stretch(gold: Sequence[Word], found: Sequence[Word], g: int, f: int) -> tuple[tuple[int, int], tuple[int, int]]:
    """Return the range of words on both sides that overlapping multiword tokens cover, from these words on."""
    if gold[g].is_part:
        end = gold[g].span.end
        f += not found[f].is_part and found[f].span.start < gold[g].span.start
    else:
        end = found[f].span.end
        g += not gold[g].is_part and gold[g].span.start < found[f].span.start
    first = g, f
    while not (_is_beyond(gold, g, end) and _is_beyond(found, f, end)):
        if g < len(gold) and (f >= len(found) or gold[g].span.start <= found[f].span.start):
            end = max(end, gold[g].span.end) if gold[g].is_part else end
            g += 1
        else:
            end = max(end, found[f].span.end) if found[f].is_part else end
            f += 1
    return (first[0], g), (first[1], f)


def _is_beyond(words: Sequence[Word], number: int, end: int) -> bool:
    if number >= len(words):
        return True
    word = words[number]
    return word.span.start >= end if word.is_part else word.span.end > end


def _common(gold: Sequence[Word], found: Sequence[Word], gs: range, fs: range) -> list[tuple[int, int]]:
    """Return a longest common subsequence of two stretches of words."""
    a, b = ([words[i].form.lower() for i in some] for words, some in ((gold, gs), (found, fs)))
    longest = [[0] * (len(b) + 1) for _ in range(len(a) + 1)]
    for i in reversed(range(len(a))):
        for j in reversed(range(len(b))):
            joined = 1 + longest[i + 1][j + 1] if a[i] == b[j] else 0
            longest[i][j] = max(joined, longest[i + 1][j], longest[i][j + 1])
    pairs: list[tuple[int, int]] = []
    i = j = 0
    while i < len(a) and j < len(b):
        if a[i] == b[j]:
            pairs.append((gs[i], fs[j]))
            i, j = i + 1, j + 1
        elif longest[i][j] == longest[i + 1][j]:
            i += 1
        else:
            j += 1
    return pairs

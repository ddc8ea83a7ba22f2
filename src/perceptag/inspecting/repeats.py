"""Find sentences that occur more than once: with the same labels, with other labels, in train and test data."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from perceptag.inspecting.findings import Findings
from perceptag.text.sentence import Sentence

Words = tuple[str, ...]

MOST_SHOWN = 40  # characters of a sentence


def check_repeats(
    train: Sequence[Sentence], test: Sequence[Sentence], column: str, shortest: int, findings: Findings
) -> None:
    """Look for sentences with the same words. Those shorter than `shortest` tokens may repeat with the same labels."""
    in_train, in_test = by_words(train), by_words(test)
    for words in {**in_train, **in_test}:
        learned, measured = in_train.get(words, []), in_test.get(words, [])
        _check_labels(words, [*learned, *measured], column, findings)
        if len(words) >= shortest:
            _check_same(words, learned, column, findings)
            _check_same(words, measured, column, findings)
            for sentence in measured if learned else ():
                message = f"{_quoted(words)} is also at {learned[0].where()}"
                findings.add("in train and test", sentence.where(), message)


def by_words(sentences: Sequence[Sentence]) -> dict[Words, list[Sentence]]:
    """Return the sentences with the same words, in their order. Empty ones are left out."""
    found: dict[Words, list[Sentence]] = defaultdict(list)
    for sentence in sentences:
        if len(sentence):
            found[tuple(sentence.tokens)].append(sentence)
    return dict(found)


def _check_same(words: Words, same: Sequence[Sentence], column: str, findings: Findings) -> None:
    """Look for sentences with the labels of the first one."""
    for sentence in same[1:]:
        if sentence.columns.get(column) == same[0].columns.get(column):
            findings.add("repeated sentence", sentence.where(), f"{_quoted(words)} is also at {same[0].where()}")


def _check_labels(words: Words, same: Sequence[Sentence], column: str, findings: Findings) -> None:
    """Look for a token of one sentence that has another label in the first one."""
    if not column or len(same) < 2 or any(column not in sentence.columns for sentence in same):
        return
    first = same[0]
    for sentence in same[1:]:
        pairs = zip(first.columns[column], sentence.columns[column], strict=True)
        for t, (here, there) in enumerate(pairs):
            if here != there:
                message = f"{words[t]!r} is {there}, but {here} at {first.where(t)}, in {_quoted(words)}"
                findings.add("other labels for the same sentence", sentence.where(t), message)
                break


def _quoted(words: Words) -> str:
    text = " ".join(words)
    return repr(text if len(text) <= MOST_SHOWN else f"{text[: MOST_SHOWN - 1]}…")

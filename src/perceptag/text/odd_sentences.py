"""Sentences that can be learned from, but are probably faults of the data: empty tokens, sentences without an end."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from perceptag.system.plural import plural
from perceptag.text.sentence import Sentence

LONG = 10_000  # tokens; blank lines between sentences are probably missing
LONG_ON_AVERAGE = 100  # likewise: sentences of text have 10 to 30


def odd_sentences(sentences: Sequence[Sentence]) -> Iterator[str]:
    """Yield a warning for each kind of fault, with the first place.

    >>> list(odd_sentences([Sentence({"form": ["a", ""]}, "sentence 0")]))
    ['1 empty token; the first is at sentence 0, token 1']
    """
    empty = [sentence for sentence in sentences if "" in sentence.columns.get("form", ())]
    if empty:
        count = sum(sentence.tokens.count("") for sentence in empty)
        where = empty[0].where(empty[0].tokens.index(""))
        yield f"{plural(count, 'empty token')}; the first is at {where}"
    longest = max(sentences, key=len, default=None)
    total = sum(map(len, sentences))
    if longest is None:
        return
    is_usual = not longest.line or total <= LONG_ON_AVERAGE * len(sentences)  # lists in Python have no blank lines
    if len(longest) > LONG or not is_usual:
        yield f"{longest.where()}: a sentence of {len(longest):,} tokens: is a blank line missing?"

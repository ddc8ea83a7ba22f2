"""Tag dictionaries: words restricted to the labels they were seen with."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

from perceptag.arrays import Ints, int_view
from perceptag.errors import ModelError, brief

# The largest number of bytes: entries times labels. Real dictionaries have a few hundred entries.
MAX_DICTIONARY = 1 << 26


@dataclass(slots=True)
class ClosedWords:
    """Words with the sets of labels that they may have."""

    entries: list[list[int]] = field(default_factory=list)  # sets of label ids
    words: dict[str, int] = field(default_factory=dict)  # word -> entry

    @classmethod
    def checked(cls, facts: object, labels: int) -> ClosedWords:
        """Make one from the facts of a model file, whose numbers must be in range."""
        if not isinstance(facts, Mapping):
            raise ModelError(f"facts.closed: expected an object, found {brief(facts)}")
        entries, words = facts.get("entries"), facts.get("words")
        if not isinstance(entries, list) or not all(isinstance(entry, list) for entry in entries):
            raise ModelError(f"facts.closed: expected entries as lists of labels, found {brief(entries)}")
        if len(entries) * labels > MAX_DICTIONARY:
            raise ModelError(f"facts.closed: expected at most {MAX_DICTIONARY // labels} entries, found {len(entries)}")
        if not all(_in_range(y, labels) for entry in entries for y in entry):
            raise ModelError(f"facts.closed: expected labels from 0 to {labels - 1} in the entries, found others")
        if not isinstance(words, dict) or not all(_in_range(entry, len(entries)) for entry in words.values()):
            raise ModelError(f"facts.closed: expected words with entries from 0 to {len(entries) - 1}, found others")
        return cls(entries, words)

    def facts(self) -> dict[str, Any]:
        """Return what a model file holds."""
        return {"entries": self.entries, "words": self.words}

    @classmethod
    def learn(cls, forms: Sequence[Sequence[Hashable]], labels: Ints, at_least: int) -> ClosedWords:
        """Close every word that occurs at least `at_least` times."""
        counts: Counter[Hashable] = Counter(chain.from_iterable(forms))
        seen: dict[str, set[int]] = {}
        for word, label in zip(chain.from_iterable(forms), labels.tolist(), strict=True):
            if counts[word] >= at_least:
                seen.setdefault(str(word), set()).add(label)
        return cls.of(seen)

    @classmethod
    def of(cls, allowed: Mapping[str, set[int]]) -> ClosedWords:
        """Restrict each word to its given labels."""
        numbers: dict[tuple[int, ...], int] = {}
        words = {word: numbers.setdefault(tuple(sorted(ys)), len(numbers)) for word, ys in allowed.items()}
        return cls([list(ys) for ys in numbers], words)

    def find(self, forms: Sequence[Sequence[Hashable]]) -> Ints:
        """Return the entry of each token, -1 for words that are not in the dictionary."""
        return int_view(self.words.get(str(word), -1) for word in chain.from_iterable(forms))


def _in_range(number: object, size: int) -> bool:
    return isinstance(number, int) and not isinstance(number, bool) and 0 <= number < size

"""Tag dictionaries: words restricted to the labels they were seen with, or to those of their endings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

from perceptag.arrays import Ints, int_view
from perceptag.errors import ModelError, brief
from perceptag.features.ending_labels import endings_of

# The largest number of bytes: entries times labels. Real dictionaries have a few hundred entries.
MAX_DICTIONARY = 1 << 26


@dataclass(slots=True)
class ClosedWords:
    """Words, and endings of other words, with the sets of labels that they may have."""

    entries: list[list[int]] = field(default_factory=list)  # sets of label ids
    words: dict[str, int] = field(default_factory=dict)  # word -> entry
    endings: dict[str, int] = field(default_factory=dict)  # ending -> entry

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
        endings = facts.get("endings", {})
        if not isinstance(endings, dict) or not all(_in_range(entry, len(entries)) for entry in endings.values()):
            raise ModelError(f"facts.closed: expected endings with entries from 0 to {len(entries) - 1}, found others")
        return cls(entries, words, endings)

    def facts(self) -> dict[str, Any]:
        """Return what a model file holds."""
        found = {"entries": self.entries, "words": self.words}
        return found | ({"endings": self.endings} if self.endings else {})

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
    def of(cls, allowed: Mapping[str, set[int]], endings: Mapping[str, set[int]] | None = None) -> ClosedWords:
        """Restrict each word to its given labels, and other words to those of their longest ending."""
        numbers: dict[tuple[int, ...], int] = {}

        def entry(labels: set[int]) -> int:
            return numbers.setdefault(tuple(sorted(labels)), len(numbers))

        words = {w: entry(ys) for w, ys in allowed.items()}
        found = {ending: entry(ys) for ending, ys in (endings or {}).items()}
        return cls([list(ys) for ys in numbers], words, found)

    def labels_of(self, entries: Mapping[str, int]) -> dict[str, set[int]]:
        """Return the labels of words or endings."""
        return {key: set(self.entries[entry]) for key, entry in entries.items()}

    def find(self, forms: Sequence[Sequence[Hashable]]) -> Ints:
        """Return the entry of each token, -1 for words that neither dictionary nor endings know."""
        if self.endings:
            return int_view(self._entry(str(w)) for w in chain.from_iterable(forms))
        return int_view(self.words.get(str(w), -1) for w in chain.from_iterable(forms))

    def _entry(self, word: str) -> int:
        if (entry := self.words.get(word)) is not None:
            return entry
        return next((self.endings[ending] for ending in endings_of(word) if ending in self.endings), -1)


def _in_range(number: object, size: int) -> bool:
    return isinstance(number, int) and not isinstance(number, bool) and 0 <= number < size

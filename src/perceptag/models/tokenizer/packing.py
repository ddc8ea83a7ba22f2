"""Features and weights of a tokeniser as arrays, and back.

keys.0      uint64[K]        fingerprints of the features, in increasing order
weights.0   float32[K * 4]   the weights of the four labels of each feature; some of them are not zero
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from perceptag import _core
from perceptag.arrays import np
from perceptag.errors import ModelError
from perceptag.models.model import HEAVIEST, Arrays, Model, heavy, in_rows, view_of
from perceptag.models.tokenizer.characters import LABELS
from perceptag.text.character_classes import class_of, script_of, small_letter

if TYPE_CHECKING:
    import numpy.typing as npt

KEYS, WEIGHTS = "keys.0", "weights.0"


def pack(index: _core.KeyIndex, weights: _core.Weights) -> Arrays:
    """Return the features that have a weight."""
    w, _ = weights.get(0)
    rows, labels = weights.owners(0, np.arange(len(w)))
    dense = np.zeros((len(index), len(LABELS)), np.float32)
    dense[rows, labels[0]] = w
    used = np.flatnonzero(dense.any(axis=1))
    order = used[np.argsort(index.keys[used])]
    return {KEYS: index.keys[order], WEIGHTS: dense[order].ravel()}


@dataclass(frozen=True, slots=True)
class Earlier:
    """The features and weights in a model file, checked; views of memory, which the core takes as it takes arrays."""

    keys: npt.NDArray[np.uint64]
    weights: npt.NDArray[np.float32]  # [K, labels]

    @classmethod
    def of(cls, model: Model) -> Earlier:
        """Read and check the arrays of a model."""
        keys, weights = view_of(model.arrays, KEYS, "uint64"), view_of(model.arrays, WEIGHTS, "float32")
        if len(weights) != len(LABELS) * len(keys):
            raise ModelError(
                f"array {WEIGHTS!r}: expected {len(LABELS)} for each of {len(keys)} features, found others"
            )
        if not _core.are_rising(keys):
            raise ModelError(f"array {KEYS!r}: expected different features in order, found others")
        if not _core.are_within(weights, HEAVIEST):
            raise heavy(WEIGHTS)
        if not _core.has_no_empty_row(weights, len(LABELS)):
            raise ModelError(f"array {WEIGHTS!r}: expected features with a weight, found one without")
        return cls(keys, in_rows(weights, len(LABELS)))


class Alphabet:
    """Makes runs of texts, for which the core must know all characters."""

    def __init__(self, facts: _core.WordFacts | None = None, lexicon: _core.KnownWords | None = None) -> None:
        self.facts = facts  # of words, for models that look at them
        self.lexicon = lexicon  # the same
        self._native = _core.Alphabet()
        self._known: set[str] = set()
        self._lock = threading.Lock()
        self._learn({chr(code) for code in range(128)})

    def runs(self, text: str, starts: Sequence[int] = ()) -> _core.RunText:
        """Return the text as runs of characters without white space. `starts`: where further paragraphs begin."""
        if not text.isascii():
            self._learn(set(text))
        return _core.RunText(text, self._native, self.facts, starts, self.lexicon)

    def _learn(self, characters: set[str]) -> None:
        with self._lock:
            for character in characters - self._known:
                kind, script = class_of(character), script_of(character)
                self._native.add(ord(character), kind, script, ord(small_letter(character)))
            self._known |= characters

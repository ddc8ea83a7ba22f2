"""Names of the chunker's features, from the keys that stand for them in the native core (`chunk_features.cpp`)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from perceptag import _core
from perceptag.errors import ModelError
from perceptag.features.predicates import WORD_TYPES
from perceptag.models.chunker.encoder import ChunkEncoder, Vocabularies

_START, _START_OUTSIDE, _END, _END_OUTSIDE, _LEFT, _INSIDE, _INNER, _FORM, _PATTERN, _GAZETTEER, _WORD = range(3, 14)


class FeatureNames:
    """The text of any feature, from the key that stands for it in the native core."""

    def __init__(
        self,
        encoder: ChunkEncoder,
        features: _core.ChunkFeatures,
        keys: npt.NDArray[np.uint64],
        categories: Sequence[str],
    ) -> None:
        vocabularies = encoder.vocabularies
        self._keys = keys
        self._window, self._inside = list(vocabularies.window), list(vocabularies.inside)
        self._words = list(vocabularies.word)
        self._trie = [part.tolist() for part in features.trie]
        self._categories = categories

    def name(self, feature: int) -> str:
        """Such as ``form[-1]=Mr`` for words; ``s.form[-1]=Mr``, ``phrase=New York``, ``left[-2]=LOC`` for phrases."""
        key = int(self._keys[feature])
        kind, high, low = key >> 60, key >> 44 & 0xFFFF, key & (1 << 44) - 1
        offset = high - 8
        pattern = _pattern(key & (1 << 60) - 1 if kind == _PATTERN else low)
        prefix = {_START: "s.", _START_OUTSIDE: "s.", _END: "e.", _END_OUTSIDE: "e."}.get(kind, "")
        if kind in (0, _START, _END):
            name, equals, value = self._window[low].partition("=")
            return f"{prefix}{name}[{offset}]{equals}{value}"
        if kind in (1, _START_OUTSIDE, _END_OUTSIDE):
            return f"{prefix}outside[{offset}]"
        if kind == 2:
            return f"pattern[{(high >> 4) - 8}..{(high & 15) - 8}]={pattern}"
        simple = {
            _LEFT: lambda: f"left[-{high}]={self._categories[low]}",
            _INSIDE: lambda: f"in.{self._inside[low]}",
            _INNER: lambda: f"in.pattern={pattern}",
            _FORM: lambda: f"phrase={self.form(low)}",
            _PATTERN: lambda: f"phrase.pattern={pattern}",
            _GAZETTEER: lambda: f"gazetteer={self._categories[low]}",
            _WORD: lambda: f"gazetteer.word={self._categories[low]}",
        }
        return simple[kind]()

    def form(self, node: int) -> str:
        """The words on the way to a node of the trie."""
        parents, numbers = self._trie
        words: list[str] = []
        while node > 0:
            words.append(self._words[numbers[node]])
            node = parents[node]
        return " ".join(reversed(words))

    def describe(self, features: Sequence[int]) -> str:
        """A stored phrase by its form, or by what is known of its words where the form is too rare."""
        names = [self.name(f) for f in features]
        known = [n for n in names if n.startswith("phrase=")] or [n for n in names if n.startswith("in.form=")]
        return " ".join(known or [n for n in names if n.startswith("phrase.pattern=")] or ["unknown words"])


def check_keys(features: _core.ChunkFeatures, vocabularies: Vocabularies, categories: int) -> None:
    """Refuse keys of a model file that stand for nothing."""
    nodes = len(features.trie[0])
    limits = {0: len(vocabularies.window), _START: len(vocabularies.window), _END: len(vocabularies.window)}
    limits |= {_INSIDE: len(vocabularies.inside), _FORM: nodes}
    limits |= dict.fromkeys((_LEFT, _GAZETTEER, _WORD), categories)
    for keys in (features.word_keys, features.phrase_keys):
        kinds, values = keys >> np.uint64(60), keys & np.uint64((1 << 44) - 1)
        if (kinds > _WORD).any() or any((values[kinds == kind] >= limit).any() for kind, limit in limits.items()):
            raise ModelError("a feature names a word, phrase or category that the model does not have")


def _pattern(code: int) -> str:
    digits = oct(code)[3:]  # three bits a word, after a leading 1
    return "".join(WORD_TYPES[int(d)] if int(d) < len(WORD_TYPES) else "?" for d in digits)

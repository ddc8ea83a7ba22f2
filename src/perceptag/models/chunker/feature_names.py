"""Names of the chunker's features, from the keys that stand for them in the native core."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from perceptag import _core
from perceptag.errors import ModelError
from perceptag.features.predicates import WORD_TYPES
from perceptag.models.chunker.encoder import ChunkEncoder, Vocabularies


class ChunkFeatureNames:
    """Gives the name of any feature."""

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
        kind, first, last, value, types = _core.read_chunk_key(int(self._keys[feature]))
        pattern = "".join(WORD_TYPES[k] if k < len(WORD_TYPES) else "?" for k in types)
        if kind.endswith("window"):
            name, equals, what = self._window[value].partition("=")
            return f"{kind.removesuffix('window')}{name}[{first}]{equals}{what}"
        if kind.endswith("outside"):
            return f"{kind}[{first}]"
        if kind.endswith("pattern"):
            return f"{kind}[{first}..{last}]={pattern}" if kind == "pattern" else f"{kind}={pattern}"
        if kind == "left":
            return f"left[{first}]={self._categories[value]}"
        if kind == "in":
            return f"in.{self._inside[value]}"
        return f"{kind}={self.form(value) if kind == 'phrase' else self._categories[value]}"

    def form(self, node: int) -> str:
        """The words on the path to a node of the trie."""
        parents, numbers = self._trie
        words: list[str] = []
        while node > 0:
            words.append(self._words[numbers[node]])
            node = parents[node]
        return " ".join(reversed(words))

    def describe(self, features: Sequence[int]) -> str:
        """A stored phrase by its form, or by features of its words if the form is too rare."""
        names = [self.name(f) for f in features]
        known = [n for n in names if n.startswith("phrase=")] or [n for n in names if n.startswith("in.form=")]
        return " ".join(known or [n for n in names if n.startswith("phrase.pattern=")] or ["unknown words"])


def check_keys(features: _core.ChunkFeatures, vocabularies: Vocabularies, categories: int) -> None:
    """Refuse keys of a model file that stand for nothing."""
    if not features.fit(len(vocabularies.window), len(vocabularies.inside), categories):
        raise ModelError("features: expected words, phrases and categories of the model, found others")

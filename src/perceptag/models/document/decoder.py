"""The search of a model with non-local features, natively: whole batches of documents, most of them without lists.

`perceptag.models.document.search` does the same with the candidates of one document; models whose features or
candidates the core does not know use that one.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence

import numpy as np

from perceptag import _core
from perceptag.arrays import Floats, Ints
from perceptag.features.fixed_encoder import FixedEncoder, KnownTypes, TokenTypes
from perceptag.models.document.features import JOINING, NonLocal
from perceptag.models.linear.decoder import LinearDecoder


class DocumentDecoder:
    """Local weights and the weights of built-in non-local features: read-only, shared by any number of threads."""

    def __init__(self, local: LinearDecoder, features: NonLocal, weights: Floats, n: int, sweeps: int) -> None:
        self._local = local
        self._features, self._weights = features, weights
        self._n, self._sweeps = n, sweeps
        self._lock = threading.Lock()
        self._types: KnownTypes | None = None  # the types that the native decoder knows
        self._native: tuple[_core.DocumentDecoder, Sequence[int]] | None = None

    def tag(
        self, found: TokenTypes, begin: Ints, documents: Ints, closed: Ints, encoder: FixedEncoder, threads: int
    ) -> Ints:
        """Label ids of all tokens; `begin` says where sequences begin, `documents` which sequences documents have."""
        native, joining = self._decoder_of(found.types)
        tokens = found.tables, found.ids, begin, closed, found.words
        return native.tag(encoder.dictionary, *tokens, documents, joining, threads)[0]

    def forget(self) -> None:
        """Take note that the weights have changed."""
        with self._lock:
            self._types = None

    def _decoder_of(self, types: KnownTypes) -> tuple[_core.DocumentDecoder, Sequence[int]]:
        with self._lock:
            if self._native is None or self._types is not types:
                [predictor] = self._local.predictors_of(types)
                features = self._features
                families = features.family_flags
                weights = np.ascontiguousarray(self._weights[: features.built_in])
                search = self._n, self._sweeps, features.longest
                native = _core.DocumentDecoder(predictor, features.reading, families, weights, features.scale, *search)
                self._native = native, types.words.words([JOINING]).tolist()
                self._types = types
            return self._native

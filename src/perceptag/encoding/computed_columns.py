"""Columns that are computed from documents, natively: from words to type ids, without a tuple of values for each token.

`perceptag.features.document_columns` and `perceptag.features.gazetteer` say what the values are. In training they come
from there, since they get new numbers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property

from perceptag import _core
from perceptag.encoding.encoder import Encoder
from perceptag.encoding.lexicon import Lexicon
from perceptag.features.gazetteer import Gazetteer


class ComputedColumns:
    """The columns of a model that are computed, in their order among all its columns."""

    def __init__(self, names: Sequence[str], gazetteer: Gazetteer | None) -> None:
        self.names = names
        self._gazetteer = gazetteer

    def reader(self, base: Encoder, lexicons: Mapping[str, Lexicon]) -> _core.DocumentReader:
        """Return what computes the columns; the lexicons have the types of single values."""
        columns = [(name, lexicons[name], base.native_reader(name)) for name in self.names]
        return _core.DocumentReader(columns, *self._phrases)

    @cached_property
    def _phrases(self) -> tuple[_core.PhraseTable | None, _core.PhraseTable | None]:
        lists = self._gazetteer
        return (_native(lists), _native(lists.in_any_case)) if lists is not None else (None, None)


def _native(gazetteer: Gazetteer | None) -> _core.PhraseTable | None:
    if gazetteer is None:
        return None
    table = _core.PhraseTable()
    for name, phrases in sorted(gazetteer.phrases.items()):
        table.add(name, phrases)
    return table

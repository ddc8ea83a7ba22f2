"""An encoder whose features are fixed. Every model over feature rows tags with it.

Any number of threads may share it. It remembers the types that it has seen, up to a limit, so that the attributes of a
word are computed once.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import cast

from perceptag import _core
from perceptag.encoding.encoder import Columns, Encoder, values_of
from perceptag.encoding.lexicon import MAX_TYPES, Lexicon
from perceptag.encoding.tag_dictionary import ClosedWords
from perceptag.features.document_columns import DocumentTokens
from perceptag.features.gazetteer import Gazetteer
from perceptag.numeric.arrays import NO_INTS, Ints


@dataclass(frozen=True, slots=True)
class KnownTypes:
    """The known types of all columns, and the known words of documents."""

    lexicons: Mapping[str, Lexicon]
    words: _core.DocumentReader

    def most(self) -> int:
        """Return how many types the column with the most types has, or how many words there are."""
        return max(len(self.words), *(len(lexicon.table) for lexicon in self.lexicons.values()), 0)


@dataclass(frozen=True, slots=True)
class TokenTypes:
    """The types of all tokens: for each column a table, and the place of each token there."""

    types: KnownTypes
    tables: list[_core.TypeTable]
    ids: list[Ints]
    words: Ints = field(default_factory=lambda: NO_INTS)  # their numbers among the words of documents, if asked for


class FixedEncoder:
    """Encodes sentences with the features of a model, and finds its closed words."""

    def __init__(self, base: Encoder, closed: ClosedWords | None, labels: int, computed: ComputedColumns) -> None:
        self.base = base
        self.index = base.frozen_index
        self.closed = closed
        self.computed = computed
        self.dictionary = _core.TagDictionary(closed.entries, labels) if closed else None
        self.columns = list(dict.fromkeys([*base.columns, *(["form"] if closed else [])]))  # those that it looks at
        self._lock = threading.Lock()
        self._types = self._fresh_types()

    def current_types(self) -> KnownTypes:
        """Return the known types; when they become too many, start again with none."""
        with self._lock:
            if self._types.most() > MAX_TYPES:
                self._types = self._fresh_types()
            return self._types

    def _fresh_types(self) -> KnownTypes:
        lexicons = self.base.fresh_lexicons()
        return KnownTypes(lexicons, self.computed.reader(self.base, lexicons))

    def encode(self, columns: Columns, begin: Ints, threads: int = 1) -> _core.Corpus:
        """Return the features of some sequences; `begin` says where each begins."""
        found, closed = self.look_up(columns), self.find_closed(columns)
        return _core.encode(self.index, found.tables, found.ids, begin, NO_INTS, closed, threads)

    def look_up(self, columns: Columns, documents: DocumentTokens | None = None) -> TokenTypes:
        """Return the types of all tokens; `documents`: with the numbers of words too."""
        types = self.current_types()
        plain = {c: types.lexicons[c].numbers(values_of(columns, c)) for c in self._plain()}
        found = documents or next((columns[c] for c in self.computed.names), None)
        if found is None:
            return self.with_computed(types, plain, NO_INTS, NO_INTS, NO_INTS)
        assert isinstance(found, DocumentTokens)
        return self.with_computed(types, plain, types.words.words(found.tokens), found.begin, found.documents)

    def look_up_text(
        self, text: _core.ColumnText, names: Sequence[str], documents: Ints, with_words: bool = False
    ) -> TokenTypes:
        """Do the same for lines of a file whose columns have these names; `documents`: which sentences they have."""
        types = self.current_types()
        plain = {c: types.lexicons[c].numbers_of_text(text, names.index(c)) for c in self._plain()}
        if not with_words and not self.computed.names:
            return self.with_computed(types, plain, NO_INTS, NO_INTS, NO_INTS)
        words = types.words.words_of_text(text, names.index("form") if "form" in names else 0)
        return self.with_computed(types, plain, words, cast("Ints", text.begin), documents)

    def _plain(self) -> list[str]:
        return [c for c in self.base.columns if c not in self.computed.names]

    def with_computed(
        self, types: KnownTypes, plain: Mapping[str, Ints], words: Ints, begin: Ints, documents: Ints
    ) -> TokenTypes:
        """Return the types of all tokens, given those of the columns that are not computed."""
        tables = {c: types.lexicons[c].table for c in plain}
        ids = dict(plain)
        if self.computed.names:
            made = types.words.columns(words, begin, documents)
            ids.update(zip(self.computed.names, (numbers for numbers, _ in made), strict=True))
            tables.update(zip(self.computed.names, (table for _, table in made), strict=True))
        return TokenTypes(types, [tables[c] for c in self.base.columns], [ids[c] for c in self.base.columns], words)

    def tables(self, types: KnownTypes) -> list[_core.TypeTable]:
        """Return the native tables of the types; those of computed columns have single values only."""
        return [types.lexicons[c].table for c in self.base.columns]

    def computed_places(self) -> list[int]:
        """Return which columns are computed, as their numbers among all columns."""
        return [i for i, c in enumerate(self.base.columns) if c in self.computed.names]

    def find_closed(self, columns: Columns) -> Ints:
        """Return the entry of the tag dictionary for each token; an empty array if there is no dictionary."""
        return self.closed.find(values_of(columns, "form")) if self.closed else NO_INTS


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

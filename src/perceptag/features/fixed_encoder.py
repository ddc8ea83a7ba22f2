"""Encode sentences with the fixed features of a model, for tagging.

The columns of a model are of two sorts. *Data columns*, such as ``form``, are in the sentences: a lexicon maps each of
their values to a type id. *Computed columns*, such as ``doc_before`` and ``gazetteer``, depend on the whole document:
a `DocumentReader` in C++ computes them from the words, as type ids at once (in training they come as values, from
`perceptag.features.document_columns` and `perceptag.features.gazetteer`, because new values get new ids).

Threads may share an encoder. It remembers the types it has seen, up to a limit, so that the attributes of a word are
computed once.
"""

from __future__ import annotations

import threading
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from typing import Any, NamedTuple, cast

from perceptag import _core
from perceptag.arrays import NO_INTS, Ints, int_view, np
from perceptag.features.document_columns import DocumentTokens
from perceptag.features.encoder import Columns, Encoder, values_of
from perceptag.features.gazetteer import Gazetteer
from perceptag.features.lexicon import MAX_TYPES, Lexicon
from perceptag.features.tag_dictionary import ClosedWords


@dataclass(frozen=True, slots=True, eq=False)
class KnownTypes:
    """All types seen so far: those of each column, and the words of documents."""

    lexicons: Mapping[str, Lexicon]
    words: _core.DocumentReader

    def most(self) -> int:
        """Return the number of types of the largest column, or of words if there are more."""
        return max(len(self.words), *(len(lexicon.table) for lexicon in self.lexicons.values()), 0)


# Columns by name: their different values, and for each token the number of its value.
TypedColumns = Mapping[str, tuple[Sequence[str], Ints]]


class WordIds(NamedTuple):
    """The words of some documents as ids, from which columns are computed."""

    ids: Ints = NO_INTS  # of all tokens
    begin: Ints = NO_INTS  # [sentences + 1] where each sentence begins
    documents: Ints = NO_INTS  # [documents + 1] which sentences each document has


@dataclass(frozen=True, slots=True, eq=False)
class TokenTypes:
    """The types of all tokens: for each column a table of types, and the row of each token in it."""

    types: KnownTypes
    tables: list[_core.TypeTable]
    ids: list[Ints]
    words: Ints = field(default_factory=lambda: NO_INTS)  # ids of the words of documents, if asked for


class ComputedColumns:
    """The computed columns of a model, in the order of its columns."""

    def __init__(self, names: Sequence[str], gazetteer: Gazetteer | None) -> None:
        self.names = names
        self._gazetteer = gazetteer

    def reader(self, base: Encoder, lexicons: Mapping[str, Lexicon]) -> _core.DocumentReader:
        """Return a native reader that computes the columns; the lexicons have the types of single values."""
        columns = [(name, lexicons[name], base.native_reader(name)) for name in self.names]
        return _core.DocumentReader(columns, *self._phrases)

    @cached_property
    def _phrases(self) -> tuple[_core.PhraseTable | None, _core.PhraseTable | None]:
        lists = self._gazetteer
        return (_phrase_table(lists), _phrase_table(lists.in_any_case)) if lists is not None else (None, None)


def _phrase_table(gazetteer: Gazetteer | None) -> _core.PhraseTable | None:
    if gazetteer is None:
        return None
    table = _core.PhraseTable()
    gazetteer.fill(table)
    return table


class FixedEncoder:
    """Encodes sentences with the features of a model, and finds words of its tag dictionary."""

    def __init__(self, base: Encoder, closed: ClosedWords | None, labels: int, computed: ComputedColumns) -> None:
        self.base = base
        self.index = base.frozen_index
        self.closed = closed
        self.computed = computed
        self.dictionary = _core.TagDictionary(closed.entries, labels) if closed else None
        self.columns = list(dict.fromkeys([*base.columns, *(["form"] if closed else [])]))  # all that it reads
        self._lock = threading.Lock()
        self._types = self._fresh_types()

    def current_types(self) -> KnownTypes:
        """Return the types seen so far; beyond the limit, forget them all."""
        with self._lock:
            if self._types.most() > MAX_TYPES:
                self._types = self._fresh_types()
            return self._types

    def _fresh_types(self) -> KnownTypes:
        lexicons = self.base.fresh_lexicons()
        return KnownTypes(lexicons, self.computed.reader(self.base, lexicons))

    def encode(self, columns: Columns, begin: Ints, threads: int = 1) -> _core.Corpus:
        """Return the features of sequences; `begin` has the offset of each."""
        found, closed = self.look_up(columns), self.find_closed(columns)
        return _core.encode(self.index, found.tables, found.ids, begin, NO_INTS, closed, threads)

    def look_up(self, columns: Columns, documents: DocumentTokens | None = None) -> TokenTypes:
        """Return the types of all tokens; with `documents`, the ids of their words as well."""
        types = self.current_types()
        ids = {c: types.lexicons[c].numbers(values_of(columns, c)) for c in self._data_columns()}
        found = documents or next((columns[c] for c in self.computed.names), None)  # each computed column is the same
        if found is None:
            return self._joined(types, ids, WordIds())
        assert isinstance(found, DocumentTokens)
        return self._joined(
            types, ids, WordIds(cast("Ints", types.words.words(found.tokens)), found.begin, found.documents)
        )

    def look_up_text(
        self, text: _core.ColumnText, names: Sequence[str], documents: Ints, with_words: bool = False
    ) -> TokenTypes:
        """Return the types of all tokens in lines of a column file.

        `names` are its columns; `documents` has the offsets of documents among its sentences.
        """
        types = self.current_types()
        if not with_words and not self.computed.names:  # as short as possible: a text may be one sentence
            columns = [(types.lexicons[c], names.index(c)) for c in self.base.columns]
            numbers = [lexicon.numbers_of_text(text, place) for lexicon, place in columns]
            return TokenTypes(types, [lexicon.table for lexicon, _ in columns], numbers)
        ids = {c: types.lexicons[c].numbers_of_text(text, names.index(c)) for c in self._data_columns()}
        words = types.words.words_of_text(text, names.index("form") if "form" in names else 0)
        return self._joined(types, ids, WordIds(cast("Ints", words), cast("Ints", text.begin), documents))

    def look_up_types(
        self, columns: TypedColumns, begin: Ints, documents: Ints | None = None, with_words: bool = False
    ) -> TokenTypes:
        """Return the types of all tokens, given the different values of each column and which of them each token has.

        `begin` has the offsets of sentences, `documents` those of documents among sentences.
        """
        types = self.current_types()
        ids = {c: _taken(types.lexicons[c].numbers([columns[c][0]]), columns[c][1]) for c in self._data_columns()}
        if not with_words and not self.computed.names:
            return self._joined(types, ids, WordIds())
        values, numbers = columns["form"]
        known = int_view(range(len(begin))) if documents is None else documents
        return self._joined(types, ids, WordIds(_taken(types.words.words([values]), numbers), begin, known))

    def _data_columns(self) -> list[str]:
        return [c for c in self.base.columns if c not in self.computed.names]

    def _joined(self, types: KnownTypes, ids: dict[str, Ints], words: WordIds) -> TokenTypes:
        """Compute the computed columns, and put them between the data columns, whose `ids` are given."""
        tables = {c: types.lexicons[c].table for c in ids}
        if self.computed.names:
            for name, (numbers, table) in zip(self.computed.names, types.words.columns(*words), strict=True):
                ids[name], tables[name] = numbers, table
        return TokenTypes(types, [tables[c] for c in self.base.columns], [ids[c] for c in self.base.columns], words.ids)

    def tables(self, types: KnownTypes) -> list[_core.TypeTable]:
        """Return the native type table of each column; those of computed columns have single values only."""
        return [types.lexicons[c].table for c in self.base.columns]

    def computed_places(self) -> list[int]:
        """Return the indices of the computed columns among all columns."""
        return [i for i, c in enumerate(self.base.columns) if c in self.computed.names]

    def find_closed(self, columns: Columns) -> Ints:
        """Return the tag dictionary entry of each token; an empty array if the model has no dictionary."""
        return self.closed.find(values_of(columns, "form")) if self.closed else NO_INTS


def _taken(numbers: Any, places: Ints) -> Ints:
    return cast("Ints", _core.take(numbers, places))


# A column of the sentences names the labels: their ids, separated by spaces, or nothing where all are allowed. Where a
# word of the tag dictionary of the model has none of them, they win.

ALLOWED = "\0allowed"  # the column; no column of a user can have this name


def allowed_text(ids: Iterable[int]) -> str:
    """Return labels as the column has them.

    >>> allowed_text({2, 0})
    '0 2'
    """
    return " ".join(map(str, sorted(ids)))


class TokenDictionary:
    """The labels that each token may have: those allowed at the token, and those of its word."""

    def __init__(self, closed: ClosedWords | None, allowed: Iterable[str], labels: int) -> None:
        self._words = closed or ClosedWords()
        words = self._words.entries
        entries = [list(entry) for entry in words]
        self._numbers = {(w, ""): w for w in range(-1, len(words))}
        for mask in dict.fromkeys(allowed):
            own = [int(y) for y in mask.split()]
            for w in range(-1, len(words)) if mask else ():
                both = own if w < 0 else [y for y in own if y in words[w]]
                self._numbers[w, mask] = len(entries)
                entries.append(both or own)
        self.native = _core.TagDictionary(entries, labels)

    def find(self, forms: Sequence[Sequence[Hashable]], allowed: Iterable[Hashable]) -> Ints:
        """Return the entry for each token; `allowed` has all tokens in a row."""
        pairs = zip(self._words.find(forms).tolist(), allowed, strict=True)
        return np.fromiter((self._numbers[w, str(mask)] for w, mask in pairs), np.int32)


class RestrictedEncoder(FixedEncoder):
    """Encodes as another encoder does, and finds the labels that each token may have."""

    def __init__(self, whole: FixedEncoder, allowed: Iterable[str], labels: int, with_words: bool) -> None:
        self.base, self.index, self.whole, self.closed = whole.base, whole.index, whole, whole.closed
        self.computed = whole.computed
        self.columns = list(dict.fromkeys([*whole.columns, "form", ALLOWED]))
        self.tokens = TokenDictionary(whole.closed if with_words else None, allowed, labels)
        self.dictionary = self.tokens.native

    def current_types(self) -> KnownTypes:
        """Return the types that the other encoder knows."""
        return self.whole.current_types()

    def find_closed(self, columns: Columns) -> Ints:
        """Return the entry of the dictionary for each token."""
        return self.tokens.find(values_of(columns, "form"), chain.from_iterable(values_of(columns, ALLOWED)))

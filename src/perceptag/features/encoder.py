"""Encode sentences as feature rows: lexicons in Python, templates and index in C++.

columns of strings ──Lexicon──▶ type ids ──templates──▶ feature rows (native `Corpus`)
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from functools import cached_property
from typing import cast

from perceptag import _core
from perceptag.arrays import NO_INTS, Ints, np
from perceptag.features.attributes import Attribute, compose
from perceptag.features.class_attributes import ClassAttribute, classes_among
from perceptag.features.document_columns import DocumentTokens, NumberedValues
from perceptag.features.gazetteer import COLUMNS as LISTS
from perceptag.features.gazetteer import list_meaning
from perceptag.features.lexicon import Lexicon, ValueNumbers, Vocabulary
from perceptag.features.span_template import PLACES, SpanTemplates
from perceptag.features.template import Field, Template
from perceptag.features.word_endings import NAME as ENDINGS
from perceptag.features.word_endings import STEM, EndingsAttribute
from perceptag.labels.span_labels import SpanLabels

Values = Sequence[Sequence[Hashable]]  # of each sequence
# By column name; `DocumentTokens` stands for a column still to compute.
Columns = Mapping[str, Values | NumberedValues | DocumentTokens]


class Encoder:
    """Templates, value numbers, lexicons and the feature index: all that encoding needs."""

    def __init__(
        self,
        templates: Sequence[Template],
        attributes: Mapping[str, Attribute] | None = None,
        spans: SpanTemplates | None = None,
    ) -> None:
        self.spans = spans
        self.templates = [t for t in templates if not t.is_plain_transition]
        self.plain_orders = {t.order for t in templates if t.is_plain_transition}
        fields = [*(f for t in self.templates for f in t.fields), *(spans.fields if spans else ())]
        self.padding = max((abs(f.offset) for f in fields), default=0)
        self.columns = list(dict.fromkeys(f.column for f in fields))
        # column -> attribute path -> position in the rows of its types
        self.slots: dict[str, dict[tuple[str, ...], int]] = {c: {} for c in self.columns}
        for field in fields:
            paths = self.slots[field.column]
            paths.setdefault(field.attributes, len(paths))
        self._attributes = {c: [compose(path, attributes) for path in paths] for c, paths in self.slots.items()}
        self.vocabularies: dict[str, list[Vocabulary]] = {
            c: [ValueNumbers(2 * self.padding) for _ in paths] for c, paths in self.slots.items()
        }
        self._given = dict(attributes or {})  # may have the same names as built-in ones
        self.classes = classes_among(self._given)
        self._readers: dict[str, _core.AttributeReader | None] = {}
        self.lexicons = self.fresh_lexicons(grows=True)
        self.index: _core.FeatureIndex | None = None
        self._earlier: Encoder | None = None

    def fresh_lexicons(self, grows: bool = False) -> dict[str, Lexicon]:
        """Return empty lexicons over the current vocabularies."""
        return {
            c: Lexicon(self._attributes[c], self.vocabularies[c], grows, growing=self._growing_reader(c))
            if grows
            else Lexicon(self._attributes[c], self.vocabularies[c], grows, self.native_reader(c))
            for c in self.columns
        }

    def native_reader(self, column: str) -> _core.AttributeReader | None:
        """Return the native reader of the attributes of a column, or None if it does not know them all; made once."""
        if column not in self._readers:
            learned = self._class_table, self._ending_table
            chains = self._native_chains(column, *learned)
            reader = _core.AttributeReader(chains, self.vocabularies[column], *learned) if chains else None
            self._readers[column] = reader
        return self._readers[column]

    def _growing_reader(self, column: str) -> _core.GrowingReader | None:
        """Return the native reader for training, or None; it does not know endings, of which a word has several."""
        chains, reserved = self._native_chains(column, self._class_table), 2 * self.padding
        growing = [one for one in self.vocabularies[column] if isinstance(one, ValueNumbers)]
        return _core.GrowingReader(chains, growing, reserved, self._class_table) if chains else None

    def _native_chains(
        self, column: str, classes: _core.ClassTable | None, endings: _core.EndingTable | None = None
    ) -> list[list[str]] | None:
        """Return the attributes of a column if the core knows them all."""
        chains = [list(path) for path in self.slots[column]]
        own = [name for name, one in self._given.items() if not isinstance(one, (ClassAttribute, EndingsAttribute))]
        known = not any(name in own for chain in chains for name in chain)
        return chains if known and all(_core.AttributeReader.knows(c, classes, endings) for c in chains) else None

    @cached_property
    def _class_table(self) -> _core.ClassTable | None:
        """The native table of the word classes."""
        return self.classes.native if self.classes else None

    @cached_property
    def _ending_table(self) -> _core.EndingTable | None:
        """The native table of endings, if templates look at them."""
        found = self._given.get(ENDINGS)
        if not isinstance(found, EndingsAttribute) or not found.changes or self._class_table is None:
            return None
        return _core.EndingTable(self._class_table, list(found.changes), STEM)

    def vocabulary(self, field: Field) -> Vocabulary:
        """Return the vocabulary of one field of a template."""
        return self.vocabularies[field.column][self.slots[field.column][field.attributes]]

    def value_names(self, field: Field) -> list[str]:
        """Return the values of one field of a template, as people read them: classes by their most frequent words."""
        last = self._given.get(field.attributes[-1]) if field.attributes else None
        values = list(self.vocabulary(field))
        return [last.name_of(value) for value in values] if isinstance(last, ClassAttribute) else values

    def value_meanings(self, field: Field) -> list[str]:
        """Return the values of a field of word classes or lists in words; an empty list for any other field."""
        last = self._given.get(field.attributes[-1]) if field.attributes else None
        if isinstance(last, ClassAttribute):
            said = map(last.meaning_of, self.vocabulary(field))
        elif field.column in LISTS and not field.attributes:
            said = map(list_meaning, self.vocabulary(field))
        else:
            return []
        return [placed(one, field.offset) for one in said]

    def start_from(self, earlier: Encoder) -> None:
        """Take over all values and features of an earlier encoder with their rows; its templates are among these."""
        self._earlier = earlier
        for column, paths in earlier.slots.items():
            for path, slot in paths.items():
                vocabulary = self.vocabularies[column][self.slots[column][path]]
                assert isinstance(vocabulary, ValueNumbers)
                for value in earlier.vocabularies[column][slot]:
                    vocabulary.number(value)

    def _load_earlier(self, index: _core.FeatureIndex, earlier: Encoder) -> None:
        assert earlier.index is not None
        before, now = earlier.padding, self.padding
        places = {template: i for i, template in enumerate(self.templates)}
        for i, template in enumerate(earlier.templates):
            values, rows = earlier.index.list(i)
            # In this order: the numbers for positions before a sentence, for those after it, and for values.
            after = np.where(values < 2 * before, values + now - before, values + 2 * (now - before))
            renumbered = np.where(values < before, values, after).astype(np.int32)
            index.load(places[template], renumbered, rows)
        if earlier.spans is not None:
            self._load_earlier_spans(index, earlier)

    def _load_earlier_spans(self, index: _core.FeatureIndex, earlier: Encoder) -> None:
        """Take over the features of whole spans; the templates are the same."""
        assert earlier.index is not None
        assert earlier.spans is not None
        before, now = earlier.padding, self.padding

        def renumbered(values: Ints) -> Ints:
            after = np.where(values < 2 * before, values + now - before, values + 2 * (now - before))
            found: Ints = np.where(values < before, values, after).astype(np.int32)
            return found

        for number in range(earlier.index.span_trees):
            tree = earlier.index.span_tree(number).reshape(-1, 2)
            tree[:, 1] = renumbered(tree[:, 1])
            index.span_load_tree(number, tree.ravel())
        for i, template in enumerate(earlier.spans.templates):
            values, rows = earlier.index.span_list(i)
            table = values.reshape(len(rows), len(template))
            for j, one in enumerate(template):
                if one.place in ("first", "last", "any"):
                    table[:, j] = renumbered(table[:, j])
            index.span_load(i, table.ravel(), rows)

    def freeze(self) -> _core.FeatureIndex:
        """Close the vocabularies and make a feature index over them, with the features of an earlier encoder if any."""
        for lexicon in self.lexicons.values():
            lexicon.grows = False
        self.index = self.new_index()
        if self._earlier is not None:
            self._load_earlier(self.index, self._earlier)
        return self.index

    def new_index(self) -> _core.FeatureIndex:
        """Return an index over the vocabularies as they are, without any feature."""
        numbers = {c: i for i, c in enumerate(self.columns)}
        specs = [
            ([(numbers[f.column], self.slots[f.column][f.attributes], f.offset) for f in t.fields], t.order)
            for t in self.templates
        ]
        sizes = [[v.size for v in self.vocabularies[c]] for c in self.columns]
        index = _core.FeatureIndex(specs, self.padding, sizes)
        if self.spans is not None:
            patterns = [
                [
                    (PLACES.index(one.place), *place, one.field.offset if one.field else 0)
                    for one in template
                    for place in [
                        (numbers[one.field.column], self.slots[one.field.column][one.field.attributes])
                        if one.field
                        else (0, 0)
                    ]
                ]
                for template in self.spans.templates
            ]
            index.make_spans(patterns, self.spans.longest)
        return index

    @property
    def frozen_index(self) -> _core.FeatureIndex:
        """The feature index. It exists once the encoder is frozen."""
        assert self.index is not None
        return self.index

    def type_ids(self, columns: Columns) -> list[Ints]:
        """Return the type ids of all tokens, one array for each column."""
        return [self._column_ids(self.lexicons[c], columns[c]) for c in self.columns]

    @staticmethod
    def _column_ids(lexicon: Lexicon, column: Values | NumberedValues | DocumentTokens) -> Ints:
        assert not isinstance(column, DocumentTokens)
        if isinstance(column, NumberedValues):
            return cast("Ints", _core.take(lexicon.numbers([column.values]), column.numbers))
        return lexicon.numbers(column)

    def tables(self) -> list[_core.TypeTable]:
        """Return the native tables of the lexicons."""
        return [self.lexicons[c].table for c in self.columns]

    def encode_new(
        self,
        columns: Columns,
        begin: Ints,
        labels: Ints,
        closed: Ints = NO_INTS,
        threads: int = 1,
        span_labels: SpanLabels | None = None,
    ) -> _core.Corpus:
        """Encode training data, and make vocabularies and features from it.

        `span_labels`: how labels make spans, if whole spans have features.
        """
        ids = self.type_ids(columns)
        corpus = _core.encode_new(self.freeze(), self.tables(), ids, begin, labels, closed, threads)
        if span_labels is not None:
            _core.encode_spans(self.frozen_index, self.tables(), ids, begin, corpus, *span_labels, threads)
        return corpus

    def encode(
        self, columns: Columns, begin: Ints, labels: Ints = NO_INTS, closed: Ints = NO_INTS, threads: int = 1
    ) -> _core.Corpus:
        """Encode with the existing features."""
        assert self.index is not None
        ids = self.type_ids(columns)
        return _core.encode(self.index, self.tables(), ids, begin, labels, closed, threads)


def values_of(columns: Columns, name: str) -> Values:
    """Return the values of a data column or a computed one."""
    values = columns[name]
    assert not isinstance(values, (NumberedValues, DocumentTokens))
    return values


def placed(meaning: str, offset: int) -> str:
    """Return a meaning with the word that it is about, unless that is the word that gets the label.

    >>> placed("in the list of places", -1), placed("like Mr., Mrs.", 2), placed("like Rome", 0)
    ('previous word in the list of places', 'word 2 after like Mr., Mrs.', 'like Rome')
    """
    if not meaning or not offset:
        return meaning
    near = {-1: "previous word", 1: "next word"}
    where = near.get(offset) or f"word {abs(offset)} {'before' if offset < 0 else 'after'}"
    return f"{where} {meaning}"

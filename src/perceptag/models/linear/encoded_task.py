"""The data of a task as native sequences: what every learner over rows of features starts from."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from itertools import chain, pairwise
from typing import Any

import numpy as np

from perceptag import _core
from perceptag.arrays import Ints
from perceptag.errors import ModelError, SettingError
from perceptag.features import gazetteer
from perceptag.features.attributes import Attribute
from perceptag.features.class_attributes import check_classes, refuse_own_names
from perceptag.features.dataset import Dataset, SequenceReader, computed_columns
from perceptag.features.document_columns import COLUMNS as DOCUMENT_COLUMNS
from perceptag.features.encoder import Encoder
from perceptag.features.fixed_encoder import ComputedColumns, FixedEncoder, TokenDictionary, allowed_text
from perceptag.features.gazetteer import Gazetteer
from perceptag.features.tag_dictionary import MAX_DICTIONARY, ClosedWords
from perceptag.features.template import Template, check_columns, check_readable, parse_all, spell_out
from perceptag.features.template_checks import check_amounts, unused
from perceptag.labels.label_parts import parts_of
from perceptag.labels.partial import without_open_spans
from perceptag.labels.span_labels import SpanLabels, span_labels, span_types
from perceptag.learn.latent import Latent
from perceptag.models.linear.packing import model_closed_words, model_gazetteer, model_templates
from perceptag.models.linear.span_packing import span_facts
from perceptag.models.linear.span_settings import columns_of_spans, read_spans
from perceptag.models.linear.starting_weights import StartingWeights, label_map, part_map
from perceptag.models.linear.tagger import LinearTagger
from perceptag.models.stored_lists import FACT
from perceptag.models.task import Task
from perceptag.text.conllu import CONLLU_COLUMNS


class TaskEncoding:
    """How the data of a task are encoded: templates, vocabularies, closed words, lists of phrases."""

    def __init__(self, task: Task, templates: Sequence[Template], lists: gazetteer.Gazetteer | None) -> None:
        self.task = task
        self.templates = list(templates)
        self.gazetteer = lists
        self.classes = task.classes.used_by(templates) if task.classes else None
        own = {**task.attributes, **(self.classes.attributes() if self.classes else {})}
        self.spans = read_spans(task, templates, own)
        self.encoder = Encoder(templates, own, self.spans)
        self.closed: ClosedWords | None = None
        self.dictionary: _core.TagDictionary | None = None

    @property
    def span_labels(self) -> SpanLabels | None:
        """How labels make spans, if whole spans have features."""
        return None if self.spans is None else span_labels(self.task.label_set.names, self.spans.longest)

    def close_words(self, closed: ClosedWords) -> None:
        """Restrict the labels of some words."""
        entries, labels = len(closed.entries), len(self.task.label_set.names)
        if entries * labels > MAX_DICTIONARY:
            raise SettingError(
                f"tag_dictionary: expected at most {MAX_DICTIONARY} entries times labels, found {entries} times "
                f"{labels}; a larger number closes fewer words"
            )
        self.closed, self.dictionary = closed, _core.TagDictionary(closed.entries, labels)

    def encode_dev(self) -> tuple[_core.Corpus, Ints] | None:
        """The dev data and where its sentences begin. Call this after cut-offs, because they renumber features."""
        if self.task.dev is None:
            return None
        # As in tagging: natively, whatever can be.
        computed = computed_columns(self.gazetteer)
        native = ComputedColumns([c for c in self.encoder.columns if c in computed], self.gazetteer)
        encoder = FixedEncoder(self.encoder, self.closed, len(self.task.label_set.names), native)
        reader = SequenceReader(encoder.columns, computed, self.task.recipe.unit, is_native=True)
        data = reader.read(self.task.dev)
        return encoder.encode(data.columns, data.units, self.task.threads), data.begin

    def facts(self) -> dict[str, Any]:
        """What a model needs besides its arrays to encode as in training."""
        facts: dict[str, Any] = {"unit": self.task.recipe.unit, **span_facts(self.spans)}
        if self.closed:
            facts["closed"] = self.closed.facts()
        if self.gazetteer is not None:
            facts["gazetteer"] = self.gazetteer.to_dict()
            if self.gazetteer.in_any_case is not None:
                facts[FACT] = self.gazetteer.in_any_case.to_dict()
        if self.classes is not None:
            facts["classes"] = self.classes.facts()
        return facts


class EncodedTask(TaskEncoding):
    """Training data encoded with new features, and what is needed to encode other data in the same way."""

    def __init__(self, task: Task, templates: Sequence[Template], earlier: Encoder | None = None) -> None:
        super().__init__(task, templates, make_gazetteer(task))
        if earlier is not None:
            self.encoder.start_from(earlier)
        data = self._training_data()
        if task.recipe.tag_dictionary:
            self.close_words(self._learn_closed(data))
        closed = self._find_closed(data)
        columns, units, reading = data.columns, data.units, self.span_labels
        self.corpus = self.encoder.encode_new(columns, units, data.labels, closed, task.threads, reading)

    def _training_data(self) -> Dataset:
        """The columns that templates look at, and that of the words if some of them are closed."""
        extra = ["form"] if self.task.recipe.tag_dictionary else []
        computed = computed_columns(self.gazetteer, self.task.documents())
        reader = SequenceReader([*self.encoder.columns, *extra], computed, self.task.recipe.unit)
        return reader.read(self.task.train, self.task.label_set)

    def _find_closed(self, data: Dataset) -> Ints:
        return self.closed.find(data.columns["form"]) if self.closed else np.zeros(0, np.int32)

    def _learn_closed(self, data: Dataset) -> ClosedWords:
        forms = data.columns.get("form", [])
        closed = ClosedWords.learn(forms, data.labels, self.task.recipe.tag_dictionary)
        return join_closed(self.task, closed, forms, data.labels)

    def sequences(self) -> list[_core.Sequence]:
        """The encoded training sequences."""
        return [self.corpus[i] for i in range(len(self.corpus))]

    def latent(self) -> dict[int, Latent]:
        """The training sequences that lack labels, by number. Call this after cut-offs, which renumber features."""
        task, L = self.task, len(self.task.label_set.names)
        if not any(task.masks):
            return {}
        known = (([y] for y in task.label_set.ids([s])) for s in task.train)
        masks = [mask or [frozenset(ys) for ys in own] for mask, own in zip(task.masks, known, strict=True)]
        flat = [mask for sentence in masks for mask in sentence]
        data, text = self._training_data(), [allowed_text(mask) for mask in flat]
        tokens = TokenDictionary(None, text, L)
        closed = tokens.find([[""] * len(flat)], text)
        corpus = self.encoder.encode(data.columns, data.units, closed=closed, threads=task.threads)
        return {
            i: Latent(corpus[i], tokens.native, flat[a:b])
            for i, (a, b) in enumerate(pairwise(data.units.tolist()))
            if any(len(mask) > 1 for mask in flat[a:b])
        }


def make_gazetteer(task: Task) -> gazetteer.Gazetteer | None:
    """The lists that the recipe names, and the chunks of the training data if it asks for them."""
    if not task.recipe.gazetteer:
        return None
    lists = gazetteer.read_gazetteer(task.recipe.gazetteer, task.read)
    words = [s.tokens for s in task.train]
    if gazetteer.FROM_TRAINING in task.recipe.gazetteer:
        lists.learn(words, _known_labels(task), task.label_set.inner, task.documents())
    if gazetteer.FROM_TRAINING_IN_ANY_CASE in task.recipe.gazetteer:
        lists.in_any_case = lists.in_any_case or Gazetteer()
        lower = ([word.lower() for word in some] for some in words)
        lists.in_any_case.learn(lower, _known_labels(task), task.label_set.inner, task.documents())
    join_gazetteer(task, lists)
    return lists


def _known_labels(task: Task) -> list[list[str]]:
    """The labels of the training data, without spans that are open somewhere."""
    labels = [task.label_set.read(s) for s in task.train]
    if not any(task.masks):
        return labels
    return [without_open_spans(*pair, task.label_set) for pair in zip(labels, task.masks, strict=True)]


def read_templates(task: Task) -> list[Template]:
    """The templates of the recipe, checked against the columns of the data."""
    read = [c for c in task.columns if c != task.label_set.column]
    columns = [*read, *DOCUMENT_COLUMNS, *(gazetteer.COLUMNS if task.recipe.gazetteer else ())]
    recipe, templates = task.recipe, parse_all(task.recipe.templates, columns)
    check_columns(templates, columns, _own_attributes(task, templates))
    check_amounts(templates, recipe.learner, recipe.declaration.kind)
    every = frozenset((*task.columns, *DOCUMENT_COLUMNS, *gazetteer.COLUMNS))
    templates = spell_out(templates, every)
    check_readable(templates, every)
    check_templates(task, templates)
    _warn_of_unused(task, templates, read)
    return templates


def _own_attributes(task: Task, templates: Sequence[Template]) -> Mapping[str, Attribute]:
    """The attributes that are not built in: those of the user, and word classes."""
    known = task.classes
    check_classes(templates, known.classes if known else None, task.attributes)
    if known is None:
        return task.attributes
    refuse_own_names(task.attributes, known.classes)
    return {**task.attributes, **known.attributes()}


def _warn_of_unused(task: Task, templates: Sequence[Template], columns: Sequence[str]) -> None:
    """Tell the user about columns that no template looks at. CoNLL-U has more columns than a tagger should look at."""
    is_conllu = set(CONLLU_COLUMNS) <= {*columns, task.label_set.column}
    may_be_used = is_conllu or task.functions  # functions of the user may look at any column
    by_spans = columns_of_spans(task.recipe, columns)
    others = () if may_be_used else [column for column in columns if column not in by_spans]
    lines = unused(templates, others, task.attributes)
    if task.recipe.classes and task.classes and task.classes.used_by(templates) is None:
        lines.append("warning: no template looks at word classes; --add 'classN[0]' adds one for every size")
    task.notes.extend(line for line in lines if line not in task.notes)


# Templates may be added, but none may be missing. Labels of both are kept. Closed words and gazetteers are merged.

LOCAL = ("linear", "maxent", "rerank")  # kinds of models with local weights that stand on their own


def check_templates(task: Task, templates: Sequence[Template]) -> None:
    """Refuse a recipe that lacks templates of the earlier model: their weights would have no place."""
    if task.start is None:
        return
    expected, found = model_templates(task.start), frozenset(templates)
    missing = [str(t) for t in expected if t not in found]
    if missing:
        raise ModelError(
            f"templates: expected all {len(expected)} of the model to continue from, found {len(templates)} "
            f"without {', '.join(map(repr, missing[:3]))}{' …' if len(missing) > 3 else ''}"
        )


def earlier_linear(task: Task) -> StartingWeights | None:
    """Features and weights of the earlier model; if several vectors vote, those of the last one."""
    if task.start is None:
        return None
    linear = LinearTagger(task.start, task.attributes)
    labels, recipe = label_map(task.start.label_set, task.label_set), task.recipe
    now = parts_of(task.label_set.names, recipe.labels_parts, recipe.labels_pairs)
    parts = part_map(task.start.label_set, linear.parts, now, labels)
    types = span_types(task.start.label_set.names) if linear.vectors[-1].has_spans else ()
    return StartingWeights(linear.encoder.base, linear.vectors[-1], labels, parts, types)


def join_gazetteer(task: Task, lists: Gazetteer) -> None:
    """Add the phrases of the earlier model.

    A training document still does not see phrases that are chunks in that document alone: the earlier model may have
    been trained on the same document.
    """
    earlier = model_gazetteer(task.start) if task.start is not None else None
    if earlier is not None:
        lists.join(earlier)


def join_closed(task: Task, closed: ClosedWords, forms: Sequence[Sequence[Hashable]], labels: Ints) -> ClosedWords:
    """Closed words of the earlier model stay closed; they also get the labels that they have in the new data."""
    earlier = model_closed_words(task.start) if task.start is not None else None
    if task.start is None or earlier is None:
        return closed
    numbers = label_map(task.start.label_set, task.label_set)
    allowed = {word: {int(numbers[y]) for y in earlier.entries[entry]} for word, entry in earlier.words.items()}
    for word, label in zip(chain.from_iterable(forms), labels.tolist(), strict=True):
        if word in allowed:
            allowed[str(word)].add(label)
    for word, entry in closed.words.items():
        allowed.setdefault(word, set()).update(closed.entries[entry])
    return ClosedWords.of(allowed)

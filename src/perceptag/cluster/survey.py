"""Survey the shards before the first pass, and merge the results in the order of the data.

    parts    ─▶ sizes, units, labels and their scheme, the values of all columns
    shards   ─▶ names of labels, closed words, digests
    shards   ─▶ features and their counts

Everything is what the same data in memory would have given.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from perceptag import _core
from perceptag.arrays import Ints
from perceptag.cluster.model_plan import Vocabulary, sees_documents
from perceptag.cluster.part_data import PartFacts
from perceptag.cluster.refusals import refuse_large, refuse_one_shard
from perceptag.cluster.shard_features import FORM, Numbering, ShardFeatures, SupportSum, merge_chunks
from perceptag.cluster.shard_labels import ShardLabels, Words
from perceptag.cluster.shared import Shared
from perceptag.cluster.sources import Source
from perceptag.cluster.units import Shard, Units
from perceptag.engines.calls import Call, Crew
from perceptag.errors import DataError
from perceptag.features.encoder import Encoder
from perceptag.features.gazetteer import COLUMNS, FROM_TRAINING
from perceptag.features.tag_dictionary import ClosedWords
from perceptag.labels.label_names import warnings_about
from perceptag.labels.label_set import LabelSet, broken, choose_schemes, must_be_valid, name_labels
from perceptag.labels.schemes import Transitions, count_violations
from perceptag.models.linear.encoded_task import TaskEncoding
from perceptag.models.task import DataFacts, Task, fit_columns, label_settings, note_on_broken
from perceptag.recipe.auto import number_of_shards, settle_shards
from perceptag.recipe.recipe import Recipe
from perceptag.text.documents import join_digests

Progress = Callable[[str, int, int, int], None]  # what is done; how many of how many; tokens
Result = TypeVar("Result")


@dataclass(slots=True)
class Surveyed:
    """Everything that the driver knows of the data before the first pass."""

    task: Task
    encoding: TaskEncoding
    shards: list[Shard]
    counts: SummedCounts
    vocabulary: object  # a `Shared[Vocabulary]`, as the crew shares it

    def fitted(self, recipe: Recipe) -> Recipe:
        """A recipe with the number of shards and the templates that the data ask for."""
        task = self.task
        settled = settle_shards(recipe, task.tokens)
        return fit_columns(settled, task.classes, task.columns, task.label_set.column)[0]


def survey(
    crew: Crew, source: Source, task: Task, encoding: TaskEncoding, allow_code: bool, progress: Progress
) -> Surveyed:
    """Survey spread data. `task` has the schemes and the facts of the data not yet."""
    units, transitions, tokens = _survey_parts(crew, len(source.parts), encoding, progress)
    if not units.first[-1]:
        raise DataError("there is no sentence to learn from")
    if source.whole_documents and (cut := units.cut_document()) is not None:
        raise DataError(
            "expected the mark of a document at the beginning of the file, since templates look at whole documents; "
            "found sentences of the last document of the file before it",
            source.parts[cut].path,
        )
    recipe, column = settle_shards(task.recipe, tokens), task.label_set.column
    task = replace(task, recipe=recipe)
    if number_of_shards(recipe) == 1:
        refuse_one_shard()
    schemes = choose_schemes(transitions, column, **label_settings(recipe))
    shards = units.shards(number_of_shards(recipe))
    violations = count_violations(transitions, schemes.outer)
    found = _survey_labels(crew, shards, schemes, bool(recipe.tag_dictionary), violations > 0, progress)
    label_set = _name_labels(found, schemes, recipe.constrain)
    digest, documents = join_digests(shard.sha256 for shard in found), sum(shard.units for shard in shards)
    data = DataFacts(task.columns, units.first[-1], tokens, digest, documents)
    notes = [*_notes(transitions, label_set, violations, found), *task.notes]
    task = replace(task, label_set=label_set, elsewhere=data, notes=notes)
    encoding.task = task
    if recipe.tag_dictionary:
        encoding.close_words(_closed_words(found, label_set, recipe.tag_dictionary))
    if FROM_TRAINING in recipe.gazetteer:
        _learn_lists(crew, shards, encoding)
    vocabulary = crew.share(_vocabulary(encoding, allow_code))
    counts = _survey_features(crew, shards, encoding, vocabulary, progress)
    return Surveyed(task, encoding, shards, counts, vocabulary)


def _survey_parts(crew: Crew, parts: int, encoding: TaskEncoding, progress: Progress) -> tuple[Units, Transitions, int]:
    """Add the facts of all parts, and number the values of all columns."""
    units, tokens, encoder = Units(), 0, encoding.encoder
    transitions: Transitions = Counter()
    calls = [Call(number, "survey_part", (number,)) for number in range(parts)]
    found: Iterator[PartFacts] = in_order(crew.run(calls))
    for number, facts in enumerate(found, 1):
        units.add(facts.sentences, facts.starts, facts.ends_marked)
        transitions.update(facts.transitions)
        tokens += facts.tokens
        for column in (column for column in encoder.columns if column in facts.values):
            encoder.lexicons[column].numbers([facts.values[column]])
        progress("read", number, parts, tokens)
    return units, transitions, tokens


def _survey_labels(
    crew: Crew, shards: Sequence[Shard], schemes: LabelSet, has_closed: bool, find_broken: bool, progress: Progress
) -> list[ShardLabels]:
    forms, tokens, done = FORM if has_closed else "", 0, []
    calls = [Call(s.number, "survey_labels", (s, schemes, forms, find_broken), prefers=s.number) for s in shards]
    for found in in_order(crew.run(calls)):
        refuse_large(found.tokens)
        done.append(found)
        tokens += found.tokens
        progress("labels", len(done), len(shards), tokens)
    return done


def _name_labels(found: Sequence[ShardLabels], schemes: LabelSet, constrain: bool) -> LabelSet:
    if must_be_valid(schemes, constrain):
        for shard in found:
            if shard.broken:
                raise broken(schemes, *shard.broken)
    return name_labels(schemes, frozenset().union(*(shard.names for shard in found)), constrain)


def _notes(transitions: Transitions, label_set: LabelSet, violations: int, found: Sequence[ShardLabels]) -> list[str]:
    """What a user should know about the labels."""
    labels: Counter[str] = Counter()
    for (_, label), count in transitions.items():
        if label is not None:
            labels[label] += count
    first = next((shard.broken for shard in found if shard.broken), None)
    return [*warnings_about(labels), *([note_on_broken(label_set, violations, *first)] if first else [])]


def _closed_words(found: Sequence[ShardLabels], label_set: LabelSet, at_least: int) -> ClosedWords:
    """The words that occur often enough, and their labels."""
    words: Words = {}
    for shard in found:
        for word, (count, labels) in shard.words.items():
            before, known = words.get(word, (0, frozenset()))
            words[word] = before + count, known | labels
    numbers = {name: i for i, name in enumerate(label_set.names)}
    often = {word: {numbers[y] for y in labels} for word, (count, labels) in words.items() if count >= at_least}
    return ClosedWords.of(often)


def _learn_lists(crew: Crew, shards: Sequence[Shard], encoding: TaskEncoding) -> None:
    """Learn the lists from the chunks of the data, and number what they mark."""
    task, lists = encoding.task, encoding.gazetteer
    assert lists is not None
    words = words_of(task.columns)
    calls = [Call(s.number, "find_chunks", (s, task.label_set, words), prefers=s.number) for s in shards]
    lists.add_chunks(merge_chunks(list(in_order(crew.run(calls)))))
    shared = None
    for column in (name for name in COLUMNS if name in encoding.encoder.columns):
        shared = shared or crew.share(Shared("lists", lambda: lists))
        calls = [Call(s.number, "mark_chunks", (s, shared, column, words), prefers=s.number) for s in shards]
        for marks in in_order(crew.run(calls)):
            encoding.encoder.lexicons[column].numbers([marks])


def words_of(columns: Sequence[str]) -> str:
    """The column that lists of phrases are matched with."""
    return FORM if FORM in columns else columns[0]


def _vocabulary(encoding: TaskEncoding, allow_code: bool) -> Shared[Vocabulary]:
    """The numbers of all values, for workers; in this process the encoder that has them is ready."""
    task, encoder = encoding.task, encoding.encoder
    encoder.freeze()

    def make() -> Vocabulary:
        values: dict[str, list[Hashable]] = {column: list(encoder.lexicons[column]) for column in encoder.columns}
        every = tuple(encoding.templates)
        others = encoding.classes, task.recipe, allow_code, *learned
        return Vocabulary(values, task.label_set, encoding.closed, every, *others)

    learned = encoding.gazetteer if FROM_TRAINING in task.recipe.gazetteer else None, words_of(task.columns)
    rest = task.recipe.unit, encoding.dictionary, *learned, sees_documents(task.recipe)
    ready = Numbering(encoder, task.label_set, encoding.closed, *rest)
    return Shared("vocabulary", make, ready)


def _survey_features(
    crew: Crew,
    shards: Sequence[Shard],
    encoding: TaskEncoding,
    vocabulary: object,
    progress: Progress,
) -> SummedCounts:
    counts = SummedCounts(encoding.encoder)
    calls = [Call(shard.number, "survey_features", (shard, vocabulary), prefers=shard.number) for shard in shards]
    tokens = encoding.task.tokens
    for number, found in enumerate(in_order(crew.run(calls)), 1):
        counts.add(found)
        progress("features", number, len(shards), tokens * number // len(shards))
    return counts


def in_order(results: Iterator[tuple[int, Any]]) -> Iterator[Any]:
    """The results of calls with the keys 0, 1, …, in this order.

    >>> list(in_order(iter([(1, "b"), (0, "a"), (2, "c")])))
    ['a', 'b', 'c']
    """
    waiting: dict[int, Any] = {}
    wanted = 0
    for key, result in results:
        waiting[key] = result
        while wanted in waiting:
            yield waiting.pop(wanted)
            wanted += 1


ORDERS = range(3)


@dataclass(slots=True)
class SummedCounts:
    """The features of shards, merged in order into the index of an encoder, and their counts.

    Merging contiguous shards one after the other gives the index that all data together would have given.
    """

    encoder: Encoder
    supports: list[SupportSum] = field(default_factory=lambda: [SupportSum() for _ in ORDERS])
    shards: list[Ints] = field(default_factory=lambda: [np.zeros(0, np.int32) for _ in ORDERS])  # with each feature
    transitions: dict[int, npt.NDArray[np.uint64]] = field(default_factory=dict)
    active: int = 0

    @property
    def index(self) -> _core.FeatureIndex:
        """The index of all features."""
        return self.encoder.frozen_index

    def add(self, found: ShardFeatures) -> None:
        """Add the next shard."""
        rows = self.index.merge(found.lists)
        for order in ORDERS:
            own = _core.Support(*found.supports[order])
            self.supports[order].add(own.moved(rows[order], self.index.rows(order)))
            counted = np.zeros(self.index.rows(order), np.int32)
            counted[: len(self.shards[order])] = self.shards[order]
            counted[rows[order]] += 1
            self.shards[order] = counted
        for order, counts in found.transitions.items():
            self.transitions[order] = self.transitions.get(order, 0) + counts
        self.active = max(self.active, found.active)

    # --- what weights are made of ---

    def support(self, order: int, rows: int, labels: int) -> _core.Support:
        del rows, labels  # which all shards have in common
        support = self.supports[order].total()
        self.supports[order] = SupportSum()  # it is large
        return support

    def cut_off(self, support: _core.Support, cutoff: int, whole_rows: bool, order: int) -> _core.Support:
        kept, renumbered = _core.cut_features(support, cutoff, whole_rows, order, self.index)
        self.shards[order] = self.shards[order][renumbered >= 0]
        return kept

    def unseen(self, order: int, labels: int, cutoff: int) -> npt.NDArray[np.uint8]:
        del labels
        return (self.transitions[order] < max(1, cutoff)).astype(np.uint8)

"""Training of the chunker: makes features and a gazetteer from the data, and runs feedback learning."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from perceptag import _core
from perceptag.arrays import Ints
from perceptag.errors import ModelError, SettingError, nearest
from perceptag.features.predicates import functional_words
from perceptag.labels.schemes import split_label
from perceptag.learn.chunker import Phrase
from perceptag.learn.learner import pass_order
from perceptag.models.chunker.encoder import (
    ChunkEncoder,
    Vocabularies,
    count_features,
    gazetteer_of,
    make_gazetteer,
    visible,
)
from perceptag.models.chunker.model import (
    BEGIN,
    INSIDE,
    Functions,
    Layers,
    decoder,
    function_arrays,
    gold_phrases,
    load_function,
    pack,
    to_labels,
)
from perceptag.models.chunker.tagger import ChunkTagger
from perceptag.models.model import AnyArrays, Arrays, reals
from perceptag.models.task import Task
from perceptag.models.trainer import Trainer, check_kind, run_loop
from perceptag.recipe.recipe import Recipe

_LAYERS = ("words", "phrases")
# Each support vector has a coefficient and each phrase a score for every category: time grows with their square.
MAX_CATEGORIES = 1024
MAX_PASTS = 1 << 20  # pasts of a word that the exact search may have to follow


class ChunkerTrainer(Trainer[Functions]):
    """A `Trainer` for the chunker with recognition feedback."""

    def __init__(self, task: Task) -> None:
        check_settings(task)
        earlier = earlier_chunker(task)
        self.task = task
        recipe = task.recipe
        self.step = STEP if earlier else 1
        self.categories = join_categories(earlier, categories_of(task.label_set.names))
        _check_size(recipe, len(self.categories))
        numbers = {name: k for k, name in enumerate(self.categories)}
        gold = [gold_phrases(task.label_set, s, numbers) for s in task.train]
        self.encoder = grow(earlier.encoder) if earlier else _encoder(task, gold)
        encoded = self.encoder.encode(task.train)
        self.encoder.freeze()
        sentences = encoded.sentences()

        windows = recipe.own["chunker.word_window"], recipe.own["chunker.phrase_window"]
        self.features = earlier.layers.features if earlier else _core.ChunkFeatures(*windows)
        phrases = gazetteer_of([s.columns[self.encoder.word] for s in task.train], gold)
        self.entries = join_entries(earlier, phrases)
        words = self.encoder.vocabularies.word
        seen = make_gazetteer(self.features, words, visible(self.entries, recipe.own["chunker.visible"], recipe.seed))
        self.gazetteer = make_gazetteer(self.features, words, self.entries)
        width = recipe.own["chunker.phrase_window"] if recipe.own["chunker.context"] != "none" else 0
        forms = [s.columns[self.encoder.form] for s in task.train]
        count_features(self.features, sentences, forms, gold, seen, width)
        self.features.freeze(recipe.cutoff)

        self.functions = self._fresh_functions()
        if earlier:
            take_over(earlier, self.functions, self._columns)
        layers = Layers(self.features, *self.functions, seen, recipe.own["chunker.context"])
        self.chunker = Chunker(layers, self.functions, self.step)
        self.examples = list(zip(sentences, map(frozenset, gold), strict=True))
        self.dev = self.encoder.encode(task.dev) if task.dev is not None else None

    def _fresh_functions(self) -> Functions:
        degree, (words, phrases) = self.task.recipe.own["chunker.degree"], self._columns
        return (
            _core.SupportVectors(len(self.features.word_keys), words, degree),
            _core.SupportVectors(len(self.features.phrase_keys), phrases, degree),
        )

    @property
    def _columns(self) -> tuple[int, int]:
        """How many functions of words and of phrases there are."""
        return 2, max(1, len(self.categories))

    # --- one pass ---

    def learn_epoch(self, epoch: int) -> int:
        """Run one pass in the order of the file, or shuffled by seed and pass."""
        recipe = self.task.recipe
        order = pass_order(len(self.examples), epoch, recipe.shuffle, recipe.seed)
        examples = [self.examples[i] for i in order]
        return run_loop(recipe, self.chunker, examples).sequences

    def has_converged(self) -> bool:
        """Never: the paper's learner always runs all passes."""
        return False

    def current(self) -> Functions:
        return self.functions

    def snapshot(self, weights: str) -> Functions:
        """The voted functions, or a copy of the last ones."""
        words, phrases = self.functions
        if weights == "averaged" and words.clock:  # before the first pass there is nothing to average
            return words.averaged(), phrases.averaged()
        return words.frozen(), phrases.frozen()

    def tag_dev(self, snapshot: Functions) -> list[list[str]]:
        """Labels of the dev sentences, found with the complete gazetteer."""
        assert self.dev is not None
        assert self.task.dev is not None
        recipe = self.task.recipe
        words, phrases = map(decoder, snapshot)
        layers = Layers(self.features, words, phrases, self.gazetteer, recipe.own["chunker.context"])
        found = layers.recognise_all(self.dev, self.task.threads)
        return [
            to_labels(self.task.label_set, phrases, len(sentence), self.categories)
            for phrases, sentence in zip(found, self.task.dev, strict=True)
        ]

    # --- models and checkpoints ---

    def pack(self, snapshot: Functions) -> tuple[Arrays, dict[str, Any]]:
        arrays, facts = pack(self.encoder, self.features, snapshot, self.entries)
        for name in _LAYERS:
            arrays[f"{name}.clock"] = arrays[f"{name}.clock"] * self.step  # coefficient / clock: what a vector counts
        return arrays, facts | {"categories": list(self.categories)}

    def state(self) -> Arrays:
        """All support vectors with coefficients, moments and clock."""
        return self.snapshot_arrays(self.functions)

    def restore(self, state: Arrays) -> None:
        _load(self.functions, state)

    def snapshot_arrays(self, snapshot: Functions) -> Arrays:
        return {
            f"{name}.{part}": array
            for name, vectors in zip(_LAYERS, snapshot, strict=True)
            for part, array in function_arrays(vectors).items()
        }

    def restore_snapshot(self, arrays: AnyArrays) -> Functions:
        functions = self._fresh_functions()
        _load(functions, arrays)
        return functions


def _load(functions: Functions, arrays: AnyArrays) -> None:
    for name, vectors in zip(_LAYERS, functions, strict=True):
        reals(arrays, f"{name}.clock", 1)
        reals(arrays, f"{name}.moments", len(reals(arrays, f"{name}.coefficients")))
        load_function(vectors, arrays, name)


def categories_of(names: Sequence[str]) -> tuple[str, ...]:
    """The types of chunks in a label set.

    >>> categories_of(["B-LOC", "B-PER", "I-LOC", "O"])
    ('LOC', 'PER')
    """
    return tuple(sorted({split_label(name)[1] for name in names if name != "O"}))


def check_settings(task: Task) -> None:
    """Refuse labels that are not chunks."""
    if task.label_set.inner == "none" and categories_of(task.label_set.names):
        raise SettingError(
            f"learner: the chunker learns chunks; expected labels in IOB1, IOB2 or IOBES in column "
            f"{task.label_set.column!r}, found others"
        )


def _check_size(recipe: Recipe, categories: int) -> None:
    """Refuse at once a size for which training would not end."""
    if categories > MAX_CATEGORIES:
        raise SettingError(
            f"learner: expected at most {MAX_CATEGORIES} types of chunks for the chunker, found {categories}"
        )
    pasts = (categories + 1) ** recipe.own["chunker.phrase_window"]
    if recipe.own["chunker.context"] == "exact" and pasts > MAX_PASTS:
        raise SettingError(
            f"chunker.context: exact follows up to {pasts} pasts of a word ({categories} kinds of chunks, "
            f"chunker.phrase_window = {recipe.own['chunker.phrase_window']}), expected at most {MAX_PASTS}: use best"
        )


def _column(task: Task, key: str, name: str) -> str:
    columns = [c for c in task.train[0].columns if c != task.label_set.column]
    if name not in columns:
        raise SettingError(
            f"{key}: there is no column {name!r} to look at; the data has {', '.join(columns)}{nearest(name, columns)}"
        )
    return name


def _encoder(task: Task, gold: Sequence[Sequence[Phrase]]) -> ChunkEncoder:
    recipe: Recipe = task.recipe
    first = next(c for c in task.train[0].columns if c != task.label_set.column)
    form = "form" if "form" in task.train[0].columns and task.label_set.column != "form" else first
    word = _column(task, "chunker.word", recipe.own["chunker.word"]) if recipe.own["chunker.word"] else form
    further = [_column(task, "chunker.columns", name) for name in recipe.own["chunker.columns"]]
    phrases = [s.columns[form][a : b + 1] for s, ys in zip(task.train, gold, strict=True) for a, b, _ in ys]
    return ChunkEncoder(form, word, further, functional_words(phrases), Vocabularies())


@dataclass(frozen=True, slots=True)
class Function:
    """One of the functions that share support vectors."""

    vectors: _core.SupportVectors
    column: int
    step: int  # the size of an update, for coefficients in units smaller than one

    def add(self, instance: Ints, sign: int) -> None:
        """w += sign * instance."""
        self.vectors.add(instance, self.column, sign * self.step)


class Chunker:
    """A `perceptag.learn.chunker.Chunker`; `layers` recognise phrases with `functions`."""

    def __init__(self, layers: Layers, functions: Functions, step: int = 1) -> None:
        self.layers = layers
        self._words, self._phrases = words, phrases = functions
        self.begin, self.inside = Function(words, BEGIN, step), Function(words, INSIDE, step)
        self.score = [Function(phrases, k, step) for k in range(phrases.columns)]

    def recognise(self, x: _core.ChunkSentence) -> _core.Recognition:
        """The phrases of a sentence, and the scores of words that they were found with."""
        return self.layers.recognise(x)

    def tick(self, x: _core.ChunkSentence, seen: _core.Recognition) -> None:
        """Count decisions: functions of words about every word, functions of phrases about every candidate."""
        self._words.tick(len(x))
        self._phrases.tick(seen.candidates)

    def word(self, x: _core.ChunkSentence, i: int) -> Ints:
        """The features of a word."""
        return self.layers.features.word(x, i)

    def phrase(self, x: _core.ChunkSentence, seen: _core.Recognition, s: int, e: int) -> Ints:
        """The features of a phrase with the left context that it was scored with."""
        return self.layers.instance(x, seen, s, e)


# Predicates, features and categories of the earlier model keep their numbers; new ones come after them. Coefficients
# must be whole numbers, but those of an averaged model are not. So they are rounded to units of 1 / `STEP`, and a new
# support vector counts `STEP` units.

STEP = 256
_SAME = ("chunker.degree", "chunker.word_window", "chunker.phrase_window", "chunker.word", "chunker.columns")

Entries = dict[tuple[str, ...], list[int]]


def earlier_chunker(task: Task) -> ChunkTagger | None:
    """The earlier model, if it looks at the same things."""
    check_kind(task, "chunker")
    if task.start is None:
        return None
    for key in _SAME:
        expected, found = task.start.recipe.own[key], task.recipe.own[key]
        if found != expected:
            raise ModelError(f"{key}: expected {expected!r}, with which the earlier model was trained, found {found!r}")
    return ChunkTagger(task.start)


def join_categories(earlier: ChunkTagger | None, found: Sequence[str]) -> tuple[str, ...]:
    """All categories; those of the earlier model come first and keep their numbers."""
    return tuple(dict.fromkeys([*(earlier.categories if earlier else ()), *found]))


def grow(encoder: ChunkEncoder) -> ChunkEncoder:
    """An encoder with the same predicates that takes in new words. Functional words stay as they are."""
    return ChunkEncoder(encoder.form, encoder.word, encoder.further, encoder.functional, encoder.vocabularies)


def join_entries(earlier: ChunkTagger | None, found: Entries) -> Entries:
    """The phrases of both gazetteers with all their categories, in a fixed order."""
    joined = {entry: set(categories) for entry, categories in found.items()}
    for words, categories in earlier.entries().items() if earlier else ():
        joined.setdefault(words, set()).update(categories)
    return {entry: sorted(joined[entry]) for entry in sorted(joined)}


def take_over(earlier: ChunkTagger, functions: Functions, columns: Sequence[int]) -> None:
    """Give new functions the earlier support vectors. `columns`: how many functions of words and of phrases."""
    for before, now, wide in zip(earlier.functions, functions, columns, strict=True):
        begin, ids, coefficients, _ = before.arrays()
        n = len(begin) - 1
        known = np.round(coefficients.reshape(-1, n) / max(1.0, before.clock) * STEP)
        wider = np.zeros((wide, n))
        wider[: len(known)] = known
        now.load(begin, ids, wider.ravel(), np.zeros(wider.size), 0.0)

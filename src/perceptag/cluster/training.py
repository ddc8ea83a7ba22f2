"""Training on files that do not fit into one process: the workers of an engine read them and learn from them.

The model is the one that `perceptag.training` makes of the same sentences in memory, bit for bit.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from functools import partial, reduce
from pathlib import Path

import numpy as np

from perceptag import _core
from perceptag.arrays import ranges
from perceptag.cluster.memory_share import require_share
from perceptag.cluster.model_plan import Lists, ModelPlan, Values, Whole, sees_documents
from perceptag.cluster.part_data import PartColumns, drop_parts
from perceptag.cluster.refusals import refuse_numbers, refuse_settings
from perceptag.cluster.shard_features import FORM, columns_to_read
from perceptag.cluster.shard_worker import Job, LearnedPart, ShardGradient, ShardWorker, Turn
from perceptag.cluster.shared import Shared, scratch_folder
from perceptag.cluster.sources import Source
from perceptag.cluster.survey import ORDERS, Progress, Surveyed, in_order, survey, words_of
from perceptag.cluster.units import Shard
from perceptag.engines.calls import Call, Crew, Engine
from perceptag.errors import PerceptagError
from perceptag.features.document_columns import COLUMNS as DOCUMENT_COLUMNS
from perceptag.features.gazetteer import FROM_TRAINING
from perceptag.labels.label_parts import parts_of
from perceptag.labels.label_set import LabelSet
from perceptag.learn.costs import UNIT as UNIT_OF_REAL_STEPS
from perceptag.learn.learner import Errors
from perceptag.learn.shards import MIXES, UNIT, rule_now
from perceptag.models.document.trainer import NonLocalTrainer
from perceptag.models.lbfgs import Vector
from perceptag.models.linear.blocks import BLOCKS
from perceptag.models.linear.crf_trainer import CrfTrainer
from perceptag.models.linear.encoded_task import TaskEncoding, make_gazetteer, read_templates
from perceptag.models.linear.mixing import LearnPart, OtherWeights, learns_documents
from perceptag.models.linear.trainer import LinearParts, LinearTrainer
from perceptag.models.linear.weights import make_layout
from perceptag.models.task import Task, begin_task
from perceptag.recipe.recipe import Recipe
from perceptag.recipe.usercode import attributes_of
from perceptag.text.sentence import Sentence
from perceptag.training.train import Training, training_of


def no_progress(what: str, done: int, of: int, tokens: int) -> None:
    """Show nothing."""
    del what, done, of, tokens


@dataclass(frozen=True, slots=True)
class Spread:
    """What is to be trained on an engine, except for the recipe."""

    source: Source
    dev: Sequence[Sentence] | None = None
    threads: int = 1  # of the driver, for the dev data
    allow_code: bool = False
    progress: Progress = no_progress


@contextmanager
def spread_trainings(recipe: Recipe, engine: Engine, spread: Spread) -> Iterator[SpreadTrainings]:
    """Trainings on spread data, by a recipe and others that differ from it in margins and passes only."""
    refuse_settings(recipe)
    attributes = attributes_of(recipe, allow_code=spread.allow_code)
    task = begin_task(recipe, spread.source.first(), spread.dev, spread.threads, attributes)
    templates = read_templates(task)
    refuse_numbers(templates)
    encoding = TaskEncoding(task, templates, make_gazetteer(task))
    learned = FROM_TRAINING in task.recipe.gazetteer
    words = [words_of(task.columns)] if learned or sees_documents(recipe) else []
    words += [FORM] if task.recipe.tag_dictionary else []
    columns = columns_to_read(encoding.encoder.columns, words, learned)
    wanted = PartColumns(columns, task.label_set.column, None if learned else encoding.gazetteer)
    whole_documents = not set(DOCUMENT_COLUMNS).isdisjoint(columns)
    source = spread.source.expecting(task.columns, whole_documents)
    with scratch_folder() as root, _crew(engine, root, source := source.unpacked(root), wanted) as crew:
        surveyed = survey(crew, source, task, encoding, spread.allow_code, spread.progress)
        drop_parts(root)
        yield SpreadTrainings(surveyed, crew)


@contextmanager
def _crew(engine: Engine, root: Path, source: Source, wanted: PartColumns) -> Iterator[Crew]:
    crew = engine.crew(partial(ShardWorker, Job(root, source, wanted)))
    try:
        yield crew
        with suppress(PerceptagError):  # scratch files that stay behind do no harm
            list(crew.run([Call(i, "tidy", (), prefers=i) for i in range(crew.size)]))
    finally:
        crew.close()


class SpreadTrainings:
    """Makes trainings whose data are with the workers of a crew. One may run while another one waits."""

    def __init__(self, surveyed: Surveyed, crew: Crew) -> None:
        task, encoding, counts = surveyed.task, surveyed.encoding, surveyed.counts
        self._surveyed, self._crew = surveyed, crew
        labels = task.label_set.names
        parts = parts_of(labels, task.recipe.labels_parts, task.recipe.labels_pairs)
        self._layout = make_layout(encoding.encoder, counts, len(labels), task.recipe, parts=parts)
        self._layout.mask = task.label_set.mask() if task.recipe.constrain else None
        index = encoding.encoder.frozen_index

        def lists() -> Lists:
            return [index.list(i) for i in range(len(encoding.encoder.templates))]

        self._features = crew.share(Shared("features", lists, index))
        self._active = counts.active if task.recipe.cutoff <= 1 else _most_active(crew, surveyed, self._features)
        self._presence = _core.Presence([shards.astype(np.uint32) for shards in counts.shards])
        self._made = 0
        features = sum(index.rows(order) for order in ORDERS)
        require_share(crew, features, self._layout.size())

    @property
    def label_set(self) -> LabelSet:
        """The labels of all data."""
        return self._surveyed.task.label_set

    def __call__(self, recipe: Recipe, *_: object, **__: object) -> Training:
        """The training of a recipe. What else `Training` takes is known already."""
        task = replace(self._surveyed.task, recipe=self._surveyed.fitted(recipe))
        return training_of(task, self._trainer, {})

    def _trainer(self, task: Task) -> LinearTrainer | CrfTrainer | NonLocalTrainer:
        surveyed, crew, weights = self._surveyed, self._crew, self._layout.make()
        self._made += 1
        plan = crew.share(Shared(f"plan {self._made}", lambda: ModelPlan(task.recipe, self._layout, task.label_set)))
        known = surveyed.vocabulary, self._features, plan
        if task.recipe.declaration.epoch is None:
            likelihood = SpreadLikelihood(crew, surveyed.shards, known)
            return CrfTrainer(task, LinearParts(surveyed.encoding, weights, self._active, None), likelihood)
        first = self._made << 32  # mixings of different trainings have different numbers
        passes = SpreadPasses(crew, surveyed.shards, task.recipe, weights, self._presence, known, first)
        make = NonLocalTrainer if sees_documents(task.recipe) else LinearTrainer
        return make(task, LinearParts(surveyed.encoding, weights, self._active, passes))


def _most_active(crew: Crew, surveyed: Surveyed, features: object) -> int:
    shared = surveyed.vocabulary, features
    calls = [Call(s.number, "most_active", (s, *shared), prefers=s.number) for s in surveyed.shards]
    found: list[int] = [active for _, active in crew.run(calls)]
    return max(found)


Known = tuple[object, object, object]  # vocabulary, features and plan, as the crew shares them

# A worker that is one mixing behind is sent what the mixing has changed. Any other one asks for all weights.


class SpreadPasses:
    """The passes of a trainer whose data are with the workers of a crew."""

    def __init__(
        self,
        crew: Crew,
        shards: Sequence[Shard],
        recipe: Recipe,
        weights: _core.Weights,
        presence: _core.Presence,
        known: Known,
        first: int = 0,
    ) -> None:
        """`known`: vocabulary, features and plan, as the crew shares them. `first`: the number of the first mixing."""
        self._crew, self._recipe, self._weights, self._presence = crew, recipe, weights, presence
        self._shards = shards
        self._known = known
        self._unit = UNIT_OF_REAL_STEPS if recipe.declaration.real_steps else UNIT
        self._mixing = first
        self._values: object = None  # what the last mixing has changed

    def learn(
        self, epoch: int, mistakes: Sequence[int], learn_part: LearnPart, others: OtherWeights | None = None
    ) -> Errors:
        del learn_part  # the workers have their own
        rule, errors = rule_now(mistakes), Errors()
        for number in range(MIXES):
            done = self._learn_parts(epoch, number, others)
            for learned in done:
                errors.add(learned.errors.sequences, learned.errors.labels)
            self._mix([learned.changes for learned in done], rule)
            if others is not None:
                changes = [learned.others for learned in done]
                others.mix(changes, rule, len(self._shards), self._weights.ticks)
        return errors

    def forget(self) -> None:
        """Send all weights again, because others have moved them."""
        self._mixing, self._values = self._mixing + 2, None

    def _learn_parts(self, epoch: int, number: int, others: OtherWeights | None) -> list[LearnedPart]:
        """One part of every shard that has one."""
        turn, w = Turn(epoch, number, self._mixing), None
        if others is not None:
            copied = others.w.copy()
            w = self._crew.share(Shared(f"others {self._mixing}", lambda: copied))
        having = [shard for shard in self._shards if ranges(self._examples(shard), MIXES)[number]]
        found = self._run(having, turn, w, None)
        behind = [shard for shard in having if found[shard.number] is None]
        if behind:
            found |= self._run(behind, turn, w, self._share_all())
        return [learned for learned in found.values() if learned is not None]

    def _examples(self, shard: Shard) -> int:
        is_document = self._recipe.unit == "document" or learns_documents(self._recipe)
        return shard.units if is_document else shard.sentences

    def _run(self, shards: Sequence[Shard], turn: Turn, others: object, whole: object) -> dict[int, LearnedPart | None]:
        given = (turn, *self._known, self._values, others, whole)
        calls = [Call(shard.number, "learn", (shard, *given), prefers=shard.number) for shard in shards]
        return dict(sorted(self._crew.run(calls)))

    def _share_all(self) -> object:
        return share_weights(self._crew, self._weights, self._mixing)

    def _mix(self, changes: list[_core.ShardChanges], rule: str) -> None:
        presence = self._presence if rule == "present" else None
        _core.mix(self._weights, changes, len(self._shards), self._unit, presence)
        made: Values = _core.mixed_values(self._weights, changes)
        self._mixing += 1
        self._values = self._crew.share(Shared(f"values {self._mixing}", lambda: made))


def share_weights(crew: Crew, weights: _core.Weights, number: int) -> object:
    """Put all weights where all workers can reach them."""
    made: Whole = [weights.get(block)[0] for block in BLOCKS]
    return crew.share(Shared(f"weights {number}", lambda: made))


class SpreadLikelihood:
    """The likelihood of data that are with the workers of a crew: `_core.Likelihood` over the same shards, bit for bit.

    The gradients of the shards are added in the order of the shards, whichever comes first.
    """

    def __init__(self, crew: Crew, shards: Sequence[Shard], known: Known) -> None:
        self._crew, self._shards, self._known = crew, shards, known
        self._number = 0  # of evaluations
        self._gold: Vector | None = None

    def evaluate(self, weights: _core.Weights, threads: int = 1) -> tuple[float, int, Vector]:
        """The log-likelihood, the number of wrong sequences, and the gradient."""
        del threads  # the workers have their own
        self._number += 1
        whole = share_weights(self._crew, weights, self._number)
        if self._gold is None:
            self._gold = reduce(np.add, (found.gradient for found in self._run(whole, is_gold=True)))
        value, wrong, gradient = 0.0, 0, self._gold.copy()
        for found in self._run(whole, is_gold=False):
            value, wrong = value + found.value, wrong + found.wrong
            gradient += found.gradient
        return value, wrong, gradient

    def _run(self, whole: object, *, is_gold: bool) -> Iterator[ShardGradient]:
        given = (self._number, *self._known, whole, is_gold)
        calls = [Call(shard.number, "differentiate", (shard, *given), prefers=shard.number) for shard in self._shards]
        return in_order(self._crew.run(calls))

"""Training on files that do not fit into one process: the workers of an engine read them and learn from them.

The model is the one that `perceptag.training` makes of the same sentences in memory, bit for bit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial

import numpy as np

from perceptag import _core
from perceptag.arrays import ranges
from perceptag.cluster.model_plan import Lists, ModelPlan, Values, Whole
from perceptag.cluster.part_data import PartColumns, drop_parts
from perceptag.cluster.refusals import refuse_settings, refuse_templates
from perceptag.cluster.shard_features import columns_to_read
from perceptag.cluster.shard_worker import Job, LearnedPart, ShardWorker, Turn
from perceptag.cluster.shared import Shared, scratch_folder
from perceptag.cluster.sources import Source
from perceptag.cluster.survey import Progress, Surveyed, survey, words_of
from perceptag.cluster.units import Shard
from perceptag.engines.calls import Call, Crew, Engine
from perceptag.errors import PerceptagError
from perceptag.features.gazetteer import FROM_TRAINING
from perceptag.labels.label_parts import parts_of
from perceptag.learn.costs import UNIT as UNIT_OF_REAL_STEPS
from perceptag.learn.learner import Errors
from perceptag.learn.shards import UNIT, rule_now
from perceptag.models.linear.blocks import BLOCKS
from perceptag.models.linear.encoded_task import TaskEncoding, make_gazetteer, read_templates
from perceptag.models.linear.mixing import LearnPart
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
    chosen: Mapping[str, object] = field(default_factory=dict)
    progress: Progress = no_progress


@contextmanager
def spread_training(recipe: Recipe, engine: Engine, spread: Spread) -> Iterator[Training]:
    """The training of a recipe on spread data; the workers live until the block ends."""
    refuse_settings(recipe)
    attributes = attributes_of(recipe, allow_code=spread.allow_code)
    task = begin_task(recipe, spread.source.first(), spread.dev, spread.threads, attributes)
    templates = read_templates(task)
    refuse_templates(task, templates)
    encoding = TaskEncoding(task, templates, make_gazetteer(task))
    learned = FROM_TRAINING in task.recipe.gazetteer
    listed = words_of(task.columns) if learned else ""
    columns = columns_to_read(encoding.encoder.columns, bool(task.recipe.tag_dictionary), listed)
    wanted = PartColumns(columns, task.label_set.column, None if learned else encoding.gazetteer)
    source = spread.source.expecting(task.columns)
    with scratch_folder() as root, _crew(engine, partial(ShardWorker, Job(root, source, wanted))) as crew:
        surveyed = survey(crew, len(source.parts), task, encoding, spread.allow_code, spread.progress)
        drop_parts(root)
        yield training_of(surveyed.task, partial(spread_trainer, surveyed=surveyed, crew=crew), spread.chosen)


@contextmanager
def _crew(engine: Engine, make: Callable[[], ShardWorker]) -> Iterator[Crew]:
    crew = engine.crew(make)
    try:
        yield crew
        with suppress(PerceptagError):  # scratch files that stay behind do no harm
            list(crew.run([Call(i, "tidy", (), prefers=i) for i in range(crew.size)]))
    finally:
        crew.close()


def spread_trainer(task: Task, surveyed: Surveyed, crew: Crew) -> LinearTrainer:
    """A trainer of linear models whose data are with the workers of a crew."""
    encoding, counts = surveyed.encoding, surveyed.counts
    labels = task.label_set.names
    parts = parts_of(labels, task.recipe.labels_parts, task.recipe.labels_pairs)
    layout = make_layout(encoding.encoder, counts, len(labels), task.recipe, parts=parts)
    layout.mask = task.label_set.mask() if task.recipe.constrain else None
    weights, index = layout.make(), encoding.encoder.frozen_index

    def lists() -> Lists:
        return [index.list(i) for i in range(len(encoding.encoder.templates))]

    features = crew.share(Shared("features", lists, index))
    plan = crew.share(Shared("plan", lambda: ModelPlan(task.recipe, layout)))
    active = counts.active if task.recipe.cutoff <= 1 else _most_active(crew, surveyed, features)
    presence = _core.Presence([shards.astype(np.uint32) for shards in counts.shards])
    known = surveyed.vocabulary, features, plan
    passes = SpreadPasses(crew, surveyed.shards, task.recipe, weights, presence, known)
    return LinearTrainer(task, LinearParts(encoding, weights, active, passes))


def _most_active(crew: Crew, surveyed: Surveyed, features: object) -> int:
    shared = surveyed.vocabulary, features
    calls = [Call(s.number, "most_active", (s, *shared), prefers=s.number) for s in surveyed.shards]
    found: list[int] = [active for _, active in crew.run(calls)]
    return max(found)


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
        known: tuple[object, object, object],
    ) -> None:
        """`known`: vocabulary, features and plan, as the crew shares them."""
        self._crew, self._recipe, self._weights, self._presence = crew, recipe, weights, presence
        self._shards = shards
        self._known = known
        self._unit = UNIT_OF_REAL_STEPS if recipe.declaration.real_steps else UNIT
        self._mixing = 0
        self._values: object = None  # what the last mixing has changed

    def learn(self, epoch: int, mistakes: Sequence[int], learn_part: LearnPart) -> Errors:
        del learn_part  # the workers have their own
        rule, mixes = rule_now(self._recipe.own["mix"], mistakes), self._recipe.own["mixes"]
        errors = Errors()
        for number in range(mixes):
            done = self._learn_parts(epoch, number, mixes)
            for learned in done:
                errors.add(learned.errors.sequences, learned.errors.labels)
            self._mix([learned.changes for learned in done], rule)
        return errors

    def forget(self) -> None:
        """Send all weights again, because others have moved them."""
        self._mixing, self._values = self._mixing + 2, None

    def _learn_parts(self, epoch: int, number: int, mixes: int) -> list[LearnedPart]:
        """One part of every shard that has one."""
        turn = Turn(epoch, number, self._mixing)
        having = [shard for shard in self._shards if ranges(self._sequences(shard), mixes)[number]]
        found = self._run(having, turn, None)
        behind = [shard for shard in having if found[shard.number] is None]
        if behind:
            found |= self._run(behind, turn, self._share_all())
        return [learned for learned in found.values() if learned is not None]

    def _sequences(self, shard: Shard) -> int:
        return shard.units if self._recipe.unit == "document" else shard.sentences

    def _run(self, shards: Sequence[Shard], turn: Turn, whole: object) -> dict[int, LearnedPart | None]:
        calls = [
            Call(shard.number, "learn", (shard, turn, *self._known, self._values, whole), prefers=shard.number)
            for shard in shards
        ]
        return dict(sorted(self._crew.run(calls)))

    def _share_all(self) -> object:
        weights = self._weights
        made: Whole = [weights.get(block)[0] for block in BLOCKS]
        return self._crew.share(Shared(f"weights {self._mixing}", lambda: made))

    def _mix(self, changes: list[_core.ShardChanges], rule: str) -> None:
        _core.mix(self._weights, changes, rule, len(self._shards), self._unit, self._presence)
        made: Values = _core.mixed_values(self._weights, changes)
        self._mixing += 1
        self._values = self._crew.share(Shared(f"values {self._mixing}", lambda: made))

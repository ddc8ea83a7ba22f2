"""Training on data that nobody has as a whole: in files, read and learned from by the workers of an engine.

The model is the one that `perceptag.training` makes of the same sentences in memory, bit for bit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial

import numpy as np

from perceptag import _core
from perceptag.cluster.model_plan import Lists, ModelPlan
from perceptag.cluster.part_data import Wanted, drop_parts
from perceptag.cluster.refusals import refuse_settings, refuse_templates
from perceptag.cluster.scratch import scratch_folder
from perceptag.cluster.shard_features import columns_to_read
from perceptag.cluster.shard_worker import Job, ShardWorker
from perceptag.cluster.shared import Shared
from perceptag.cluster.sources import Source
from perceptag.cluster.spread_passes import SpreadPasses
from perceptag.cluster.survey import Progress, Surveyed, survey, words_of
from perceptag.engines.calls import Call, Crew, Engine
from perceptag.errors import PerceptagError
from perceptag.features.gazetteer import FROM_TRAINING
from perceptag.models.linear.encoded_task import TaskEncoding, make_gazetteer, read_templates
from perceptag.models.linear.trainer import LinearTrainer, Vectors
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
    wanted = Wanted(columns, task.label_set.column, None if learned else encoding.gazetteer)
    source = spread.source.expecting(task.columns)
    with scratch_folder() as root, _crew(engine, partial(ShardWorker, Job(root, source, wanted))) as crew:
        surveyed = survey(crew, len(source.parts), task, encoding, spread.allow_code, spread.progress)
        drop_parts(root)
        yield training_of(surveyed.task, partial(SpreadTrainer, surveyed=surveyed, crew=crew), spread.chosen)


@contextmanager
def _crew(engine: Engine, make: Callable[[], ShardWorker]) -> Iterator[Crew]:
    crew = engine.crew(make)
    try:
        yield crew
        with suppress(PerceptagError):  # scratch files that stay behind harm nobody
            list(crew.run([Call(i, "tidy", (), prefers=i) for i in range(crew.size)]))
    finally:
        crew.close()


class SpreadTrainer(LinearTrainer):
    """A `Trainer` of linear models whose data are with the workers of a crew."""

    def __init__(self, task: Task, surveyed: Surveyed, crew: Crew) -> None:
        self.task = task
        encoding, counts = surveyed.encoding, surveyed.counts
        self.templates = encoding.templates
        self.data = encoding  # type: ignore[assignment]  # without the corpus, which no method here needs
        self.encoder, self.dictionary = encoding.encoder, encoding.dictionary
        layout = make_layout(self.encoder, counts, self.L, task.recipe)
        layout.mask = task.label_set.mask() if task.recipe.constrain else None
        self.weights = layout.make()
        self.learner = task.recipe.declaration
        self.learner_state = None
        index = self.encoder.frozen_index

        def lists() -> Lists:
            return [index.list(i) for i in range(len(self.encoder.templates))]

        features = crew.share(Shared("features", lists, index))
        plan = crew.share(Shared("plan", lambda: ModelPlan(task.recipe, layout)))
        self.active = counts.active if task.recipe.cutoff <= 1 else _most_active(crew, surveyed, features)
        self.sequences = []
        known = surveyed.vocabulary, features, plan
        presence = _core.Presence([shards.astype(np.uint32) for shards in counts.shards])
        self.mixed = SpreadPasses(crew, surveyed.shards, task.recipe, self.weights, presence, known)
        self.snapshots: Vectors = []
        self.wrong_labels: list[int] = []
        self.latent = {}
        self.dev = encoding.encode_dev()


def _most_active(crew: Crew, surveyed: Surveyed, features: object) -> int:
    shared = surveyed.vocabulary, features
    calls = [Call(s.number, "most_active", (s, *shared), prefers=s.number) for s in surveyed.shards]
    found: list[int] = [active for _, active in crew.run(calls)]
    return max(found)

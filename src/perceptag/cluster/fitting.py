"""A tagger trained from Python on files that are read in parts: `Tagger.fit` without the sentences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from perceptag.cluster.one_place import find_place, gather, require_memory
from perceptag.cluster.parts import expand
from perceptag.cluster.sources import open_source
from perceptag.cluster.training import Spread, no_progress, spread_trainings
from perceptag.engines.calls import Engine
from perceptag.engines.engine_names import engine as named_engine
from perceptag.errors import SettingError
from perceptag.labels.label_set import label_column
from perceptag.tagger import Tagger
from perceptag.text.format import FormatLike
from perceptag.text.formats import read
from perceptag.training.pass_table import Callback, run_passes
from perceptag.training.train import Training


def fit_files(
    tagger: Tagger,
    train: str | Sequence[str],
    *,
    dev: str | None = None,
    label: str = "",
    columns: Sequence[str] | None = None,
    format: FormatLike = None,  # noqa: A002
    on: str | Engine = "threads",
    workers: int = 0,
    callbacks: Sequence[Callback] = (),
) -> Tagger:
    """Train a tagger on files, given by name or by pattern; the result does not depend on the engine.

    `label` names the column of the labels; without it, they are where the recipe says, or in the last column.
    `columns` names the columns of a column file. `on` is an engine, or its name as `perceptag train --on` has it.
    """
    _refuse_own_code(tagger)
    plan = tagger._plan()
    heldout = list(read(dev, format, columns)) if dev is not None else None
    given = [train] if isinstance(train, str) else list(train)
    source = open_source(given, format, columns)
    column = label or plan.recipe.labels_column or label_column([source.first()], "")
    engine = named_engine(on, workers) if isinstance(on, str) else on
    place = find_place(plan, source, column, heldout is not None, engine, no_progress)
    if place.resolved is None:
        paths = expand(given)
        require_memory(paths, place.why)
        sentences = gather(paths, format, columns)
        at = replace(plan, on=engine)
        training = at.begin(at.resolve(sentences, column), sentences, heldout, may_run_ahead=not callbacks)
        _run(tagger, training, callbacks)
        return tagger
    spread = Spread(source, heldout, tagger.threads, plan.code.allowed)
    with spread_trainings(place.resolved.recipe, engine, spread) as make:
        _run(tagger, replace(plan, threads=1).begin(place.resolved, (), heldout, make=make), callbacks)
    return tagger


def _run(tagger: Tagger, training: Training, callbacks: Sequence[Callback]) -> None:
    run_passes(training, tagger.verbose, callbacks)
    tagger._keep(training)


def _refuse_own_code(tagger: Tagger) -> None:
    for what in ("attributes", "functions", "warm_start"):
        if getattr(tagger, what):
            raise SettingError(
                f"{what}: not possible with data that are spread out, whose workers have only what the recipe names"
            )

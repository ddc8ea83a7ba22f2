"""A tagger trained from Python on files that are read in parts: `Tagger.fit` without the sentences."""

from __future__ import annotations

from collections.abc import Sequence

from perceptag.cluster.refusals import refuse_settings
from perceptag.cluster.sources import open_source
from perceptag.cluster.training import Spread, spread_training
from perceptag.engines.calls import Engine
from perceptag.engines.engine_names import engine
from perceptag.errors import SettingError
from perceptag.tagger import Tagger
from perceptag.text.format import FormatLike
from perceptag.text.formats import read
from perceptag.training.pass_table import Callback, run_passes


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
    recipe = plan.recipe_without_choices(label)
    refuse_settings(recipe)
    source = open_source([train] if isinstance(train, str) else train, format, columns)
    spread = Spread(source, heldout, tagger.threads, plan.code.allowed)
    place = engine(on, workers) if isinstance(on, str) else on
    with spread_training(recipe, place, spread) as training:
        run_passes(training, tagger.verbose, callbacks)
        tagger._keep(training)
    return tagger


def _refuse_own_code(tagger: Tagger) -> None:
    for what in ("attributes", "functions", "warm_start"):
        if getattr(tagger, what):
            raise SettingError(
                f"{what}: not possible with data that are spread out, whose workers have only what the recipe names"
            )

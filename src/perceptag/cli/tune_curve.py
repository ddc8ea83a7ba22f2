"""``perceptag tune --curve``: draw a learning curve, with a forecast for more data."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Annotated

from perceptag.cli.bar import Bar
from perceptag.cli.declare import Option
from perceptag.cli.options import AllowCode, Json, LabelledColumns, Overwrite, Quiet
from perceptag.cli.streams import write_json, write_nothing, write_stderr, write_stdout, write_text
from perceptag.cli.table import Table, render
from perceptag.cli.training_options import Dev, Jobs, RecipeOptions, Train
from perceptag.cli.tune import read_pair
from perceptag.errors import SettingError
from perceptag.system import plot
from perceptag.system.cores import cores
from perceptag.system.file_kinds import PLOT
from perceptag.system.replacing import check_output

if TYPE_CHECKING:  # the help does not need it
    from perceptag.inspecting.learning_curve import LearningCurve

SIZES = "0.1,0.2,0.4,0.6,0.8,1"


def tune_curve_cli(
    train_file: Train,
    dev_file: Dev,
    reading: LabelledColumns,
    chosen: RecipeOptions,
    sizes: Annotated[
        str, Option("A,B,C", "Shares of the training data; a forecast needs three or more, and 1.")
    ] = SIZES,
    runs: Annotated[int, Option("N", "Random samples of each size to train on.", min=1, max=1000)] = 3,
    out: Annotated[str, Option("--plot FILE.svg", "Write a plot as SVG.")] = "",
    jobs: Jobs = 0,
    overwrite: Overwrite = False,
    allow_code: AllowCode = False,
    quiet: Quiet = False,
    json_: Json = False,
) -> None:
    """Show how much more labelled data would help.

    Draws a learning curve: trains on parts of the training data and scores each model on the dev data. The last row
    is a forecast for twice the data, extrapolated from the curve.
    """
    from perceptag.inspecting.learning_curve import CurvePlan, learning_curve

    shares = parse_sizes(sizes)
    if out:
        check_output("--plot", out, PLOT, [train_file, dev_file, chosen.recipe_name], overwrite=overwrite)
    data = read_pair(train_file, dev_file, reading, chosen)
    note = write_nothing if quiet else write_stderr
    for line in data.notes:
        note(line)
    plan = CurvePlan(shares, runs, jobs=cores(jobs), allow_code=allow_code)
    with Bar("trainings", len(set(shares)) * runs) as bar:
        found = learning_curve(data.recipe, data.train, data.dev, plan, bar.counting(note))
    if out:
        write_text(out, draw(found))
    write_json(found.to_dict()) if json_ else write_stdout(show(found))


def parse_sizes(text: str) -> list[float]:
    """The shares in ``--sizes 0.5,1``."""
    shares = []
    for word in text.split(","):
        try:
            share = float(word)
        except ValueError:
            share = math.nan
        if not 0 < share <= 1:
            raise SettingError(f"--sizes: expected shares above 0 and up to 1, such as {SIZES}; found {word!r}")
        shares.append(share)
    return shares


def show(found: LearningCurve) -> str:
    """A table of the sizes, with a plot in its last column."""
    from perceptag.system.table import PlotRange, ranges

    rows = [PlotRange(min(p.scores), p.mean, max(p.scores)) for p in found.points]
    if found.forecast:
        rows.append(PlotRange(found.forecast.low, found.forecast.score, found.forecast.high, "○"))
    drawn = ranges(rows)
    table = Table(["sentences", found.main_score, "lowest", "highest", "plot"], numbers=(0, 1, 2, 3))
    for point, row, line in zip(found.points, rows, drawn, strict=False):
        table.add(f"{point.sentences:,}", *(f"{v:.2f}" for v in (row.value, row.low, row.high)), line)
    if found.forecast:
        row = rows[-1]
        sentences = f"forecast {found.forecast.sentences:,}"
        table.add(sentences, *(f"{v:.2f}" for v in (row.value, row.low, row.high)), drawn[-1])
    runs = len(found.points[0].scores)
    said = f"● mean, lowest and highest of {runs} runs" if runs > 1 else "● one run"
    if found.forecast:
        said += "; ○ forecast for twice the data, not measured, with its 95 % interval over dev sentences"
    return f"{render(table).rstrip()}\n\n{said}"


def draw(found: LearningCurve) -> str:
    """The same as SVG, with an interval at each point; the forecast is dashed."""
    name = "F1" if found.main_score == "f1" else found.main_score
    runs = len(found.points[0].scores)
    measured = [(p.sentences, p.mean) for p in found.points]
    series = [
        plot.Series(
            f"mean of {runs} runs" if runs > 1 else "one run", measured, False, [p.interval for p in found.points]
        )
    ]
    if found.forecast:
        then = found.forecast
        points = [measured[-1], (then.sentences, then.score)]
        series.append(plot.Series("forecast, not measured", points, True, [None, (then.low, then.high)]))
    x = "training sentences; bars: 95 % interval, bootstrap over dev sentences"
    return plot.lines(series, title=f"Learning curve: dev {name}", x=x, y=f"dev {name}, %")

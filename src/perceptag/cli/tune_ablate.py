"""``perceptag tune --ablate``: show what each group of templates is worth."""

from __future__ import annotations

from perceptag.cli.bar import Bar
from perceptag.cli.options import AllowCode, Json, LabelledColumns, On, Quiet
from perceptag.cli.streams import write_json, write_nothing, write_stderr, write_stdout
from perceptag.cli.table import Table, render
from perceptag.cli.training_options import Dev, Jobs, RecipeOptions, Train, jobs_on
from perceptag.cli.tune import read_pair
from perceptag.trials.runs import Ablation, ablate, number_of_runs


def tune_ablate_cli(
    train_file: Train,
    dev_file: Dev,
    reading: LabelledColumns,
    chosen: RecipeOptions,
    jobs: Jobs = 0,
    on: On = "",
    allow_code: AllowCode = False,
    quiet: Quiet = False,
    json_: Json = False,
) -> None:
    """Show what each group of templates is worth.

    Trains with all templates, and then without each group of the recipe's table [templates], or without each template
    if the recipe has no groups. The worth of a group is the dev score lost without it, with a 95 % paired bootstrap
    interval.
    """
    data = read_pair(train_file, dev_file, reading, chosen)
    note = write_nothing if quiet else write_stderr
    for line in data.notes:
        note(line)
    with Bar("trainings", number_of_runs(data.recipe)) as bar:
        found = ablate(
            data.recipe,
            data.train,
            data.dev,
            jobs=jobs_on(on, jobs),
            on=on,
            allow_code=allow_code,
            note=bar.counting(note),
        )
    write_json(found.to_dict()) if json_ else write_stdout(show(found))


def show(found: Ablation) -> str:
    """A table; the group that is worth most comes first."""
    table = Table(["without", "templates", found.main_score, "worth", "95 % interval", "p"], numbers=(1, 2, 3, 5))
    table.add("(nothing left out)", "", f"{found.score:.2f}", "", "", "")
    for loss in found.losses:
        low, high = loss.interval
        interval = f"{low:+.2f} to {high:+.2f}"
        table.add(
            loss.group, str(loss.templates), f"{loss.score:.2f}", f"{loss.worth:+.2f}", interval, f"{loss.p_value:.3f}"
        )
    return render(table)

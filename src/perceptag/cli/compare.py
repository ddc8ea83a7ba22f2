"""``perceptag compare``: test whether one output is significantly better than another."""

from __future__ import annotations

from typing import Annotated

from perceptag.cli.bar import Bar
from perceptag.cli.declare import Argument, Option
from perceptag.cli.options import Json, LabelledColumns
from perceptag.cli.predicted_files import read_systems
from perceptag.cli.streams import check_failed, write_json, write_stderr, write_stdout
from perceptag.evaluation import compare


def compare_cli(
    gold: Annotated[str, Argument("GOLD", "Sentences with gold labels.")],
    a: Annotated[str, Argument("PRED_A", "The same with the labels of system A.")],
    b: Annotated[str, Argument("PRED_B", "The same with the labels of system B.")],
    reading: LabelledColumns,
    fail_below: Annotated[
        float | None, Option("D", "Exit with status 1 if score B - score A is below D percentage points.")
    ] = None,
    json_: Json = False,
) -> None:
    """Test whether one output is better than another.

    Runs a paired randomisation test over sentences, and shows a bootstrap interval of the difference.
    """
    systems = read_systems(gold, [a, b], reading, write_stderr)
    with Bar("comparing"):
        comparison = compare(*systems)
    write_json(comparison.to_dict()) if json_ else write_stdout(f"a: {a}\nb: {b}\n{comparison.render()}")
    if fail_below is not None and comparison.difference < fail_below:
        raise check_failed(f"the difference {comparison.difference:+.2f} is below {fail_below:g}")

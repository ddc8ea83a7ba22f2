"""``perceptag calibrate``: learn from labelled data how often the labels of a model are right."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from perceptag.cli.bar import Bar
from perceptag.cli.declare import Argument, Option
from perceptag.cli.eval import MOST, check_labels
from perceptag.cli.input_files import naming_for_scoring, read_all
from perceptag.cli.list_models import code_of, open_model
from perceptag.cli.options import AllowCode, FileOptions, Json, ModelIn, Overwrite, Quiet, Threads
from perceptag.cli.streams import (
    refuse_json_behind,
    write_json,
    write_nothing,
    write_stderr,
    write_stdout,
)
from perceptag.cli.tag_with_bar import margins_of_all
from perceptag.evaluation.reliability import Reliability
from perceptag.foreign.label_column import choose_label, usual_label
from perceptag.models import calibration
from perceptag.models.confident import calibrated, crossed
from perceptag.models.kinds import save
from perceptag.models.model import Model
from perceptag.models.protocol import ReadyModel
from perceptag.pipeline.installed import path_of
from perceptag.system.cores import cores
from perceptag.system.file_kinds import MODEL
from perceptag.system.output_files import is_stdout
from perceptag.system.plural import plural
from perceptag.system.replacing import check_output, kept_note
from perceptag.text.sentence import Sentence
from perceptag.training.outside import adjust

Say = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class CalibrationReport:
    """The result of a calibration."""

    model: str
    sha256: str
    tokens: int
    spans: int | None  # None: labels are not spans
    expected: Reliability | None  # None: a single document cannot be split in two

    def to_dict(self) -> dict[str, Any]:
        """A dictionary for JSON."""
        expected = self.expected.to_dict() if self.expected else None
        return {
            "model": self.model,
            "sha256": self.sha256,
            "tokens": self.tokens,
            "spans": self.spans,
            "reliability": expected,
        }


def calibrate_cli(
    model: ModelIn,
    data: Annotated[str, Argument("DATA", "Labelled sentences that the model was not trained on.")],
    output: Annotated[str, Option("--output -o OUT", "Where to write the calibrated model.")],
    reading: FileOptions,
    beta: Annotated[
        float | None,
        Option(
            "B",
            "Also choose the score of O that maximises F-beta on DATA: recall counts B times as much as precision.",
            min=0.01,
            max=100,
        ),
    ] = None,
    threads: Threads = 0,
    overwrite: Overwrite = False,
    allow_code: AllowCode = False,
    quiet: Quiet = False,
    json_: Json = False,
) -> None:
    """Calibrate confidence, or trade precision for recall.

    Learns from labelled data how often labels and spans with a given margin are right, and writes a model for
    'perceptag tag --confidence'. Training with --dev does the same with the dev data. Without --beta the labels stay
    as they are. The table estimates calibration on new data by two-fold cross-validation over documents.
    """
    if json_:
        refuse_json_behind("--output", output)
    note = write_nothing if quiet else write_stderr
    done = calibrate(
        *(model, data, output, reading, beta),
        threads=cores(threads),
        overwrite=overwrite,
        allow_code=allow_code,
        note=note,
    )
    if json_:
        write_json(done.to_dict())
    elif done.expected:
        (note if is_stdout(output) else write_stdout)(done.expected.render())


def calibrate(
    model: str,
    data: str,
    output: str,
    reading: FileOptions,
    beta: float | None,
    *,
    threads: int,
    overwrite: bool = False,
    allow_code: bool,
    note: Say,
) -> CalibrationReport:
    """Calibrate the model in the file `model` on the sentences in `data`, and write it to `output`."""
    model = path_of(model)
    check_output("--output", output, MODEL, [model, data], overwrite=overwrite)
    ready = open_model(model, allow_code=allow_code)
    loaded = ready.model
    label = loaded.label_set.column
    names = reading.names or naming_for_scoring(loaded.columns, label, data, from_rules=loaded.from_rules)
    sentences = read_all(data, reading.format, names, "labelled")
    column = choose_label(sentences, reading.label or usual_label(sentences, label))
    label_set = dataclasses.replace(loaded.label_set, column=column)
    check_labels(label_set, sentences, MOST, note)
    gold = label_set.gold(sentences)
    if beta is not None:
        loaded = _adjust(ready, sentences, gold, beta, threads, note)
    found = margins_of_all(ready, sentences, threads)
    known = calibration.fit_calibration(found, gold, label_set.outer)
    told = "" if overwrite else kept_note(output)
    code = code_of(loaded, allow_code=allow_code)
    sha = save(calibrated(loaded, known, sentences), output, *code, keeps_old=not overwrite)
    if told:
        note(told)
    number = None if known.spans is None else sum(len(m.spans) for m in found)
    tokens = sum(map(len, sentences))
    of_spans = "" if number is None else f" and {plural(number, 'span')}"
    note(f"calibrated on {plural(tokens, 'token')}{of_spans}: saved {output}, sha256 {sha[:16]}")
    return CalibrationReport(output, sha, tokens, number, crossed(sentences, found, gold, label_set.outer))


def _adjust(
    ready: ReadyModel,
    sentences: Sequence[Sentence],
    gold: Sequence[Sequence[str]],
    beta: float,
    threads: int,
    note: Say,
) -> Model:
    """The model with the score of O that is best on the sentences. It is ready with the same score."""
    with Bar("choosing the score of O"):
        found = adjust(ready, sentences, gold, beta, threads)
    for tried in (found.before, found.after):
        counts = tried.counts
        scores = f"precision {counts.precision:.2f}, recall {counts.recall:.2f}, F{beta:g} {tried.f(beta):.2f}"
        note(f"score of O {tried.outside_score:+g}: {scores}")
    return found.model

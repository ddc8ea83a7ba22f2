"""``perceptag eval --errors``: show what a model gets wrong."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

from perceptag._version import __version__
from perceptag.cli.declare import Option
from perceptag.cli.eval import check_labels, read_gold, written_gold
from perceptag.cli.options import AllowCode, Gold, Json, LabelledColumns, Layer, ModelIn, Overwrite, Quiet, Threads
from perceptag.cli.streams import write_json, write_nothing, write_stderr, write_stdout, write_text
from perceptag.cli.table import tabled
from perceptag.cli.tag_with_bar import tag_all
from perceptag.evaluation import evaluate
from perceptag.pipeline.installed import path_of
from perceptag.pipeline.pipeline import Pipeline
from perceptag.system.cores import cores
from perceptag.system.file_kinds import PAGE
from perceptag.system.replacing import check_output
from perceptag.tagging.tag_file import open_pipeline
from perceptag.text import Sentence

if TYPE_CHECKING:  # the help does not need it
    from perceptag.inspecting.error_analysis import ErrorAnalysis
    from perceptag.inspecting.error_page import View

MOST = 500  # sentences with errors in the page and in JSON


def eval_errors_cli(
    model: ModelIn,
    gold: Gold,
    reading: LabelledColumns,
    html: Annotated[str, Option("FILE.html", "Write an HTML page with all tables and the sentences.")] = "",
    limit: Annotated[int, Option("--top N", "Rows of each table; 0: all.", min=0)] = 10,
    layer: Layer = "",
    threads: Threads = 0,
    overwrite: Overwrite = False,
    allow_code: AllowCode = False,
    quiet: Quiet = False,
    json_: Json = False,
) -> None:
    """Show what a model gets wrong.

    Tags labelled data and counts the errors: confusions of labels, errors on known and unknown words, by label, by
    shape and by length of span. Span errors are boundary, type, missed, invented or several.

    --html writes a single file, which needs no network. The page and the JSON have the first 500 sentences with errors.
    """
    if html:
        check_output("--html", html, PAGE, [path_of(model), gold], overwrite=overwrite)
    note = write_nothing if quiet else write_stderr
    opened = open_pipeline(model, allow_code=allow_code, layer=layer)
    found = errors(opened, model, gold, reading, cores(threads), note)
    if html:
        write_text(html, found.page())
    write_json(found.to_dict()) if json_ else write_stdout(found.render(limit))


@dataclass(frozen=True, slots=True)
class ErrorReport:
    """The errors of a model on a file."""

    model: str
    gold: str
    sentences: list[Sentence]
    analysis: ErrorAnalysis

    def _summary(self) -> dict[str, str]:
        report = self.analysis.report
        name, value = report.main_score
        wrong = f"{self.analysis.errors:,} in {len(self.analysis.sentences):,} of {report.sentences:,} sentences"
        return {"F1" if name == "f1" else name: f"{value:.2f} %", "errors": wrong}

    def page(self) -> str:
        """The page of ``--html``."""
        from perceptag.inspecting.error_page import page

        facts = {"model": self.model, "data": self.gold, **self._summary(), "perceptag": __version__}
        return page(f"Errors of {self.model}", facts, self.analysis, self.sentences, MOST)

    def to_dict(self) -> dict[str, Any]:
        """A dictionary for JSON, with at most `MOST` sentences."""
        found = self.analysis.to_dict()
        found["sentences"] = found["sentences"][:MOST]
        for entry in found["sentences"]:
            sentence = self.sentences[entry["number"]]
            entry |= {"where": sentence.where(), "tokens": sentence.tokens}
        return {"model": self.model, "gold": self.gold, **found}

    def render(self, limit: int) -> str:
        """All tables."""
        from perceptag.inspecting.error_page import tables

        head = "; ".join(f"{name}: {value}" for name, value in self._summary().items())
        return "\n".join([head, "", *(_text(view) for view in tables(self.analysis, limit))])


def _text(view: View) -> str:
    return tabled(view.head, view.rows, view.title, range(view.words, len(view.head)))


def errors(
    opened: Pipeline, model: str, gold: str, reading: LabelledColumns, threads: int, note: Callable[[str], None]
) -> ErrorReport:
    """Tag a file with a model and find its errors."""
    from perceptag.inspecting.error_analysis import analyse

    sentences, label_set = read_gold(opened, gold, reading)
    check_labels(label_set, sentences, 1.0, note)
    right = written_gold(label_set, sentences)
    predicted, known = tag_all(opened, sentences, threads), opened.top.ready.known_words()
    report = evaluate(right, predicted, tokens=[s.tokens for s in sentences], known=known, bootstrap=0)
    return ErrorReport(model, gold, sentences, analyse(sentences, right, predicted, report, known))

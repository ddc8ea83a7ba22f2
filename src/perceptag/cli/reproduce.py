"""``perceptag reproduce``: reproduce the tables of the papers, next to the published figures."""

from __future__ import annotations

from enum import Enum
from pathlib import Path
from typing import Annotated

from perceptag.cli.bar import Bar
from perceptag.cli.declare import Argument, Option
from perceptag.cli.options import Json, On, Quiet
from perceptag.cli.streams import check_failed, write_json, write_nothing, write_stderr, write_stdout
from perceptag.cli.table import Table, render
from perceptag.cli.training_options import Jobs, jobs_on
from perceptag.reproduce.report import PAPERS, ReproductionReport, make_report
from perceptag.reproduce.views import ShownTable


class Paper(str, Enum):
    """The papers that can be reproduced."""

    COLLINS = "collins2002"
    CARRERAS = "carreras2003"
    KAZAMA = "kazama2007"
    SHEN = "shen2007"
    ALL = "all"


def reproduce_cli(
    paper: Annotated[Paper, Argument("PAPER", f"Whose tables: {', '.join(paper.value for paper in Paper)}.")],
    data: Annotated[str, Option("DIR", "Folder of the corpora; 'shipped': the corpus in the package.")],
    quick: Annotated[bool, Option("--quick", "The shape of every table in minutes: less data, fewer passes.")] = False,
    out: Annotated[str, Option("--out -o DIR", "Folder for the report and the finished runs.")] = "out/reproduce",
    jobs: Jobs = 0,
    on: On = "",
    quiet: Quiet = False,
    json_: Json = False,
) -> None:
    """Reproduce the tables of the papers.

    Trains every row that the data allows, chooses settings on dev data only, and prints each table next to the
    published figures. --out keeps finished runs, so an interrupted command can be repeated, and the report with
    plots, report.html.
    """
    papers = list(PAPERS) if paper is Paper.ALL else [paper.value]
    say = write_nothing if quiet else write_stderr
    with Bar("reproducing", None, "runs") as bar:
        report = make_report(
            papers, data, Path(out), quick=quick, jobs=jobs_on(on, jobs), say=say, progress=bar.show, on=on
        )
    write_json(report.to_dict()) if json_ else write_stdout(shown(report))
    write_stderr(f"report: {report.path}")
    if report.failed:
        raise check_failed(f"{report.failed} runs failed; the report says why, and the same command tries them again")
    if not report.runs.rows:
        raise check_failed("no table could be run with this data:\n  " + "\n  ".join(report.runs.notes))


def shown(report: ReproductionReport) -> str:
    """All tables as text."""
    parts = ["\n".join(f"{name}: {value}" for name, value in report.facts.items())]
    for section in report.sections:
        parts.append(f"{section.title}\n{'=' * len(section.title)}")
        parts += map(_text, section.tables)
    return "\n\n".join([*parts, _text(report.statements)])


def _text(view: ShownTable) -> str:
    table = Table(view.head, numbers=range(1, len(view.head)) if view.head[0] == "" else ())
    for row in view.rows:
        table.add(*row)
    return "\n".join([render(table, view.title).rstrip(), *(f"  {note}" for note in view.notes)])

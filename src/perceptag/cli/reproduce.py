"""``perceptag reproduce``: reproduce the tables of the papers, next to the published figures."""

from __future__ import annotations

from dataclasses import replace
from enum import Enum
from pathlib import Path
from typing import Annotated

from perceptag.cli.bar import Bar
from perceptag.cli.declare import Argument, Option
from perceptag.cli.options import Json, On, Overwrite, Quiet
from perceptag.cli.streams import check_failed, write_json, write_nothing, write_stderr, write_stdout
from perceptag.cli.table import Table, render
from perceptag.cli.training_options import Jobs, jobs_on
from perceptag.errors import SettingError
from perceptag.reproduce.corpora import Folder
from perceptag.reproduce.export import export_row, find_row
from perceptag.reproduce.plan import view_plan
from perceptag.reproduce.report import PAPERS, ReproductionReport, make_report, wanted
from perceptag.reproduce.views import ShownTable
from perceptag.system.file_kinds import JSON, PAGE
from perceptag.system.plural import plural
from perceptag.system.replacing import refuse_file_for_folder, refuse_other_kind


class Paper(str, Enum):
    """The papers that can be reproduced."""

    COLLINS = "collins2002"
    CARRERAS = "carreras2003"
    KAZAMA = "kazama2007"
    SHEN = "shen2007"
    ALL = "all"


def reproduce_cli(
    paper: Annotated[Paper, Argument("PAPER", f"The paper: {', '.join(paper.value for paper in Paper)}.")],
    data: Annotated[str, Option("DIR", "Folder of the corpora; 'shipped': the corpus in the package.")],
    quick: Annotated[bool, Option("--quick", "The shape of every table in minutes: less data, fewer passes.")] = False,
    out: Annotated[str, Option("--output -o DIR", "Folder for the report and finished runs.")] = "out/reproduce",
    table: Annotated[str, Option("TITLE", "Only tables whose title begins with this, such as 'table 2'.")] = "",
    as_published: Annotated[
        bool, Option("--as-published", "Only kazama2007: every grid, start and stopping rule of the paper. Over a day.")
    ] = False,
    plan: Annotated[bool, Option("--plan", "Print what would run and how long it may take, and exit.")] = False,
    export: Annotated[str, Option("ROW", "Write recipe and model of a row of a table to --output, and exit.")] = "",
    encoding: Annotated[str, Option("NAME", "Encoding of files that are not UTF-8, such as latin-1.")] = "",
    jobs: Jobs = 0,
    on: On = "",
    overwrite: Overwrite = False,
    quiet: Quiet = False,
    json_: Json = False,
) -> None:
    """Reproduce the tables of the papers.

    Trains every row that the data allows, chooses settings on dev data only, and prints each table next to the
    published figures. --output keeps finished runs, so an interrupted command can be repeated, and the report with
    plots, report.html.
    """
    papers = list(PAPERS) if paper is Paper.ALL else [paper.value]
    if as_published and papers != ["kazama2007"]:
        raise SettingError("--as-published: expected the paper kazama2007; the others are run as published anyway")
    if as_published and quick:
        raise SettingError("--as-published and --quick: expected one of them, found both")
    refuse_file_for_folder("--output", out)
    for name, kind in {"report.html": PAGE, "report.json": JSON}.items():
        refuse_other_kind("--output", str(Path(out) / name), kind, overwrite=overwrite)
    folder = Folder(data, encoding)  # first: a wrong folder is refused before anything is written
    asked = wanted(papers, quick=quick, published=as_published, table=table)
    say = write_nothing if quiet else write_stderr
    if plan:
        shown_plan = view_plan(asked, folder, quick)
        write_json(shown_plan.to_dict()) if json_ else write_stdout(_text(shown_plan))
        return
    if export:
        row = find_row(asked.all_tables(), export)
        written = export_row(row, folder, Path(out), quick=quick, jobs=jobs_on(on, jobs), say=say, overwrite=overwrite)
        write_stdout("\n".join(map(str, written)))
        return
    with Bar("reproducing", None, "runs") as bar:
        report = make_report(
            asked, folder, Path(out), quick=quick, jobs=jobs_on(on, jobs), say=say, progress=bar.show, on=on
        )
    write_json(report.to_dict()) if json_ else write_stdout(shown(report))
    write_stderr(f"report: {report.path}")
    if report.failed:
        raise check_failed(
            f"failed: {plural(report.failed, 'run')}; the report says why, and the same command tries again"
        )
    if not report.runs.rows:
        raise check_failed("no table could be run with this data:\n  " + "\n  ".join(report.runs.notes))


def shown(report: ReproductionReport) -> str:
    """All tables as text."""
    parts = ["\n".join(f"{name}: {value}" for name, value in report.facts.items())]
    statements = replace(
        report.statements, head=report.statements.head[:4], rows=[r[:4] for r in report.statements.rows]
    )
    parts += [_text(report.summary), _text(statements)]  # the quotes are in the report
    for section in report.sections:
        parts.append(f"{section.title}\n{'=' * len(section.title)}")
        parts.append("\n".join(["Departures from the paper:", *(f"- {text}" for text in section.departures)]))
        parts += map(_text, section.tables)
    return "\n\n".join(parts)


def _text(view: ShownTable) -> str:
    table = Table(view.head, range(1, len(view.head)) if view.head[0] == "" else (), [*map(tuple, view.rows)])
    return "\n".join([render(table, view.title).rstrip(), *(f"  {note}" for note in view.notes)])

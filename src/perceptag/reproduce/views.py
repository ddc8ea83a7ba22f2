"""Tables and statements as text cells, for the terminal and for the report alike."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from perceptag.reproduce.schedule import Outcome
from perceptag.reproduce.statements import Gold, Statement
from perceptag.reproduce.tables import Figure, Table

NOTHING = "–"


@dataclass(frozen=True, slots=True)
class View:
    """A table to be shown: all text, with the reasons for what is missing below it."""

    title: str
    head: list[str]
    rows: list[list[str]]
    notes: list[str]


def view_table(table: Table, outcome: Outcome) -> View:
    """A table with the paper's figures and ours side by side."""
    has_paper = [any(row.figures[i].paper for row in table.rows) for i in range(len(table.columns))]
    head = [""]
    for name, shown in zip(table.columns, has_paper, strict=True):
        head += [f"{name}, paper", f"{name}, ours"] if shown else [f"{name}, ours"]
    reasons: dict[str, None] = {}
    rows = []
    for row in table.rows:
        cells = [row.name]
        for figure, shown in zip(row.figures, has_paper, strict=True):
            cells += [figure.paper or NOTHING] if shown else []
            cells.append(_ours(figure, outcome, reasons.setdefault))
        rows.append(cells)
    return View(table.title, head, rows, [*table.notes, *(f"{NOTHING} {reason}" for reason in reasons)])


def _ours(figure: Figure, outcome: Outcome, tell: Callable[[str], object]) -> str:
    ours = figure.ours(outcome.found)
    if ours is None:
        reasons = [reason for reason in map(outcome.reason, figure.runs) if reason]
        tell(reasons[0] if reasons else figure.missing or "not run")
        return NOTHING
    return str(ours)


def view_statements(statements: Sequence[Statement], outcome: Outcome, gold: Gold) -> View:
    """The statements of the papers and what became of them."""
    rows = []
    for statement in statements:
        verdict = statement.judge(outcome.found, gold)
        rows.append([statement.paper, statement.text, verdict.verdict, verdict.detail])
    note = (
        "Differences are of dev scores, with 95 % paired bootstrap intervals over sentences; 'undecided' where the "
        "interval has 0 in it."
    )
    return View("Statements of the papers", ["paper", "statement", "here", "figures"], rows, [note])

"""Tables and statements as text cells, for the terminal and the report."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import fmean

from perceptag.recipe.recipe import key_of
from perceptag.reproduce.experiment import Experiment
from perceptag.reproduce.schedule import RunOutcomes
from perceptag.reproduce.statements import Gold, Statement
from perceptag.reproduce.tables import Figure, PaperRow, PaperTable, seconds

NOTHING = "–"


@dataclass(frozen=True, slots=True)
class ShownTable:
    """A table to be shown: all text. Notes below it say why figures are missing."""

    title: str
    head: list[str]
    rows: list[list[str]]
    notes: list[str]


def view_table(table: PaperTable, outcome: RunOutcomes) -> ShownTable:
    """Show a table with the paper's figures next to ours."""
    has_paper = [any(row.figures[i].paper for row in table.rows) for i in range(len(table.columns))]
    head = [""]
    for name, shown in zip(table.columns, has_paper, strict=True):
        head += [f"{name}, paper", f"{name}, ours"] if shown else [f"{name}, ours"]
    times = [_seconds(row, outcome) for row in table.rows]
    in_column = len(set(times)) > 1 and not any(f.value is seconds for row in table.rows for f in row.figures)
    head += ["CPU seconds"] if in_column else []
    reasons: dict[str, None] = {}
    rows = []
    for row, time in zip(table.rows, times, strict=True):
        cells = [row.name]
        for figure, shown in zip(row.figures, has_paper, strict=True):
            cells += [figure.paper or NOTHING] if shown else []
            cells.append(_ours(figure, outcome, reasons.setdefault))
        rows.append(cells + ([time] if in_column else []))
    about_data = [table.data] if table.data else []
    left_out = [f"{NOTHING} {reason}" for reason in reasons]
    notes = [*table.notes, *about_data, *_choices(table, outcome), *left_out]
    if len(set(times)) == 1 and times[0] != NOTHING:
        notes.insert(0, f"{times[0]} CPU seconds of training")
    return ShownTable(table.title, head, rows, notes)


def _seconds(row: PaperRow, outcome: RunOutcomes) -> str:
    """Return the CPU time to train the model of a row; of each model, if its figures come from several."""
    models = dict.fromkeys(figure.runs for figure in row.figures if figure.runs)
    known = [runs for runs in models if all(run in outcome.found for run in runs)]
    times = [fmean(outcome.found[run].cpu_seconds for run in runs) for runs in known]
    return " / ".join(f"{time:,.0f}" for time in times) or NOTHING


def _choices(table: PaperTable, outcome: RunOutcomes) -> list[str]:
    """Say which values were chosen on dev data, and from which."""
    seen = set()
    chosen: dict[str, list[str]] = {}
    for row in table.rows:
        models = dict.fromkeys(figure.runs for figure in row.figures if figure.runs)
        for name, figure in zip(table.columns, row.figures, strict=True):
            tuned = [run for run in figure.runs if run in outcome.found and len(outcome.choices.get(run, ())) > 1]
            if not tuned or figure.runs in seen:
                continue
            seen.add(figure.runs)
            key, values = tuned[0].grid or ("", ())
            told = f"{key_of(key)} from {', '.join(f'{value:g}' for value in values)}"
            label = row.name if len(models) == 1 else f"{row.name}, {name}"
            best = ", ".join(f"{_chosen(run, key, outcome):g}" for run in tuned)
            chosen.setdefault(told, []).append(f"{label}: {best}")
    return [f"Chosen on dev, {told}. {'; '.join(of_rows)}." for told, of_rows in chosen.items()]


def _chosen(run: Experiment, key: str, outcome: RunOutcomes) -> float:
    best = next(e for e in outcome.choices[run] if outcome.found[e] is outcome.found[run])
    return float(dict(best.settings)[key])


def _ours(figure: Figure, outcome: RunOutcomes, tell: Callable[[str], object]) -> str:
    ours = figure.ours(outcome.found)
    if ours is None:
        reasons = [reason for reason in map(outcome.reason, figure.runs) if reason]
        tell(reasons[0] if reasons else figure.missing or "not run")
        return NOTHING
    return ours


def view_statements(statements: Sequence[Statement], outcome: RunOutcomes, gold: Gold) -> ShownTable:
    """Show the statements of the papers, and whether they hold."""
    rows = []
    for statement in statements:
        verdict = statement.judge(outcome.found, gold)
        rows.append([statement.paper, statement.text, verdict.verdict, verdict.detail])
    note = (
        "Differences are of dev scores, with 95 % paired bootstrap intervals over sentences; 'undecided' if the "
        "interval contains 0."
    )
    return ShownTable("Statements of the papers", ["paper", "statement", "here", "figures"], rows, [note])

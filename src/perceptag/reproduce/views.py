"""Tables and statements as text cells, for the terminal and the report, and as numbers, for report.json."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from statistics import fmean
from typing import Any

from perceptag.recipe.recipe import key_of
from perceptag.reproduce.experiment import Experiment
from perceptag.reproduce.schedule import RunOutcomes
from perceptag.reproduce.statements import FAILS, HOLDS, NOT_RUN, UNDECIDED, Gold, Statement
from perceptag.reproduce.tables import Figure, PaperRow, PaperTable, seconds

NOTHING = "–"
INDICATIVE = "indicative: "


@dataclass(frozen=True, slots=True)
class ShownTable:
    """A table to be shown: all text. Notes below it say why figures are missing; `numbers` has the rows as values."""

    title: str
    head: list[str]
    rows: list[list[str]]
    notes: list[str]
    numbers: list[dict[str, Any]] = field(default_factory=list)
    links: list[list[str]] = field(default_factory=list)  # the keys of the runs behind each row
    commands: list[str] = field(default_factory=list)  # one for each row

    def to_dict(self) -> dict[str, Any]:
        """Return everything as JSON values: figures as numbers, where the table has any."""
        if not self.numbers:
            return {"title": self.title, "head": self.head, "rows": self.rows, "notes": self.notes}
        return {"title": self.title, "rows": self.numbers, "notes": self.notes}


def view_table(table: PaperTable, outcome: RunOutcomes, missing_test: Mapping[str, str] | None = None) -> ShownTable:
    """Show a table with the paper's figures next to ours. `missing_test` has the test file that each corpus lacks."""
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
            ours = figure.ours(outcome.found)
            if ours is None:
                reasons[_reason(figure, outcome, missing_test or {})] = None
            cells.append(NOTHING if ours is None else ours.text(figure.digits))
        rows.append(cells + ([time] if in_column else []))
    left_out = [f"{NOTHING} {reason}" for reason in reasons]
    notes = [*table.notes, *_choices(table, outcome), *left_out]
    if len(set(times)) == 1 and times[0] != NOTHING:
        notes.insert(0, f"{times[0]} CPU seconds of training")
    links = [[outcome.found[run].key for run in row.runs() if run in outcome.found] for row in table.rows]
    numbers = [_numbers(table, row, outcome) | {"runs": keys} for row, keys in zip(table.rows, links, strict=True)]
    commands = [_command(table, row) for row in table.rows]
    return ShownTable(table.title, head, rows, notes, numbers, links, commands)


def _command(table: PaperTable, row: PaperRow) -> str:
    """Return the command that writes the recipes and the models of a row."""
    words = ["perceptag", "reproduce", table.paper, "--data", "DIR", "--table", table.title, "--export", row.name]
    return shlex.join(words) if row.runs() else ""


def _numbers(table: PaperTable, row: PaperRow, outcome: RunOutcomes) -> dict[str, Any]:
    figures = []
    for column, figure in zip(table.columns, row.figures, strict=True):
        ours = figure.ours(outcome.found)
        told = None if ours is None else asdict(ours)
        figures.append({"column": column, "paper": paper_number(figure.paper), "ours": told})
    return {"name": row.name, "figures": figures, "command": _command(table, row)}


def paper_number(text: str) -> float | str | None:
    """Return a figure of a paper as a number; what is not a number stays text.

    >>> paper_number("15,977"), paper_number("does not converge"), paper_number("")
    (15977.0, 'does not converge', None)
    """
    try:
        return float(text.replace(",", "")) if text else None
    except ValueError:
        return text


def _seconds(row: PaperRow, outcome: RunOutcomes) -> str:
    """Return the CPU time to train the model of a row; of each model, if its figures come from several."""
    models = dict.fromkeys(figure.runs for figure in row.figures if figure.runs)
    apart = [group for group in models if not any(set(group) < set(other) for other in models)]
    known = [group for group in apart if all(run in outcome.found for run in group)]
    times = [fmean(outcome.found[run].cpu_seconds for run in group) for group in known]
    return " / ".join(f"{time:,.0f}" if time >= 10 else f"{time:.2g}" for time in times) or NOTHING


def _choices(table: PaperTable, outcome: RunOutcomes) -> list[str]:
    """Say which values were chosen on dev data, and from which."""
    seen = set()
    chosen: dict[str, list[str]] = {}
    for row in table.rows:
        tuned = [run for run in row.runs() if run in outcome.found and len(outcome.choices.get(run, ())) > 1]
        for run in tuned:
            if run in seen:
                continue
            seen.add(run)
            key, values = run.grid or ("", ())
            told = f"{key_of(key)} from {', '.join(f'{value:g}' for value in values)}"
            chosen.setdefault(told, []).append(f"{row.name}: {_chosen(run, key, outcome):g}")
    return [f"Chosen on dev, {told}. {'; '.join(of_rows)}." for told, of_rows in chosen.items()]


def _chosen(run: Experiment, key: str, outcome: RunOutcomes) -> float:
    return float(dict(outcome.chosen(run).settings)[key])


def _reason(figure: Figure, outcome: RunOutcomes, missing_test: Mapping[str, str]) -> str:
    """Return why there is no figure."""
    reasons = [reason for reason in map(outcome.reason, figure.runs) if reason]
    lacking = [missing_test[run.data] for run in figure.runs if missing_test.get(run.data)]
    found = [outcome.found[run] for run in figure.runs if run in outcome.found]
    has_no_test = bool(lacking and found) and any(result.test is None for result in found)
    return reasons[0] if reasons else lacking[0] if has_no_test else figure.missing or "not run"


def view_statements(
    statements: Sequence[Statement], outcome: RunOutcomes, gold: Gold, indicative: bool
) -> tuple[ShownTable, ShownTable]:
    """Show how many statements of each paper hold, and each of them."""
    rows, numbers = [], []
    counts: dict[str, Counter[str]] = {}
    for statement in statements:
        verdict = statement.judge(outcome.found, gold)
        is_judged = verdict.verdict != NOT_RUN
        reasons = [] if is_judged else [r for r in map(outcome.reason, statement.experiments()) if r]
        detail = reasons[0] if reasons else verdict.detail
        shown = (INDICATIVE if indicative and is_judged else "") + verdict.verdict
        rows.append([statement.paper, statement.text, shown, detail, statement.quote])
        told = {"paper": statement.paper, "statement": statement.text, "quote": statement.quote}
        judged = {"verdict": verdict.verdict, "indicative": indicative, "figures": verdict.figures}
        numbers.append(told | judged | {"detail": detail})
        counts.setdefault(statement.paper, Counter())[verdict.verdict] += 1
    note = (
        "Differences are of test scores, or of dev scores where there is no test set. 95 % intervals are drawn over "
        "training orders, and over documents (sentences, where none are marked); 'undecided' if the interval "
        "contains 0."
    )
    head = ["paper", "statement", "here", "figures", "in the paper"]
    return _summary(counts, indicative), ShownTable("Statements of the papers", head, rows, [note], numbers)


def _summary(counts: Mapping[str, Counter[str]], indicative: bool) -> ShownTable:
    kinds = (HOLDS, UNDECIDED, FAILS, NOT_RUN)
    rows = [[paper, *(str(count[kind]) for kind in kinds), str(count.total())] for paper, count in counts.items()]
    total = sum((count for count in counts.values()), Counter[str]())
    if len(rows) > 1:
        rows.append(["all", *(str(total[kind]) for kind in kinds), str(total.total())])
    notes = [
        "A quick run, or one on the shipped corpus, shows how the command works. Its verdicts are indicative: there "
        "are too few sentences and passes to judge a paper."
    ]
    numbers: list[dict[str, Any]] = [{"paper": name, **count} for name, count in counts.items()]
    title = "Statements that hold here"
    return ShownTable(title, ["paper", *kinds, "statements"], rows, notes if indicative else [], numbers)

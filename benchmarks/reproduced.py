"""Write the results of `perceptag reproduce` into docs/measurements/reproduction.md, from report.json.

    perceptag reproduce all --data DIR --output OUT
    python -m benchmarks.reproduced OUT/report.json

Several reports, of one paper each, are joined.
"""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks.report import into_page

PAGE = Path(__file__).parents[1] / "docs" / "measurements" / "reproduction.md"
BEGIN, END = "<!-- results: begin (python -m benchmarks.reproduced) -->", "<!-- results: end -->"
PAPERS = {
    "collins2002": "Collins (2002)",
    "carreras2003": "Carreras et al. (2003)",
    "kazama2007": "Kazama and Torisawa (2007)",
    "shen2007": "Shen et al. (2007)",
}
VERDICTS = ("holds", "undecided", "does not hold", "not run")


def markdown(report: dict[str, Any]) -> str:
    """Return the statements and the tables with figures of ours as Markdown."""
    return "\n".join([*_statements(report), *_tables(report)]) + "\n"


def joined(reports: list[dict[str, Any]]) -> dict[str, Any]:
    """Join reports of one paper each, whose facts must be the same."""
    facts = [{name: fact for name, fact in one["facts"].items() if not name.startswith("data")} for one in reports]
    if any(other != facts[0] for other in facts[1:]):
        raise SystemExit("expected reports of the same version and machine, found different ones")
    return {
        "facts": facts[0],
        "summary": [summary for one in reports for summary in one["summary"]],
        "statements": [statement for one in reports for statement in one["statements"]],
        "tables": {paper: tables for one in reports for paper, tables in one["tables"].items()},
    }


def _statements(report: dict[str, Any]) -> Iterator[str]:
    facts = report["facts"]
    yield f"{facts['perceptag']}; {facts['kind of run']}; {facts['date']}; {facts['machine']}; {facts['libraries']}.\n"
    yield from _row("paper", *VERDICTS, "statements")
    yield "|---|" + "---:|" * (len(VERDICTS) + 1)
    for summary in sorted(report["summary"], key=lambda summary: list(PAPERS).index(summary["paper"])):
        counts = [summary.get(verdict, 0) for verdict in VERDICTS]
        yield from _row(PAPERS[summary["paper"]], *counts, sum(counts))
    for paper, name in _run(report):
        yield f"\n### Statements of {name}\n"
        yield from _row("statement", "here", "figures")
        yield "|---|---|---|"
        for said in report["statements"]:
            if said["paper"] == paper:
                yield from _row(said["statement"], said["verdict"], _detail(said["detail"]))


def _run(report: dict[str, Any]) -> list[tuple[str, str]]:
    return [(paper, name) for paper, name in PAPERS.items() if paper in report["tables"]]


def _detail(text: str) -> str:
    """Return the figures of a statement without the folder of the data and without what the page says once."""
    return re.sub(r" under \S+$", " below DIR", text).replace(", 95 % interval ", ", ").replace(", 3 orders", "")


def _tables(report: dict[str, Any]) -> Iterator[str]:
    for paper, name in _run(report):
        yield f"\n## {name}"
        for table in report["tables"][paper]:
            rows = [row for row in table["rows"] if any(figure["ours"] for figure in row.get("figures", []))]
            if rows:
                yield f"\n### {table['title']}\n"
                yield from _table(rows)


def _table(rows: list[dict[str, Any]]) -> Iterator[str]:
    """Return a table without the columns in which no row has a figure."""
    columns = [[row["figures"][i] for row in rows] for i in range(len(rows[0]["figures"]))]
    shown = [
        (f"{column[0]['column']}, {side}", [_cell(figure[side]) for figure in column])
        for column in columns
        for side in ("paper", "ours")
        if any(figure[side] is not None for figure in column)
    ]
    yield from _row("", *(head for head, _ in shown))
    yield "|---|" + "---:|" * len(shown)
    for i, row in enumerate(rows):
        yield from _row(row["name"], *(cells[i] for _, cells in shown))


def _cell(figure: Any) -> str:
    """Return a figure of the paper, the mean and deviation over orders, or a value with its interval, as text."""
    if figure is None:
        return "–"
    if isinstance(figure, str):
        return figure
    if isinstance(figure, (int, float)):
        return _number(figure)
    mean = _number(figure["mean"])
    if figure["deviation"]:
        return f"{mean} ± {figure['deviation']:.2f}"
    low_high = figure["interval"]
    return f"{mean} ({low_high[0]:.1f}–{low_high[1]:.1f})" if low_high else mean


def _number(value: float) -> str:
    return f"{value:,.0f}" if value == int(value) or abs(value) >= 1000 else f"{value:.2f}"


def _row(*cells: object) -> Iterator[str]:
    yield "| " + " | ".join(str(cell).replace("|", "\\|") for cell in cells) + " |"


def main() -> None:
    """Read the report and replace the results of the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("report", type=Path, nargs="+", help="report.json of a finished run")
    reports = [json.loads(path.read_text(encoding="utf-8")) for path in parser.parse_args().report]
    into_page(markdown(joined(reports)), PAGE, BEGIN, END)


if __name__ == "__main__":
    main()

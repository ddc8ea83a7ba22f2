"""Results as Markdown."""

from __future__ import annotations

from collections.abc import Sequence

from benchmarks.rounds import Result

MB = 1e6


def markdown(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table; numbers stand on the right."""
    lines = ["| " + " | ".join(header) + " |", "|---" + "|---:" * (len(header) - 1) + "|"]
    return "\n".join([*lines, *("| " + " | ".join(row) + " |" for row in rows)])


def ratio(base: Result | None, mine: Result, stage: str, clock: str = "cpu") -> str:
    """How many times as fast as the base."""
    if base is None or stage not in base.cpu or stage not in mine.cpu:
        return ""
    return f"{getattr(base, clock)[stage] / max(getattr(mine, clock)[stage], 1e-9):.1f}×"


def task_table(results: Sequence[Result], metric: str, base_name: str = "crfsuite") -> str:
    """One task: a row for each system. Seconds are CPU time, wall time in brackets; ratios are of CPU time."""
    base = next((r for r in results if r.system == base_name and not r.failure), None)
    header = ["", "file → model", "", "passes alone", "", "tagging, tokens/s", "", metric, "peak memory", "model"]
    rows = []
    for r in results:
        if "tag" not in r.cpu:
            rows.append([r.title, *[""] * (len(header) - 1)])
            continue
        rate = r.tokens["dev"] / r.cpu["tag"]
        rows.append(
            [
                r.title + ("" if r.features == "the same" else f" ({r.features})"),
                *(cell for stage in ("train", "passes") for cell in (_seconds(r, stage), ratio(base, r, stage))),
                f"{rate:,.0f} ({r.tokens['dev'] / r.wall['tag']:,.0f})",
                ratio(base, r, "tag"),
                f"{r.score:.2f}",
                f"{r.memory / MB:.0f} MB",
                f"{r.size / MB:.1f} MB",
            ]
        )
    return markdown(header, rows)


def _seconds(r: Result, stage: str) -> str:
    if stage not in r.cpu:
        return "–"
    return f"{r.cpu[stage]:.2f} s ({r.wall[stage]:.2f})"


def remarks(results: Sequence[Result]) -> str:
    """What the tables leave out: systems that could not take part, other numbers of passes and rounds."""
    notes = [f"- {r.title}, {r.task}: {r.failure}" for r in results if r.failure]
    return "\n".join(dict.fromkeys(notes))

"""Results as Markdown."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from benchmarks.growth import Point, fits
from benchmarks.measure import ratio_range
from benchmarks.rounds import Result

MB = 1e6
HEADER = ("file → model", "", "passes alone", "", "tagging", "", "peak memory", "model file")


def markdown(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a table; numbers are aligned to the right."""
    lines = ["| " + " | ".join(header) + " |", "|---" + "|---:" * (len(header) - 1) + "|"]
    return "\n".join([*lines, *("| " + " | ".join(row) + " |" for row in rows)])


def ratio(base: Result | None, mine: Result, stage: str) -> str:
    """Return how many times as fast as the base, by the best CPU times, and the range over all rounds of both.

    Passes are compared one by one, since numbers of passes differ.
    """
    if base is None or stage not in base.cpu or stage not in mine.cpu:
        return ""
    work = mine.passes / base.passes if stage == "passes" else 1.0
    rounds = [work * seconds for seconds in base.each.get(stage, [])]
    return f"{work * base.cpu[stage] / max(mine.cpu[stage], 1e-9):.1f}×{ratio_range(rounds, mine.each.get(stage, []))}"


def base_of(results: Sequence[Result], name: str = "crfsuite") -> Result | None:
    """Return the result that others are compared with."""
    return next((r for r in results if r.system == name and "tag" in r.cpu), None)


def task_table(results: Sequence[Result], metric: str) -> str:
    """Return the table of one task, with a row for each system."""
    base = base_of(results)
    rows = [_row(r, base) for r in results if "tag" in r.cpu]
    return markdown(["", metric, *HEADER], rows)


def _row(r: Result, base: Result | None) -> list[str]:
    times = [cell for stage in ("train", "passes") for cell in (_seconds(r, stage), ratio(base, r, stage))]
    rate = f"{r.tokens['dev'] / r.cpu['tag']:,.0f} tokens/s"
    sizes = f"{r.memory / MB:.0f} MB", f"{r.size / MB:.1f} MB"
    return [r.title, f"{r.score:.2f}", *times, rate, ratio(base, r, "tag"), *sizes]


def _seconds(r: Result, stage: str) -> str:
    return f"{r.cpu[stage]:.2f} s" if stage in r.cpu else "–"


def wall_table(results: Sequence[Result]) -> str:
    """Return the wall times of the same runs, and how often each was run."""
    rows = [
        [
            f"{r.task}: {r.title}",
            str(r.rounds),
            str(r.passes),
            *(f"{r.wall[stage]:.2f} s" if stage in r.wall else "–" for stage in ("train", "passes", "tag", "load")),
        ]
        for r in results
        if "tag" in r.cpu
    ]
    return markdown(["wall time", "rounds", "passes", "file → model", "passes alone", "tagging", "load"], rows)


def other_table(more: dict[str, Any]) -> str:
    """Return figures of perceptag alone: command line, threads, start-up."""
    rows: list[list[str]] = []
    if "command line" in more:
        line = more["command line"]
        rows += [[f"`perceptag tag`, file to file, {n} thread{'s' * (n > 1)}", _rates(line, n)] for n in (1, 2)]
        rows.append(["`perceptag tag` on one sentence, whole process", _both(line["cold"])])
    if "crfsuite file" in more:
        done = more["crfsuite file"]
        rate = done["tokens"] / done["cpu"]["file"]
        rows.append(["the same file with a script around python-crfsuite", f"{rate:,.0f} tokens/s of CPU time"])
    if "threads" in more:
        wall = more["threads"]["wall"]
        rows.append(["two threads against one, `Tagger.predict`", f"{wall['threads 1'] / wall['threads 2']:.2f}×"])
        kept = ", ".join(f"{share:.0%} of one every {pause}" for pause, share in more["threads"]["ticks"].items())
        rows.append(["ticks that another Python thread keeps while one thread tags", kept])
    rows += [[f"`{name}`", _both(seconds)] for name, seconds in more.get("import", {}).items()]
    if "load" in more:
        size, seconds = more["load"]
        scaled = f"; for 10 MB {seconds['wall'] * 1e7 / size:.3f} s ({seconds['cpu'] * 1e7 / size:.3f} s)"
        rows.append([f"loading a model of {size / MB:.1f} MB, digest checked", _both(seconds) + scaled])
    return markdown(["", ""], rows) if rows else ""


def _rates(line: dict[str, Any], threads: int) -> str:
    """Return tokens per second of the whole process, and without the time of one sentence: the limit for long files."""
    whole, cold = line[f"threads {threads}"], line["cold"]
    rates = f"{line['tokens'] / whole['cpu']:,.0f} tokens/s of CPU time, {line['tokens'] / whole['wall']:,.0f} of wall"
    if min(whole[c] - cold[c] for c in whole) < cold["cpu"]:
        return f"{rates} (mostly start-up: the text is short)"
    net = {c: line["tokens"] / (whole[c] - cold[c]) for c in whole}
    return f"{rates}; without the start {net['cpu']:,.0f}, {net['wall']:,.0f}"


def _both(timed: dict[str, float]) -> str:
    return f"{timed['wall']:.3f} s ({timed['cpu']:.3f} s of CPU time)"


def growth_table(points: Sequence[Point]) -> str:
    """Return the fitted lines over the number of tokens."""
    names = {"train": "file → model", "passes": "passes alone", "tag": "tagging", "memory": "peak memory"}
    rows = []
    for system, y, fit, drift in fits(points):
        unit = f"{fit.slope:.0f} bytes" if y == "memory" else f"{fit.slope * 1e6:.2f} µs"
        rows.append([f"{system}: {names[y]}", f"{unit} a token", f"{fit.r2:.4f}", f"{drift:.2f}"])
    return markdown(["generated text, 1 to 16 times", "slope", "R² of the line", "per token, most / middle"], rows)


def label_table(points: Sequence[Point]) -> str:
    """Return CPU seconds from file to model by number of labels."""
    systems = list(dict.fromkeys(p.system for p in points))
    by_place = {(p.system, p.labels): f"{p.train:.2f} s" for p in points}
    numbers = sorted({p.labels for p in points})
    return markdown(["labels", *systems], [[str(n), *(by_place.get((s, n), "–") for s in systems)] for n in numbers])


def remarks(results: Sequence[Result]) -> list[str]:
    """Return what the tables leave out: systems that were not measured, other features, other numbers of passes."""
    usual = max((r.passes for r in results), default=0)
    notes = []
    for r in results:
        if r.failure:
            notes.append(f"{r.title}, {r.task}: {r.failure}")
        elif r.features != "the same":
            notes.append(f"{r.title}: features: {r.features}")
        if 0 < r.passes < usual:
            notes.append(f"{r.title}: {r.passes} passes only")
    return list(dict.fromkeys(notes))

"""The plots of the report."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from perceptag.reproduce import carreras2003, collins2002, kazama2007, shen2007
from perceptag.reproduce.experiment import Experiment
from perceptag.reproduce.tables import Found, PaperTable
from perceptag.reproduce.views import paper_number
from perceptag.system.plot import Series, bars, dots, lines

_SCORES = re.compile(r"\bF\b|error|^B =")  # columns of scores and errors, not of passes, times and settings
STEEP = 12  # points of score below the best that a curve shows


def of_paper(paper: str, found: Found, published: bool = False) -> list[str]:
    """Return the plots of one paper as SVG; those whose runs are missing are left out."""
    plots = _kazama(found, published) if paper == "kazama2007" else _PLOTS[paper](found)
    return [plot for plot in plots if plot]


def of_table(table: PaperTable, found: Found) -> list[str]:
    """Return the paper's scores or errors against ours: a plot for each column that has both in two rows or more."""
    plots = []
    for i, column in enumerate(table.columns):
        if not _SCORES.search(column):
            continue
        pairs = {}
        for row in table.rows:
            figure = row.figures[i]
            theirs, ours = paper_number(figure.paper), figure.ours(found)
            if isinstance(theirs, float) and ours is not None and not figure.against:
                pairs[row.name] = (theirs, ours.mean)
        if len(pairs) > 1:
            plots.append(dots(pairs, ("paper", "ours"), title=f"{table.title}: {column}", x=column))
    return plots


def _collins(found: Found) -> list[str]:
    plots = []
    for task, runs in (("NP chunks", collins2002.NP), ("parts of speech", collins2002.POS)):
        perceptrons = {name: run for name, run in runs.items() if not name.startswith("ME")}
        entropy = {name: run for name, run in runs.items() if name.startswith("ME")}
        plots.append(_curves(f"Collins, {task}: perceptrons by pass", perceptrons, found))
        plots.append(_curves(f"Collins, {task}: maximum entropy by iteration", entropy, found))
        plots.append(_scores(f"Collins, {task}: cut-offs and averaging", runs, found))
    return plots


def _carreras(found: Found) -> list[str]:
    runs = {"English": carreras2003.ENGLISH, **carreras2003.OTHERS}
    degrees = {f"degree {d}": run for d, run in carreras2003.DEGREES.items()}
    return [
        _curves("Carreras, entities: dev F by epoch", runs, found),
        _curves("Carreras, English: dev F by degree and epoch", degrees, found),
    ]


def _kazama(found: Found, published: bool = False) -> list[str]:
    of = kazama2007.runs(published)
    systems = {**of.local, "Candidate": of.candidate, "Proposed": of.proposed}
    return [
        _curves("Kazama and Torisawa: dev F by pass", systems, found),
        _effect_of_n(of.proposed, found),
        _times("Kazama and Torisawa: training time", of.timed, found),
    ]


def _shen(found: Found) -> list[str]:
    sets = {f"set {name.upper()}": run for name, run in shen2007.SETS.items()}
    beams = {
        f"{'both' if direction == 'both' else 'left to right'}, B = {beam}": run
        for (direction, aggressive, beam), run in shen2007.SEARCHES.items()
        if aggressive
    }
    return [
        _curves("Shen et al., parts of speech: feature sets by pass", sets, found),
        _curves("Shen et al., parts of speech: direction and beam by pass", beams, found),
        _plain_and_averaged("Shen et al., set E: plain and averaged by pass", shen2007.SETS["e"], found),
        _scores("Shen et al.: effect of direction and beam", beams, found),
        _times("Shen et al.: training time", beams, found),
        _times("Shen et al.: training time by beam", {f"B = {b}": run for b, run in shen2007.BEAMS.items()}, found),
    ]


_PLOTS: dict[str, Callable[[Found], list[str]]] = {
    "collins2002": _collins,
    "carreras2003": _carreras,
    "kazama2007": _kazama,
    "shen2007": _shen,
}


def _there(runs: Mapping[str, Experiment], found: Found) -> dict[str, Experiment]:
    return {name: run for name, run in runs.items() if run in found}


def _curves(title: str, runs: Mapping[str, Experiment], found: Found) -> str:
    scores = {name: [(p.epoch, p.kept) for p in found[run].curve] for name, run in _there(runs, found).items()}
    return _lines(title, scores)


def _lines(title: str, scores: Mapping[str, Sequence[tuple[float, float]]]) -> str:
    """Draw lines without their steep beginnings, which would squeeze all the rest."""
    if not any(scores.values()):
        return ""
    floor = max(score for points in scores.values() for _, score in points) - STEEP
    series = [Series(name, [(x, y) for x, y in points if y >= floor]) for name, points in scores.items()]
    return lines(series, title=title, x="pass", y="dev score, %")


def _plain_and_averaged(title: str, run: Experiment, found: Found) -> str:
    if run not in found:
        return ""
    curve = found[run].curve
    return _lines(title, {"averaged": [(p.epoch, p.kept) for p in curve], "plain": [(p.epoch, p.last) for p in curve]})


def _scores(title: str, runs: Mapping[str, Experiment], found: Found) -> str:
    """Draw dev errors as bars: scores differ by a point or two, which bars from 0 to 100 would hide."""
    there = _there(runs, found)
    errors = [100 - found[run].dev.score for run in there.values()]
    return bars(list(there), [round(e, 2) for e in errors], title=title, x="100 − dev score") if there else ""


def _times(title: str, runs: Mapping[str, Experiment], found: Found) -> str:
    there = _there(runs, found)
    times = [round(found[run].cpu_seconds, 1) for run in there.values()]
    return bars(list(there), times, title=title, x="CPU seconds") if there else ""


def _effect_of_n(run: Experiment, found: Found) -> str:
    if run not in found:
        return ""
    variants = found[run].variants
    points = [(float(name.partition("=")[2]), variant.dev.score) for name, variant in variants.items()]
    return lines([Series("Proposed", points)], title="Effect of n'", x="n'", y="dev F1, %", log_x=True)

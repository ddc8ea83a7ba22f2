"""Replay the revisions of a project: skip what was undone, apply the rest in order.

    revisions     1 label A    2 label B    3 undo 2    4 skip    5 undo 4    6 redo 2
    still valid   1 label A    2 label B                                               ─▶ B

The random sample is the obvious one too: a labelled sentence belongs to it if every open sentence of its source comes
later in the random order.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

UNDOABLE = ("label", "skip", "unskip", "flag", "unflag", "reading")


@dataclass
class PlainRevision:
    """A revision, reduced to what replay needs."""

    id: int
    sentence: int
    who: str
    kind: str
    labels: list[str] | None = None
    draft: list[str | None] | None = None
    step: int = 0
    undoes: int = 0


@dataclass
class SentenceState:
    """The state of a sentence."""

    status: str = "new"
    labels: list[str] | None = None
    draft: list[str | None] | None = None
    flagged: bool = False
    comments: int = 0
    readings: list[tuple[str, list[str] | None]] = field(default_factory=list)


def undone_steps(revisions: Iterable[PlainRevision]) -> set[int]:
    """Return the steps that are undone at the end."""
    step_of: dict[int, int] = {}
    undone: set[int] = set()
    for revision in revisions:
        step_of[revision.id] = revision.step
        if revision.kind == "undo":
            undone.add(step_of[revision.undoes])
        elif revision.kind == "redo":
            undone.discard(step_of[revision.undoes])
    return undone


def states(revisions: Sequence[PlainRevision]) -> dict[int, SentenceState]:
    """Return the state of each sentence that has a revision.

    >>> log = [PlainRevision(1, 7, "a", "label", ["X"], step=1), PlainRevision(2, 7, "a", "undo", step=2, undoes=1)]
    >>> states(log[:1])[7].labels, states(log)[7].labels
    (['X'], None)
    """
    undone = undone_steps(revisions)
    found = {revision.sentence: SentenceState() for revision in revisions}
    for revision in revisions:
        if revision.kind not in ("undo", "redo") and revision.step not in undone:
            _do(found[revision.sentence], revision)
    return found


def _do(state: SentenceState, revision: PlainRevision) -> None:
    match revision.kind:
        case "import" | "label":
            state.labels, state.draft = revision.labels, revision.draft
            state.status = "new" if revision.labels is None else "labelled"
        case "skip":
            state.status = "skipped"
        case "unskip":
            state.status = "new" if state.labels is None else "labelled"
        case "flag" | "unflag":
            state.flagged = revision.kind == "flag"
        case "comment":
            state.comments += 1
        case "reading":
            others = [one for one in state.readings if one[0] != revision.who]
            state.readings = [*others, (revision.who, revision.labels)]


def stacks(revisions: Iterable[PlainRevision], who: str) -> tuple[list[int], list[int]]:
    """Return the steps that a person can undo and redo, the next one last."""
    step_of: dict[int, int] = {}
    done: list[int] = []
    undone: list[int] = []
    for revision in revisions:
        step_of[revision.id] = revision.step
        if revision.who != who or revision.id != revision.step:
            continue
        if revision.kind == "undo":
            done.remove(step_of[revision.undoes])
            undone.append(step_of[revision.undoes])
        elif revision.kind == "redo":
            undone.remove(step_of[revision.undoes])
            done = sorted([*done, step_of[revision.undoes]])
        elif revision.kind in UNDOABLE:
            done.append(revision.step)
            undone.clear()
    return done, undone


def random_sample(sentences: Sequence[tuple[int, int, int, SentenceState]]) -> set[int]:
    """Return the random sample of sentences, each given as its number, source, rank and state."""
    sample = set()
    for number, source, rank, state in sentences:
        open_ = [r for _, s, r, other in sentences if s == source and other.status == "new"]
        if state.status == "labelled" and all(rank < other for other in open_):
            sample.add(number)
    return sample

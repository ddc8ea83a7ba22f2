"""How a revision changes the state of its sentence. Writing and rebuilding both do it here.

kind      labels, draft, status            may be undone
import    those of the file                no
label     new labels                       yes
draft     new draft                        yes
skip      status skipped                   yes
unskip    status as before                 yes
reading   stay                             yes
flag      stay                             yes
unflag    stay                             yes
comment   stay                             no
seal      stay; the sentence is set apart  no
undo      those before the undone one      by redo
redo      those after the undone one       by undo
"""

from __future__ import annotations

from dataclasses import dataclass
from operator import attrgetter

from perceptag.project.records import LABELLED, NEW

CONTENT = frozenset({"import", "label", "draft", "skip", "unskip"})  # they set labels, draft and status
FLAGGED = "flagged"
UNDOABLE = frozenset({"label", "draft", "skip", "unskip", "flag", "unflag", "reading"})


@dataclass(slots=True)
class RevisionRow:
    """A row of the table of revisions; labels, draft and proposal are JSON text."""

    id: int
    sentence: int
    at: float
    who: str
    kind: str
    status: str | None = None
    labels: str | None = None
    draft: str | None = None
    base: int = 0
    before: int = 0  # the revision whose state, or whose flag, this one replaced
    key: str | None = None
    step: int = 0
    undoes: int | None = None
    source: str = ""
    model: str = ""
    proposal: str | None = None
    seconds: float = 0.0
    actions: int = 0
    note: str = ""  # the text of a comment; for flags FLAGGED if there was one before

    def values(self) -> tuple[object, ...]:
        """The columns of the table, in order, without the digest."""
        found: tuple[object, ...] = _ROW(self)
        return found


COLUMNS = tuple(RevisionRow.__slots__)
_ROW = attrgetter(*COLUMNS)


@dataclass(slots=True)
class Current:
    """A row of the table of current states."""

    sentence: int
    source: int
    rank: int
    sealed: int = 0
    status: str = NEW
    drafted: int = 0  # it is new and has a draft
    revision: int = 0  # the last one that changed labels, draft or status
    state: int = 0  # the revision whose labels, draft and status it has; an undone one is not it
    flag_state: int = 0  # the revision whose flag it has
    who: str = ""
    flagged: int = 0
    comments: int = 0
    first: int = 0  # the first revision that gave it labels

    def values(self) -> tuple[object, ...]:
        """The columns of the table, in order."""
        found: tuple[object, ...] = _STATE(self)
        return found


STATE_COLUMNS = tuple(Current.__slots__)
_STATE = attrgetter(*STATE_COLUMNS)


def apply(current: Current, row: RevisionRow, original: RevisionRow | None = None) -> None:
    """Change the state as a revision says; `original` is the one that it undoes or does again."""
    what = original or row
    if what.kind in CONTENT:
        current.state = what.before if row.kind == "undo" else what.id
        _take_content(current, row)
    elif what.kind in ("flag", "unflag"):
        is_undone = row.kind == "undo"
        current.flag_state = what.before if is_undone else what.id
        current.flagged = int(what.note == FLAGGED if is_undone else what.kind == "flag")
    elif what.kind == "comment":
        current.comments += 1
    elif what.kind == "seal":
        current.sealed = 1


def _take_content(current: Current, row: RevisionRow) -> None:
    current.status = row.status or NEW
    current.drafted = int(row.draft is not None and row.status == NEW)
    current.revision = row.id
    current.who = row.who
    if row.status == LABELLED and not current.first:
        current.first = row.id


def may_undo(current: Current, original: RevisionRow) -> bool:
    """Whether the sentence is as the revision left it."""
    if original.kind in CONTENT:
        return current.state == original.id
    return original.kind == "reading" or current.flag_state == original.id


def may_redo(current: Current, original: RevisionRow) -> bool:
    """Whether the sentence is as it was before the revision."""
    if original.kind in CONTENT:
        return current.state == original.before
    return original.kind == "reading" or current.flag_state == original.before

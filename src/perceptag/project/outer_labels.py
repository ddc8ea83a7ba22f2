"""From the labels of a file to those of a project, and back.

A project keeps spans in IOB2. A file keeps its own scheme, which is found out when it is imported. Labels that break it
are read as conlleval reads them, and reported. A label that the scheme does not have at all is left open.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from perceptag.errors import DataError
from perceptag.labels.schemes import (
    base_of,
    belongs,
    complaint,
    count_transitions,
    scheme_of,
    spans,
    spans_to_labels,
    spelling_of,
    split_label,
)
from perceptag.system.plural import plural

MISSING = "_"  # a token without a label
_NONE = frozenset({MISSING, ""})
_INSIDE = frozenset("IELM")
SHOWN = 20  # places that are reported one by one

Known = list["str | None"]


@dataclass(slots=True)
class Taken:
    """The labels of a file in the words of the project."""

    scheme: str  # of the file; "none" for tags
    labels: list[list[str] | None] = field(default_factory=list)  # of each sentence; None if some are missing
    drafts: list[Known | None] = field(default_factory=list)
    names: list[str] = field(default_factory=list)  # of labels, in the order in which they were found
    notes: list[str] = field(default_factory=list)


def take_labels(found: Sequence[Sequence[str] | None], kind: str, where: Callable[[int, int], str]) -> Taken:
    """Take the labels of all sentences of a file. `where` says where a token of a sentence is."""
    known = [_known(labels) for labels in found if labels is not None]
    scheme = _scheme(found, known, where) if kind == "spans" else "none"
    taken = Taken(scheme)
    faults = _Faults(taken.notes, where)
    for number, labels in enumerate(found):
        whole, draft = _take(labels, scheme, faults, number)
        taken.labels.append(whole)
        taken.drafts.append(draft)
    faults.close()
    taken.names = _names(known, scheme)
    return taken


def _scheme(
    found: Sequence[Sequence[str] | None], known: Sequence[Sequence[str]], where: Callable[[int, int], str]
) -> str:
    if not any(known):
        return "IOB2"
    scheme = scheme_of(count_transitions(known))
    if scheme == "none":
        n, t, y = next(
            (n, t, y)
            for n, labels in enumerate(found)
            for t, y in enumerate(labels or ())
            if y not in _NONE and not belongs(y, "IOBES")
        )
        raise DataError(f"expected labels of spans such as B-PER or O, found {y!r}", where(n, t))
    return spelling_of([y for labels in known for y in labels]) if scheme == "IOBES" else scheme


def _take(
    labels: Sequence[str] | None, scheme: str, faults: _Faults, number: int
) -> tuple[list[str] | None, Known | None]:
    """The labels of a sentence, or a draft if some are missing."""
    if labels is None or _NONE.issuperset(labels):
        return None, None
    distinct = set(labels)
    if distinct == {"O"} or (scheme == "none" and _NONE.isdisjoint(distinct)):
        return list(labels), None
    faults.look(number, labels, scheme)
    open_ = [y in _NONE or (scheme != "none" and not belongs(y, base_of(scheme))) for y in labels]
    if not any(open_):
        return to_inner(labels, scheme), None
    draft: Known = [None] * len(labels)
    for start, end in _runs(open_):
        first = start
        while scheme != "none" and first and first < end and split_label(labels[first])[0] in _INSIDE:
            first += 1  # where this span begins is not known
        draft[first:end] = to_inner(labels[first:end], scheme)
    return None, draft if any(y is not None for y in draft) else None


def _known(labels: Sequence[str]) -> Sequence[str]:
    return labels if _NONE.isdisjoint(labels) else [y for y in labels if y not in _NONE]


def _runs(open_: Sequence[bool]) -> Iterator[tuple[int, int]]:
    start = 0
    for t, is_open in enumerate([*open_, True]):
        if is_open:
            if start < t:
                yield start, t
            start = t + 1


def to_inner(labels: Sequence[str], scheme: str) -> list[str]:
    """Labels of a file as those of the project."""
    if scheme == "none":
        return list(labels)
    return spans_to_labels(spans(labels, scheme), len(labels), "IOB2")


def to_outer(labels: Sequence[str], scheme: str) -> list[str]:
    """Labels of the project as those of a file."""
    if scheme in ("none", "IOB2"):
        return list(labels)
    return spans_to_labels(spans(labels, "IOB2"), len(labels), scheme)


def _names(known: Sequence[Sequence[str]], scheme: str) -> list[str]:
    seen = dict.fromkeys(y for labels in known for y in labels)
    if scheme == "none":
        return list(seen)
    fitting = (y for y in seen if y != "O" and belongs(y, base_of(scheme)))
    return list(dict.fromkeys(split_label(y)[1] for y in fitting))


class _Faults:
    """Reports labels that break the scheme, with their places."""

    def __init__(self, notes: list[str], where: Callable[[int, int], str]) -> None:
        self._notes = notes
        self._where = where
        self._count = 0
        self._good: dict[tuple[str | None, str | None], str] = {}

    def look(self, number: int, labels: Sequence[str], scheme: str) -> None:
        """Report what is wrong with the labels of a sentence."""
        if scheme == "none":
            return
        for t, pair in enumerate(zip([None, *labels], [*labels, None], strict=True)):
            fault = self._good.get(pair)
            if fault is None:
                known = not any(y in _NONE for y in pair)
                fault = self._good[pair] = complaint(*pair, scheme) if known else ""
            if fault:
                self._count += 1
                if self._count <= SHOWN:
                    place = self._where(number, min(t, len(labels) - 1))
                    self._notes.append(f"{place}: {fault}, which breaks {scheme}")

    def close(self) -> None:
        """Say how many places were not reported."""
        if self._count > SHOWN:
            self._notes.append(f"{plural(self._count - SHOWN, 'more place')} with labels that break the scheme")

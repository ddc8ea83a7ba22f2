"""What a project says about its sentences and their changes, and how values are stored."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from perceptag.errors import DataError, ProjectError, SettingError, brief

NEW, LABELLED, SKIPPED = "new", "labelled", "skipped"
STATUSES = (NEW, LABELLED, SKIPPED)


@dataclass(frozen=True, slots=True)
class LabelEntry:
    """A label that annotators may choose: the type of a span, or a tag."""

    name: str
    key: str  # on the keyboard


@dataclass(frozen=True, slots=True)
class Entry:
    """A sentence as it is now."""

    id: int
    source: int
    position: int  # in its source
    document: int
    tokens: list[str]
    columns: dict[str, list[str]]  # all others but the labels
    rank: int  # its place in the random order
    status: str  # new, labelled or skipped
    labels: list[str] | None
    draft: list[str | None] | None
    revision: int  # the last one that changed its labels, draft or status; 0: none
    who: str  # made that revision
    flagged: bool
    comments: int


@dataclass(frozen=True, slots=True)
class Revision:
    """One change. Revisions are numbered in the order in which they were made, and are never changed."""

    id: int
    sentence: int
    at: float  # seconds since 1970, as the clock of the machine said
    who: str
    kind: str
    labels: list[str] | None  # after it
    draft: list[str | None] | None
    status: str  # after it; "" if it did not change labels, draft or status
    base: int  # the revision that it was made on
    key: str
    step: int  # the first revision that was written together with it
    undoes: int  # the revision that is undone, or done again; 0: none
    source: str  # of a label: edited, accepted, nbest:3
    model: str
    proposal: list[str] | None
    seconds: float
    actions: int
    note: str  # the text of a comment


@dataclass(frozen=True, slots=True)
class LabelledSentence:
    """A labelled sentence, as training needs it."""

    sentence_id: int
    tokens: list[str]
    columns: dict[str, list[str]]
    labels: list[str]
    first_revision: int
    revision: int
    rank: int
    document: int
    in_sample: bool  # of the random sample, which alone is fit for judging a model


@dataclass(frozen=True, slots=True)
class Unlabelled:
    """A sentence of the pool."""

    sentence_id: int
    tokens: list[str]
    columns: dict[str, list[str]]
    rank: int
    document: int


@dataclass(frozen=True, slots=True)
class SecondReading:
    """A sentence that two people have labelled: its labels at the time, and what the second reader said."""

    sentence_id: int
    revision: int
    first: str
    labels: list[str]
    second: str
    reading: list[str]


@dataclass(frozen=True, slots=True)
class Opinion:
    """What one person says about a sentence. Labels that came with a file have an empty name."""

    who: str
    labels: list[str]
    revision: int


@dataclass(frozen=True, slots=True)
class SecondOpinions:
    """A sentence that several people have labelled."""

    sentence_id: int
    tokens: list[str]
    revision: int  # of the sentence as it is now
    opinions: list[Opinion]  # the first is that of the labels, before a decision; then those of readers
    decided: Opinion | None  # None: not yet decided

    @property
    def is_settled(self) -> bool:
        """Whether all say the same, or a decision came after the last reading."""
        first, *others = self.opinions
        if self.decided is not None and all(one.revision < self.decided.revision for one in others):
            return True
        return all(one.labels == first.labels for one in others)


@dataclass(frozen=True, slots=True)
class Undone:
    """What `undo` or `redo` did: the step, its sentences, and what it was."""

    step: int
    sentences: list[int]
    what: str
    revision: int  # the last one that it wrote


@dataclass(frozen=True, slots=True)
class Imported:
    """What came from a file."""

    source_id: int
    sentences: int
    labelled: int
    notes: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class SourceInfo:
    """A file that was imported."""

    id: int
    name: str
    sha256: str
    format: str
    facts: dict[str, Any]  # how it was read: columns, separator, where its labels are, their scheme
    tail: bytes  # what follows the last sentence
    sentences: int


@dataclass(frozen=True, slots=True)
class Version:
    """A model that was trained from the log up to a revision."""

    id: int
    digest: str
    upto: int
    at: float
    seconds: float
    sentences: int


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened to the project and not to a sentence."""

    id: int
    at: float
    who: str
    kind: str
    data: Any


@dataclass(frozen=True, slots=True)
class Comment:
    """A comment on a sentence."""

    id: int
    at: float
    who: str
    text: str


@dataclass(frozen=True, slots=True)
class SentenceCounts:
    """How many sentences there are of each sort."""

    sentences: int
    labelled: int
    skipped: int
    left: int
    drafts: int
    flagged: int
    random: int  # labelled sentences of the random sample


NOT_CHAINED = b"\0" * 16  # stands before the first row


_ENCODER = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":"))

_ROWS = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), default=repr)


def dump(value: object) -> str:
    """Return JSON text, always the same for the same value."""
    return _ENCODER.encode(value)


def load(text: str | None) -> Any:
    """Return the value of JSON text; None for None."""
    if text is None:
        return None
    try:
        return json.loads(text)
    except (ValueError, RecursionError, TypeError) as error:
        raise ProjectError(f"the project file is damaged: {error}: {brief(text)}") from None


def load_all(texts: Iterable[str]) -> list[Any]:
    """Return the values of many JSON texts; one call of the parser is several times as fast as many."""
    try:
        return list(json.loads(f"[{','.join(texts)}]"))
    except (ValueError, RecursionError, TypeError) as error:
        raise ProjectError(f"the project file is damaged: {error}") from None


def chained(before: bytes, row: Iterable[object]) -> bytes:
    """Return the digest of a row and of all rows before it."""
    return hashlib.blake2b(before + _row_bytes(row), digest_size=16).digest()


def digest(row: Iterable[object]) -> bytes:
    """Return the digest of one row."""
    return hashlib.blake2b(_row_bytes(row), digest_size=8).digest()


def _row_bytes(row: Iterable[object]) -> bytes:
    """A row as JSON; a damaged file may have any values in it."""
    return _ROWS.encode(list(row)).encode("utf-8", "surrogatepass")


def rank(seed: int, sha256: str, position: int) -> int:
    """Return the place of a sentence in the random order of a project: a number that looks random but never changes."""
    key = seed.to_bytes(8, "big")
    return int.from_bytes(hashlib.blake2b(f"{sha256} {position}".encode(), digest_size=8, key=key).digest(), "big") >> 1


def checked(value: object, argument: str, most: int = 10_000) -> str:
    """Return text that can be stored; refuse anything else."""
    if not isinstance(value, str):
        raise SettingError(f"{argument}: expected a string, found {brief(value)}")
    if len(value) > most:
        raise DataError(f"{argument}: expected at most {most} characters, found {len(value)}")
    try:
        value.encode()
    except UnicodeEncodeError as error:
        found = f"the lone surrogate U+{ord(value[error.start]):04X}"
        raise DataError(f"{argument}: expected text, found {found}") from None
    if "\0" in value:
        raise DataError(f"{argument}: expected text, found a NUL character")
    return value

"""Import: the sentences of a file become those of a project, all of them or none."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field

from perceptag.errors import AlreadyImportedError, DataError, SettingError, brief
from perceptag.foreign.texts import ForeignSentence
from perceptag.labels.schemes import split_label
from perceptag.project.label_changes import NewLabels, comment, read_again
from perceptag.project.outer_labels import Known, Taken, take_labels
from perceptag.project.project_labels import LabelNames, is_name
from perceptag.project.records import LABELLED, NEW, Imported, LabelEntry, digest, dump, rank
from perceptag.project.revision_steps import STATE_COLUMNS, Current, RevisionStep, add_event
from perceptag.project.source_files import CONLLU, JSONL, FileRead, is_conllu_column, misc_values
from perceptag.text.conllu import with_feature
from perceptag.text.conllu_spaces import unescape
from perceptag.text.sentence import Sentence


@dataclass(slots=True)
class Incoming:
    """Sentences that are ready to be stored."""

    name: str
    sha256: str
    format: str
    facts: dict[str, object]
    tail: bytes
    tokens: list[list[str]]
    columns: list[dict[str, list[str]]]
    raws: list[bytes]
    documents: list[int]
    starts: list[bool]
    labels: list[list[str] | None]
    drafts: list[Known | None]
    names: list[str]
    notes: list[str] = field(default_factory=list)
    others: list[ForeignSentence] = field(default_factory=list)  # what another tool says about the same sentences


def incoming(file: FileRead, kind: str, column: str, label: str | None) -> Incoming:
    """Separate the labels of a file from its other columns."""
    place = _label_column(file, kind, column, label)
    values = [_values(sentence, place, file.format) for sentence in file.sentences]
    where = lambda n, t: file.sentences[n].where(t)  # noqa: E731
    taken = take_labels(values, kind, where)
    _check_names(taken, file, values, where)
    form = "form" if "form" in file.sentences[0].columns else next(iter(file.sentences[0].columns))
    others = [{c: v for c, v in s.columns.items() if c not in (form, place)} for s in file.sentences]
    if file.format == CONLLU:
        others = _saying_something([_without_labels(columns, place) for columns in others])
    has_labels = any(v is not None for v in values)
    return Incoming(
        name=file.name,
        sha256=file.sha256,
        format=file.format,
        facts={**file.facts, "label": place, "scheme": taken.scheme, "labelled": has_labels},
        tail=file.tail,
        tokens=[sentence.tokens for sentence in file.sentences],
        columns=others,
        raws=file.raws,
        documents=file.documents(),
        starts=[sentence.starts_document for sentence in file.sentences],
        labels=taken.labels,
        drafts=taken.drafts,
        names=list(dict.fromkeys([*taken.names, *_names_of_readings(file.others)])),
        notes=[*file.notes, *taken.notes],
        others=file.others,
    )


def _names_of_readings(others: Sequence[ForeignSentence]) -> list[str]:
    return [split_label(y)[1] for one in others for _, labels in one.readings for y in labels if y != "O"]


def _label_column(file: FileRead, kind: str, column: str, label: str | None) -> str:
    """The column of the file that has the labels, or in which they will be written."""
    names = file.facts.get("columns") or list(file.sentences[0].columns)
    if file.format == CONLLU:
        return label or (column if is_conllu_column(column) or kind == "spans" else "upos")
    if label is not None and label not in names and file.format != JSONL:
        raise SettingError(f"label: expected one of the columns {', '.join(names)}, found {label!r}")
    if label is not None:
        return label
    if file.format == JSONL:
        return column if any(column in sentence.columns for sentence in file.sentences) else "label"
    return "label" if column not in names and "label" in names else column


def _values(sentence: Sentence, place: str, format_: str) -> list[str] | None:
    if format_ == CONLLU and not is_conllu_column(place):
        found = misc_values(sentence, place)
        return None if found is None else [unescape(y) for y in found]
    return sentence.columns.get(place)


def _without_labels(columns: dict[str, list[str]], place: str) -> dict[str, list[str]]:
    """The columns of CoNLL-U without labels in misc, which a model must not see."""
    if is_conllu_column(place):
        return columns
    nothing = [None] * len(columns["misc"])
    return with_feature(Sentence(dict(columns)), place.upper(), nothing).columns


def _saying_something(columns: list[dict[str, list[str]]]) -> list[dict[str, list[str]]]:
    """The columns of CoNLL-U that are not empty in the whole file."""
    kept = {name for some in columns for name, values in some.items() if values.count("_") != len(values)}
    return [{name: values for name, values in some.items() if name in kept} for some in columns]


def _check_names(
    taken: Taken, file: FileRead, values: Sequence[list[str] | None], where: Callable[[int, int], str]
) -> None:
    """Refuse labels that cannot be used."""
    for name in filter(None, taken.names):
        if not is_name(name):
            n, t = next((n, t) for n, v in enumerate(values) for t, y in enumerate(v or ()) if name in y)
            raise DataError(f"expected a label without spaces, found {brief(name)}", where(n, t))
    if len(taken.names) > 10_000:
        raise DataError(f"expected at most 10000 labels, found {len(taken.names)}; which column has them?", file.name)


# --- storing ---


def store(
    connection: sqlite3.Connection, found: Incoming, seed: int, who: str, known: LabelNames
) -> tuple[Imported, list[LabelEntry]]:
    """Write everything that came from a file; also return the labels that are new."""
    source = _add_source(connection, found)
    first = _add_sentences(connection, found, source, seed)
    labelled = _add_labels(connection, found, source, first, seed, who)
    names = LabelNames(known.kind, known.entries)
    added = []
    for name in found.names:
        if name not in names:
            added.append(names.new_entry(name))
            names.add(added[-1])
            add_label(connection, added[-1], who)
    notes = [*found.notes, *(f"a new label: {entry.name or '(spans without a type)'}" for entry in added)]
    return Imported(source, len(found.tokens), labelled, notes), added


def add_label(connection: sqlite3.Connection, entry: LabelEntry, who: str) -> None:
    """Write a new label."""
    add_event(connection, "label", who, asdict(entry))


def refuse_again(connection: sqlite3.Connection, sha256: str, name: str) -> None:
    """Refuse a file that is there already."""
    found = connection.execute("SELECT name FROM source WHERE sha256 = ?", (sha256,)).fetchone()
    if found:
        said = f"expected a new file, found the content of {found[0]!r}, which was imported before"
        raise AlreadyImportedError(said, name)


def _add_source(connection: sqlite3.Connection, found: Incoming) -> int:
    (last,) = connection.execute("SELECT coalesce(max(id), 0) FROM source").fetchone()
    row = (last + 1, found.name, found.sha256, found.format, dump(found.facts))
    number = len(found.tokens)
    check = digest([*row, found.tail.hex(), number])
    connection.execute("INSERT INTO source VALUES (?, ?, ?, ?, ?, ?, ?, ?)", (*row, found.tail, number, check))
    return int(last) + 1


def _add_sentences(connection: sqlite3.Connection, found: Incoming, source: int, seed: int) -> int:
    last, document = connection.execute(
        "SELECT coalesce(max(id), 0), coalesce(max(document), 0) FROM sentence"
    ).fetchone()
    rows, texts = [], []
    for n, tokens in enumerate(found.tokens):
        row = (
            last + 1 + n, source, n, document + 1 + found.documents[n], int(found.starts[n]), dump(tokens),
            dump(found.columns[n]), rank(seed, found.sha256, n),
        )  # fmt: skip
        rows.append((*row, digest(row)))
        texts.append((row[0], folded(tokens)))
    connection.executemany("INSERT INTO sentence VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", rows)
    connection.executemany("INSERT INTO origin VALUES (?, ?)", zip((row[0] for row in rows), found.raws, strict=True))
    connection.executemany("INSERT INTO words VALUES (?, ?)", texts)
    return int(last) + 1


def folded(tokens: Sequence[str]) -> str:
    """The text of a sentence as it is searched."""
    return " ".join(tokens).casefold()


def _add_labels(connection: sqlite3.Connection, found: Incoming, source: int, first: int, seed: int, who: str) -> int:
    """Write the labels that came with the sentences, and the state of all."""
    step = RevisionStep(connection, who)
    states = []
    for n, (labels, draft) in enumerate(zip(found.labels, found.drafts, strict=True)):
        current = Current(first + n, source, rank(seed, found.sha256, n))
        if labels is not None or draft is not None:
            row = step.row(first + n, "import")
            row.who = found.others[n].who if found.others else who
            row.status = NEW if labels is None else LABELLED
            row.labels, row.draft = (None if y is None else dump(y) for y in (labels, draft))
            step.put(current, row)
        states.append(current)
    step.flush()
    marks = ", ".join("?" * len(STATE_COLUMNS))
    connection.executemany(f"INSERT INTO current VALUES ({marks})", (state.values() for state in states))
    _add_said(connection, found, states)
    return sum(labels is not None for labels in found.labels)


def _add_said(connection: sqlite3.Connection, found: Incoming, states: Sequence[Current]) -> None:
    """Write the comments and second readings that came with the sentences."""
    for current, one in zip(states, found.others, strict=False):
        for who, text in one.comments:
            comment(connection, current.sentence, text, who, "")
        for who, labels in one.readings:
            read_again(connection, current.sentence, NewLabels(dump(labels), 0, source="import"), who, "")

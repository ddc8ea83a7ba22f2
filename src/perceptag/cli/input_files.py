"""The user's input files: what is in them, and what their columns are called."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import chain

from perceptag.cli import bar
from perceptag.cli.streams import write_stderr
from perceptag.errors import DataError, nearest
from perceptag.inspecting.limits import SHORTEST
from perceptag.labels.schemes import UNKNOWN, is_chunk_set
from perceptag.system.memory import no_search_for_cycles
from perceptag.system.plural import plural
from perceptag.tagging.naming import format_of, listed, wrong_width
from perceptag.text import Sentence
from perceptag.text.comments import comment_rows
from perceptag.text.format import FormatLike, Names
from perceptag.text.formats import stream
from perceptag.text.lines import forget_standard_input, name_of

_MOST_SHARED = 0.1  # of the sentences of dev or training data, without a warning
LABEL = "label"  # the column of `labels` in JSON lines
DEV_IS_TRAIN = "warning: the dev data is the training data; dev scores and calibration do not hold for other text"


def read_all(
    path: str, format_: FormatLike, columns: Names | None, what: str, *, keeps_unknown: bool = False
) -> list[Sentence]:
    """All sentences of a file; a file without any is an error. Files of other tools are recognised by their content.

    `keeps_unknown`: also those of other tools whose labels are not known.
    """
    from perceptag.cli.foreign_files import take_in  # tagging does not need it

    with no_search_for_cycles(), bar.reading(f"reading the {what} data", path):
        is_open = format_ is None and (columns is None or callable(columns))
        found = take_in(path, keeps_unknown=keeps_unknown) if is_open else None
        sentences = read_own(path, format_, columns) if found is None else found
    forget_standard_input()
    if not any(map(len, sentences)):
        raise DataError(f"there is no sentence in the {what} data", where=name_of(path))
    return sentences


def read_own(path: str, format_: FormatLike, columns: Names | None) -> list[Sentence]:
    """All sentences of a file in one of perceptag's own formats; an error says what else the file looks like."""
    from perceptag.foreign.file_hints import explained, looks_like, not_text, own_format
    from perceptag.foreign.intake import has_header

    try:
        sentences = list(stream(path, format_ or own_format(path), columns))
    except DataError as error:
        if told := not_text(path):
            raise DataError(told, name_of(path)) from None
        hint = looks_like(path) if format_ is None else ""
        if columns and not callable(columns) and has_header(path):
            hint = "this is a table, and its first line names the columns: leave out --columns"
        raise explained(error, hint) from None
    is_guessed = format_ is None and (not columns or callable(columns))
    hint = "" if _names_columns(path, format_) else taken_for_words(path, sentences, is_guessed=is_guessed)
    if hint := hint or ("" if columns else other_first_column(path, format_, sentences)):
        raise DataError(hint, name_of(path))
    return sentences


def other_first_column(path: str, format_: FormatLike, sentences: Sequence[Sentence]) -> str:
    """Say what is in the first column of a column file if these are not the words; else an empty string."""
    from perceptag.inspecting.first_column import why_not_words

    return "" if _names_columns(path, format_) else why_not_words(sentences)


def _names_columns(path: str, format_: FormatLike) -> bool:
    """Whether the format of a file has names for its columns, so that words are words."""
    from perceptag.foreign.file_hints import own_format

    return format_of(path, format_ or own_format(path)).names_columns


def taken_for_words(path: str, sentences: Sequence[Sentence], *, is_guessed: bool = True) -> str:
    """Say what a file seems to be whose lines were read as words; an empty string if they seem to be words.

    `is_guessed`: neither a format nor columns were named, so that sentences of one word may be lines of a text.
    """
    from perceptag.foreign.file_hints import looks_like

    first = next(filter(len, sentences), None)
    is_doubtful = first is not None and (list(first.columns) == ["form"] or first.tokens[0].startswith("<"))
    is_doubtful |= is_guessed and all(len(sentence) <= 1 for sentence in sentences)
    return looks_like(path, is_read=True) if is_doubtful else ""


def read_dev(
    path: str, format_: FormatLike, columns: Names | None, train: Sequence[Sentence], label: str
) -> list[Sentence]:
    """All sentences of the dev data; columns that have no names of their own must be those of the training data.

    The column of the labels may have another of their usual names, such as ``ner_tags`` for ``label``.
    """
    sentences = read_all(path, format_, columns, "dev")
    from perceptag.foreign.label_column import column_from_misc

    for column in (column for column in train[0].columns if column not in sentences[0].columns):
        column_from_misc(sentences, column)
    sentences = with_whole_labels(_with_column(sentences, label), label, path)
    expected, found = list(train[0].columns), list(sentences[0].columns)
    if columns is None and not format_of(path, format_).names_columns and set(found) != set(expected):
        raise DataError(
            f"expected {plural(len(expected), 'column')} as in the training data ({', '.join(expected)}), "
            f"found {len(found)} ({', '.join(found)})",
            where=path,
        )
    return sentences


def _with_column(sentences: list[Sentence], label: str) -> list[Sentence]:
    """The sentences with the labels in the column `label`, if they are in one with another usual name."""
    from perceptag.foreign.label_column import usual_label

    found = usual_label(sentences, label)
    if found == label:
        return sentences
    named = ({label if name == found else name: values for name, values in s.columns.items()} for s in sentences)
    return [replace(sentence, columns=columns) for sentence, columns in zip(sentences, named, strict=True)]


def with_labels(sentences: list[Sentence]) -> tuple[list[Sentence], list[str]]:
    """The sentences that have the column of the labels, if some of them have it, and a warning on the others."""
    kept = [sentence for sentence in sentences if LABEL in sentence.columns]
    return (kept, _left_out(sentences, kept, "which have no labels")) if kept else (sentences, [])


def with_known_labels(sentences: list[Sentence], column: str) -> tuple[list[Sentence], list[str]]:
    """The sentences of spans with a known label, and a warning on the others: ``_`` is not known."""
    unknown = set(map(id, of_unknown_labels(sentences, column)))
    kept = [sentence for sentence in sentences if id(sentence) not in unknown]
    return kept, _left_out(sentences, kept, f"all of whose labels are {UNKNOWN!r} (not known)")


def with_whole_labels(sentences: list[Sentence], column: str, path: str) -> list[Sentence]:
    """The sentences of spans whose labels are all known; warn of the others, which cannot be scored."""
    whole = are_known([sentence.columns.get(column, []) for sentence in sentences])
    if not any(whole):
        raise DataError(f"expected gold labels, found {UNKNOWN!r} (not known) in all sentences", where=path)
    kept = [sentence for sentence, is_known in zip(sentences, whole, strict=True) if is_known]
    for warning in _left_out(sentences, kept, f"some of whose labels are {UNKNOWN!r} (not known)"):
        write_stderr(warning)
    return kept


def are_known(labels: Sequence[Sequence[str]]) -> list[bool]:
    """Return for each sentence whether all its labels are known. Only among spans ``_`` means that one is not."""
    counts = Counter(chain.from_iterable(labels))
    if not counts.pop(UNKNOWN, 0) or not is_chunk_set(counts):
        return [True] * len(labels)
    return [UNKNOWN not in some for some in labels]


def of_unknown_labels(sentences: Sequence[Sentence], column: str) -> list[Sentence]:
    """The sentences of spans all of whose labels are ``_``."""
    labels = Counter(label for sentence in sentences for label in sentence.columns.get(column, ()))
    if not labels.pop(UNKNOWN, 0) or "O" not in labels or not is_chunk_set(labels):
        return []
    return [sentence for sentence in sentences if {*sentence.columns.get(column, ())} == {UNKNOWN}]


def notes_on_comments(sentences: Sequence[Sentence]) -> list[str]:
    """A warning if comments of CoNLL-U in a column file were read as tokens."""
    found = list(comment_rows(sentences))
    if not found:
        return []
    lines = "1 line was" if len(found) == 1 else f"{len(found):,} lines were"
    first, token = found[0]
    told = f"{lines} read as tokens that look like comments, such as # sent_id = 1: --comment '#' skips them"
    return [f"warning: {told}; first: {first.where(token)}"]


def _left_out(sentences: Sequence[Sentence], kept: Sequence[Sentence], why: str) -> list[str]:
    if len(kept) == len(sentences):
        return []
    known = set(map(id, kept))
    first = next(sentence for sentence in sentences if id(sentence) not in known)
    lost = f"{len(sentences) - len(kept)} of {len(sentences)} sentences left out, {why}"
    return [f"warning: {lost}; first: {first.where()}"]


def notes_on_dev(train: Sequence[Sentence], dev: Sequence[Sentence], column: str) -> list[str]:
    """Return notes about the dev data. Labels in another spelling than in the training data are an error.

    Without dev data, folds of the training data may take its place.
    """
    if not dev:
        return _repeated(train)
    if len(train) == len(dev) and all(a.columns == b.columns for a, b in zip(train, dev, strict=True)):
        return [DEV_IS_TRAIN]
    return [*_shared(train, dev), *_notes_on_dev_labels(train, dev, column)]


def _shared(train: Sequence[Sentence], dev: Sequence[Sentence]) -> list[str]:
    """A warning if many sentences of the dev data, labels included, are in the training data; short ones recur."""
    known = {_values(sentence) for sentence in train if len(sentence) >= SHORTEST}
    shared = sum(_values(sentence) in known for sentence in dev if len(sentence) >= SHORTEST)
    if shared <= _MOST_SHARED * len(dev):
        return []
    found = f"{shared} of {len(dev)} sentences of the dev data are also in the training data"
    return [f"warning: {found}; dev scores and calibration are too high"]


def _repeated(train: Sequence[Sentence]) -> list[str]:
    """A warning if many sentences are in the training data several times, and so in several folds of it."""
    long = [_values(sentence) for sentence in train if len(sentence) >= SHORTEST]
    repeats = len(long) - len(set(long))
    if repeats <= _MOST_SHARED * len(train):
        return []
    return [f"warning: {repeats} of {len(train)} sentences repeat others; scores on folds of them are too high"]


def _values(sentence: Sentence) -> tuple[tuple[str, ...], ...]:
    return tuple(map(tuple, sentence.columns.values()))


def _notes_on_dev_labels(train: Sequence[Sentence], dev: Sequence[Sentence], column: str) -> list[str]:
    known = Counter(label for sentence in train for label in sentence.columns.get(column, ()))
    if not is_chunk_set(known):
        return []
    kinds = {_kind(label) for label in known} - {""}
    marked = [
        (label, sentence.where(t))
        for sentence in dev
        for t, label in enumerate(sentence.columns.get(column, ()))
        if label not in ("O", UNKNOWN)
    ]
    if dev and not marked:
        return [
            f"warning: {dev[0].source}: no spans in {plural(len(dev), 'sentence', ',')} of dev data: dev F1 is always 0"
        ]
    unknown = [(label, where) for label, where in marked if label not in known and _kind(label) not in kinds]
    if not unknown:
        return []
    label, where = unknown[0]
    message = f"label {label!r} is not in the training data{nearest(label, known)}"
    if len(unknown) == len(marked):
        raise DataError(f"{message} (nor is any other label of the dev data but O)", where)
    return [f"warning: {where}: {message} ({len(unknown)} of {len(marked)} labels other than O)"]


def _kind(label: str) -> str:
    """The type of entity in a label; an empty string if the label is in another spelling, or has none."""
    prefix, _, kind = label.partition("-")
    return kind if len(prefix) == 1 and prefix in "BIESLUM" else ""


def refuse_single_label(sentences: Sequence[Sentence], column: str) -> None:
    """Refuse a column from which nothing can be learned."""
    if fault := single_label(sentences, column):
        raise DataError(fault, where=sentences[0].source)


def single_label(sentences: Sequence[Sentence], column: str) -> str:
    """Say that a column has only one label, and which was probably meant; an empty string if it has more labels."""
    found = {value for s in sentences for value in s.columns.get(column, ())}
    tokens = sum(map(len, sentences))
    if any(value.startswith("SpaceAfter=") for value in found):
        return (
            f"column {column!r}: expected labels, found misc of CoNLL-U, such as SpaceAfter=No; --label names another"
        )
    if len(found) > 1 or tokens == 1:
        return ""
    counts = {c: len({v for s in sentences for v in s.columns.get(c, ())}) for c in sentences[0].columns}
    others = [c for c, n in counts.items() if c not in (column, "form") and 1 < n <= max(2, tokens // 2)]
    meant = f"; {others[-1]!r} has {plural(counts[others[-1]], 'label')}: --label {others[-1]}" if others else ""
    return f"column {column!r}: expected at least two labels, found only {next(iter(found), '')!r}{meant}"


def naming_for_scoring(
    columns: Sequence[str], label: str, source: str, fewer: Sequence[str] = (), from_rules: str = ""
) -> Callable[[int], list[str]]:
    """Name the columns of a column file that must have the columns of the training data, labels included.

    `label`: the column of the labels; `fewer`: what else the file may have; `from_rules`: the column that rules gave in
    training.
    """

    def name(count: int) -> list[str]:
        if count not in (len(columns), len(fewer)):
            error = wrong_width(listed(columns), count, name_of(source))
            hint = f"; 'perceptag pipeline MODEL --rules FILE -o OUT' gives {from_rules!r}" if from_rules else ""
            raise DataError(f"{error}; the labels are in {label}, the model may look at the others{hint}")
        return list(columns if count == len(columns) else fewer)

    return name

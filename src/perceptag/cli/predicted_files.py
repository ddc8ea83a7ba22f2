"""Read gold and predicted labels, in two files or in two columns of one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import chain
from typing import NamedTuple

from perceptag.cli.input_files import are_known, read_all
from perceptag.cli.options import LabelledColumns
from perceptag.cli.streams import write_stderr
from perceptag.errors import DataError
from perceptag.foreign.label_column import WORDS, choose_label
from perceptag.labels.schemes import detect_scheme
from perceptag.system.plural import plural
from perceptag.tagging.naming import format_of
from perceptag.text import Sentence
from perceptag.text.columns import ColumnLayout
from perceptag.text.format import FormatLike


def read_systems(
    gold: str, predicted: Sequence[str], reading: LabelledColumns, note: Callable[[str], None]
) -> list[list[list[str]]]:
    """Return the labels in `gold` and in all files `predicted`; without any, in the last two columns of `gold`."""
    format_, columns, label = reading.format, reading.names, reading.label
    if not predicted:
        return read_both(gold, format_, columns)
    right = read_labels(gold, format_, columns, label)
    named = "" if label else column_by_name(right, gold, format_, note)
    systems = [right.labels]
    for path in predicted:
        found = read_labels(path, format_, columns, label, named)
        check_same_tokens(right.sentences, found.sentences)
        check_labels(right.labels, found.labels, path)
        systems.append(found.labels)
    return of_known_labels(systems, gold)


def of_known_labels(systems: list[list[list[str]]], gold: str) -> list[list[list[str]]]:
    """The labels of all systems, gold first, in sentences whose gold labels are all known; the others are counted."""
    whole = are_known(systems[0])
    if not any(whole):
        raise DataError("expected gold labels, found '_' (not known) in all sentences", where=gold)
    if lost := whole.count(False):
        many = plural(lost, "sentence")
        write_stderr(f"warning: {gold}: {many} left out, some of whose gold labels are '_' (not known)")
    return [[one for one, is_whole in zip(labels, whole, strict=True) if is_whole] for labels in systems]


def read_both(path: str, format_: FormatLike, columns: Sequence[str] | None) -> list[list[list[str]]]:
    """Return the last two columns of a file."""
    sentences = read_all(path, format_, columns, "gold")
    found = list(sentences[0].columns)
    if len(found) < 2 or format_of(path, format_).names_columns:
        raise DataError(
            "expected a column file whose last two columns are gold and predicted labels, or --model to predict them",
            where=path,
        )
    gold, predicted = of_known_labels([[s.columns[name] for s in sentences] for name in found[-2:]], path)
    if not set(chain.from_iterable(gold)) & set(chain.from_iterable(predicted)):
        raise DataError(
            f"expected gold and predicted labels in the last two columns, found {gold[0][0]!r}, {predicted[0][0]!r} "
            "and no value that is in both; --model names a model that predicts labels",
            where=path,
        )
    return [gold, predicted]


class Labelled(NamedTuple):
    """The sentences of a file, and the labels in one of its columns."""

    sentences: list[Sentence]
    labels: list[list[str]]
    column: str


def column_by_name(gold: Labelled, path: str, format_: FormatLike, note: Callable[[str], None]) -> str:
    """The column that was chosen among those of the format, the one to compare in all files; else an empty name."""
    if not format_of(path, format_).columns:
        return ""
    note(f"note: comparing column {gold.column!r}; --label names another")
    return gold.column


def read_labels(path: str, format_: FormatLike, columns: Sequence[str] | None, label: str, named: str = "") -> Labelled:
    """The sentences of a file, and their labels; if the format has fixed columns, in `label` or `named`."""
    sentences = read_all(path, format_, columns, "labelled", keeps_unknown=True)
    told = format_of(path, format_)
    column = choose_label(sentences, label or (named if told.columns else ""), told)
    if column == WORDS and sentences[0].layout is not None and not isinstance(sentences[0].layout, ColumnLayout):
        raise DataError("expected words and labels, found only words", path)  # a column file may have labels only
    for s in sentences:
        if column not in s.columns:
            raise DataError(f"there is no column {column!r} with labels", s.where())
    return Labelled(sentences, [s.columns[column] for s in sentences], column)


def check_labels(gold: list[list[str]], predicted: list[list[str]], source: str) -> None:
    """Refuse a column that cannot hold labels: the gold labels are spans, and no value in the column is a label."""
    known = set(chain.from_iterable(gold))
    found = set(chain.from_iterable(predicted))
    if detect_scheme(gold) != "none" and found and not found & {*known, "O"} and detect_scheme(predicted) == "none":
        raise DataError(
            f"expected labels such as {min(known)!r} in the last column, or in that of --label, found {min(found)!r}",
            source,
        )


def check_same_tokens(gold: Sequence[Sentence], predicted: Sequence[Sentence]) -> None:
    """Refuse files whose sentences differ, and say where the first difference is."""
    words = all(len(s.columns) > 1 for s in (gold[0], predicted[0]))  # a single column is that of the labels
    for g, p in zip(gold, predicted, strict=False):
        for t in range(min(len(g), len(p))):
            if words and g.tokens[t] != p.tokens[t]:
                raise DataError(
                    f"expected the token {g.tokens[t]!r} of {g.where(t)}, found {p.tokens[t]!r}", p.where(t)
                )
        if len(g) != len(p):
            raise DataError(
                f"expected a sentence of {plural(len(g), 'token')}, as at {g.where()}, found {len(p)}", p.where()
            )
    if len(gold) != len(predicted):
        longer, shorter = (gold, predicted) if len(gold) > len(predicted) else (predicted, gold)
        more = longer[len(shorter)]
        raise DataError(
            f"expected the same sentences in both files, found one that is not in {shorter[0].source}", more.where()
        )

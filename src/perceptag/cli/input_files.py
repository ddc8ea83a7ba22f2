"""The user's input files: what their columns are called, and which column holds the labels."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from perceptag.cli import bar
from perceptag.errors import DataError, SettingError, nearest
from perceptag.tagging.naming import format_of, listed, wrong_width
from perceptag.text import Sentence
from perceptag.text.format import Format, FormatLike, Names
from perceptag.text.formats import stream
from perceptag.text.lines import name_of

DEV_IS_TRAIN = "warning: the dev data is the training data; dev scores and calibration do not hold for other text"


def read_all(path: str, format_: FormatLike, columns: Names | None, what: str) -> list[Sentence]:
    """All sentences of a file; a file without any is an error."""
    with no_search_for_cycles(), bar.reading(f"reading the {what} data", path):
        sentences = list(stream(path, format_, columns))
    if not any(map(len, sentences)):
        raise DataError(f"there is no sentence in the {what} data", where=path)
    return sentences


def read_dev(path: str, format_: FormatLike, columns: Names | None, train: Sequence[Sentence]) -> list[Sentence]:
    """All sentences of the dev data; columns that have no names of their own must be those of the training data."""
    sentences = read_all(path, format_, columns, "dev")
    expected, found = list(train[0].columns), list(sentences[0].columns)
    if columns is None and not format_of(path, format_).names_columns and set(found) != set(expected):
        raise DataError(
            f"expected {len(expected)} columns as in the training data ({', '.join(expected)}), "
            f"found {len(found)} ({', '.join(found)})",
            where=path,
        )
    return sentences


def notes_on_dev(train: Sequence[Sentence], dev: Sequence[Sentence]) -> list[str]:
    """What a user should know about the dev data."""
    if len(train) == len(dev) and all(a.columns == b.columns for a, b in zip(train, dev, strict=True)):
        return [DEV_IS_TRAIN]
    return []


@contextmanager
def no_search_for_cycles() -> Iterator[None]:
    """Turn the garbage collector off: sentences have no cycles, and looking for them takes a third of the time."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def choose_label(sentences: Sequence[Sentence], label: str, format_: Format | None = None) -> str:
    """The column with the labels: the one that the user named, or the usual one of the format."""
    columns = list(sentences[0].columns)
    if label:
        if label not in columns:
            raise SettingError(
                f"--label: there is no column {label!r}; {sentences[0].source} has {', '.join(columns)}"
                f"{nearest(label, columns)}"
            )
        return label
    usual = [c for c in format_.label_columns if c in columns] if format_ else []
    return next((c for c in usual if _is_filled(sentences, c)), usual[0] if usual else columns[-1])


def _is_filled(sentences: Sequence[Sentence], column: str) -> bool:
    """Whether a column has a value other than "_", which in CoNLL-U means that there is none."""
    return any(value != "_" for s in sentences for value in s.columns.get(column, ()))


def refuse_same_file(option: str, target: str, inputs: Iterable[str | None]) -> None:
    """Refuse to write over a file that is being read."""
    for path in inputs:
        if path and path != "-" and Path(target).exists() and Path(path).exists() and Path(target).samefile(path):
            raise SettingError(f"{option}: {target} is also an input; writing it would destroy it")


def require_folder(target: str) -> None:
    """Refuse a file in a folder that is not there, before work begins whose result would have no place."""
    if target != "-" and not Path(target).parent.is_dir():
        raise DataError(f"cannot write: there is no folder {str(Path(target).parent)!r}", where=target)


def output_of_tagging(source: str, output: str, in_place: bool) -> str:
    """Where the tagged text goes. The file that it comes from is replaced only if that is asked for."""
    is_same = output != "-" and Path(output).is_file() and Path(source).is_file() and Path(output).samefile(source)
    if not in_place:
        if is_same:
            raise SettingError(f"--output: {output} is the file to tag; --in-place lets it be replaced")
        return output
    if source == "-":
        raise SettingError("--in-place: expected a file to tag, found standard input")
    if output != "-" and not is_same:
        raise SettingError("--in-place and --output: give one of them, not both")
    return source


def naming_for_scoring(columns: Sequence[str], source: str, fewer: Sequence[str] = ()) -> Callable[[int], list[str]]:
    """Name the columns of a column file that must have the columns of the training data, labels included.

    `fewer`: what else it may have.
    """

    def name(count: int) -> list[str]:
        if count not in (len(columns), len(fewer)):
            raise wrong_width(listed(columns), count, name_of(source))
        return list(columns if count == len(columns) else fewer)

    return name

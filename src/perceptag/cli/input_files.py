"""The user's input files: what their columns are called, and which column holds the labels."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from perceptag.cli import bar
from perceptag.cli.meant import is_model_name
from perceptag.errors import DataError, SettingError, nearest
from perceptag.system.memory import no_search_for_cycles
from perceptag.tagging.naming import format_of, listed, wrong_width
from perceptag.text import Sentence
from perceptag.text.format import Format, FormatLike, Names
from perceptag.text.formats import stream
from perceptag.text.lines import forget_standard_input, name_of

DEV_IS_TRAIN = "warning: the dev data is the training data; dev scores and calibration do not hold for other text"
_PROJECT = b"SQLite format 3\0"  # how the file of a project begins


def read_all(path: str, format_: FormatLike, columns: Names | None, what: str) -> list[Sentence]:
    """All sentences of a file; a file without any is an error. Files of other tools are recognised by their content."""
    from perceptag.cli.foreign_files import take_in  # tagging does not need it

    with no_search_for_cycles(), bar.reading(f"reading the {what} data", path):
        found = take_in(path) if format_ is None and (columns is None or callable(columns)) else None
        sentences = read_own(path, format_, columns) if found is None else found
    forget_standard_input()
    if not any(map(len, sentences)):
        raise DataError(f"there is no sentence in the {what} data", where=path)
    return sentences


def read_own(path: str, format_: FormatLike, columns: Names | None) -> list[Sentence]:
    """All sentences of a file in one of perceptag's own formats; an error says what else the file looks like."""
    from perceptag.foreign.intake import has_header, looks_like, own_format

    try:
        sentences = list(stream(path, format_ or own_format(path), columns))
    except DataError as error:
        hint = looks_like(path) if format_ is None else ""
        if columns and not callable(columns) and has_header(path):
            hint = "this is a table, and its first line names the columns: leave out --columns"
        raise DataError(f"{error}; {hint}") if hint else error from None
    hint = taken_for_words(path, sentences)
    if hint := hint or ("" if columns else other_first_column(path, format_, sentences)):
        raise DataError(hint, name_of(path))
    return sentences


def other_first_column(path: str, format_: FormatLike, sentences: Sequence[Sentence]) -> str:
    """Say what is in the first column of a column file if these are not the words; else an empty string."""
    from perceptag.foreign.intake import own_format
    from perceptag.inspecting.first_column import why_not_words

    has_names = format_of(path, format_ or own_format(path)).names_columns
    return "" if has_names else why_not_words(sentences)


def taken_for_words(path: str, sentences: Iterable[Sentence]) -> str:
    """Say what a file seems to be whose lines were read as words; an empty string if they seem to be words."""
    from perceptag.foreign.intake import looks_like

    first = next(filter(len, sentences), None)
    is_doubtful = first is not None and (list(first.columns) == ["form"] or first.tokens[0].startswith("<"))
    return looks_like(path, is_read=True) if is_doubtful else ""


def read_dev(path: str, format_: FormatLike, columns: Names | None, train: Sequence[Sentence]) -> list[Sentence]:
    """All sentences of the dev data; columns that have no names of their own must be those of the training data."""
    sentences = read_all(path, format_, columns, "dev")
    from perceptag.foreign.misc_labels import column_from_misc

    for column in (column for column in train[0].columns if column not in sentences[0].columns):
        column_from_misc(sentences, column)
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


def choose_label(sentences: Sequence[Sentence], label: str, format_: Format | None = None) -> str:
    """The column with the labels: the one that the user named, or the usual one of the format."""
    from perceptag.foreign.misc_labels import column_from_misc
    from perceptag.text.conllu import FORMAT, ConlluLayout

    columns = list(sentences[0].columns)
    format_ = FORMAT if isinstance(sentences[0].layout, ConlluLayout) else format_
    if label:
        if label not in columns and not column_from_misc(sentences, label):
            hint = nearest(label, columns) or ("; --label label names its labels" if "label" in columns else "")
            found = f"{sentences[0].source} has {', '.join(columns)}"
            raise SettingError(f"--label: there is no column {label!r}; {found}{hint}")
        if label == ("form" if "form" in columns else columns[0]) and len(columns) > 1:
            raise SettingError(f"--label: expected a column of labels, found {label!r}, the words")
        return label
    usual = [c for c in format_.label_columns if c in columns] if format_ else []
    filled = next((c for c in usual if _is_filled(sentences, c)), "")
    return filled or column_from_misc(sentences) or (usual[0] if usual else columns[-1])


def _is_filled(sentences: Sequence[Sentence], column: str) -> bool:
    """Whether a column has a value other than "_", which in CoNLL-U means that there is none."""
    return any(value != "_" for s in sentences for value in s.columns.get(column, ()))


def refuse_single_label(sentences: Sequence[Sentence], column: str) -> None:
    """Refuse a column from which nothing can be learned."""
    if fault := single_label(sentences, column):
        raise DataError(fault, where=sentences[0].source)


def single_label(sentences: Sequence[Sentence], column: str) -> str:
    """Say that a column has only one label, and which was probably meant; an empty string if it has more labels."""
    found = {value for s in sentences for value in s.columns.get(column, ())}
    tokens = sum(map(len, sentences))
    if len(found) > 1 or tokens == 1:
        return ""
    counts = {c: len({v for s in sentences for v in s.columns.get(c, ())}) for c in sentences[0].columns}
    others = [c for c, n in counts.items() if c not in (column, "form") and 1 < n <= max(2, tokens // 2)]
    meant = f"; {others[-1]!r} has {counts[others[-1]]} labels: --label {others[-1]}" if others else ""
    return f"column {column!r}: expected at least two labels, found only {next(iter(found), '')!r}{meant}"


def refuse_same_file(option: str, target: str, inputs: Iterable[str | None]) -> None:
    """Refuse to write over a file that is being read."""
    for path in inputs:
        if path and path != "-" and Path(target).exists() and Path(path).exists() and Path(target).samefile(path):
            raise SettingError(f"{option}: {target} is also an input; writing it would destroy it")


def refuse_other_file(option: str, target: str) -> None:
    """Refuse to write a model over another kind of file: a slip of the hand should not cost a corpus or a project."""
    if is_model_name(target):
        return
    head = _head(target)
    if head and not _begins_as_model(head):
        raise SettingError(f"{option}: expected a new file or a model to replace, found another file: {target}")


def check_text_output(option: str, target: str, inputs: Iterable[str | None]) -> None:
    """Refuse to write text over a file that is being read, and over models and projects."""
    refuse_same_file(option, target, inputs)
    head = _head(target)
    found = "a model" if _begins_as_model(head) else "a project" if head == _PROJECT else ""
    if found:
        raise SettingError(f"{option}: expected a new file or one to replace, found {found}: {target}")


def _head(target: str) -> bytes:
    """Return the first bytes of a file that would be replaced; none if there is no file."""
    if target == "-" or not Path(target).is_file():
        return b""
    with Path(target).open("rb") as stream:
        return stream.read(len(_PROJECT))


def _begins_as_model(head: bytes) -> bool:
    """Return whether the length of a header comes first, in eight bytes the last of which is always 0, and then "{"."""
    return head[7:9] == b"\0{"


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

"""CRFsuite data files: the label of a token and its features on each line, separated by tabs.

    B-PER   word=Angela     title   suffix=la
    O       word=said       time\\:now

A blank line ends a sentence. A feature may be a number, ``name:0.5``; without one it counts 1. In its name ``\\:`` is a
colon and ``\\\\`` a backslash.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from perceptag.errors import DataError, SettingError, brief
from perceptag.system import file_kinds
from perceptag.system.output_files import Target, text_writer
from perceptag.text.compressed import open_output
from perceptag.text.feature_lists import COLUMN, checked, joined, with_amounts, written
from perceptag.text.format import Format, Names
from perceptag.text.lines import Source, paragraphs, whole_paragraphs
from perceptag.text.sentence import Sentence
from perceptag.text.separated_fields import check_lengths, check_values, place

LABEL = "label"
_PARTS = re.compile(r"((?:[^\\:]|\\.)*)(?::(.*))?", re.DOTALL)
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)


def read_crfsuite(source: Source, columns: Names | None = None) -> Iterator[Sentence]:
    """Read sentences from a file of CRFsuite; each has the columns ``features`` and ``label``.

    >>> import io
    >>> [s.columns for s in read_crfsuite(io.StringIO("NN\\tword=dog\\tbias:1\\n"))]
    [{'features': ['word=dog\\x1fbias'], 'label': ['NN']}]
    """
    if columns is not None and not callable(columns) and not {*columns} <= {COLUMN, LABEL}:
        raise SettingError(f"columns: format crfsuite: expected {COLUMN} and {LABEL}, found {', '.join(columns)}")
    for block in whole_paragraphs(source):
        for line, text in paragraphs(block):
            rows = [row.split("\t") for row in text.split("\n")]
            values = [_features(row[1:], f"{block.source}:{n}") for n, row in enumerate(rows, line)]
            labels = [_label(row[0], f"{block.source}:{n}") for n, row in enumerate(rows, line)]
            yield Sentence({COLUMN: values, LABEL: labels}, block.source, line)


def _label(label: str, where: str) -> str:
    if not label:
        raise DataError("expected a label before the first tab, found none", where)
    return label


def _features(fields: Sequence[str], where: str) -> str:
    return joined((_feature(field, where) for field in fields if field), where)


def _feature(field: str, where: str) -> tuple[str, float]:
    """Return the name of a feature, and what it counts."""
    parts = _PARTS.fullmatch(field)
    try:
        amount = 1.0 if parts and parts[2] is None else float(parts[2] if parts else "")
    except ValueError:
        raise DataError(
            rf"expected a feature, or name:number (\: is a colon in a name), found {brief(field)}", where
        ) from None
    assert parts
    name = _ESCAPED.sub(r"\1", parts[1])
    return name, checked(amount, name, where)


def write_crfsuite(sentences: Iterable[Sentence], target: Target) -> None:
    """Write sentences as CRFsuite reads them. They must have features and labels."""
    with open_output(target, FORMAT.kind) as stream:
        put = text_writer(stream)
        for number, sentence in enumerate(sentences, 1):
            text = "".join(f"{line}\n" for line in [*_lines(sentence, number), ""])
            is_mark = number == 1 and text.startswith("\ufeff")  # a reader drops the first one, as a byte order mark
            put(f"\ufeff{text}" if is_mark else text)


def _lines(sentence: Sentence, number: int) -> Iterator[str]:
    columns = sentence.columns
    if len(columns) != 2 or COLUMN not in columns:
        expected = f"expected two, {COLUMN!r} (lists of features) and the labels"
        raise DataError(f"columns: {expected}, found {', '.join(columns)}", place(sentence, number))
    check_lengths(sentence, columns, number)
    check_values(sentence, columns, "\t\n\r\0", number)
    labels = next(values for name, values in columns.items() if name != COLUMN)
    for label, value in zip(labels, columns[COLUMN], strict=True):
        yield "\t".join([label, *(_written(name, amount) for name, amount in with_amounts(value).items())])


def _written(name: str, amount: float) -> str:
    escaped = name.replace("\\", "\\\\").replace(":", "\\:")
    return escaped if amount == 1 else f"{escaped}:{written(amount)}"


def _no_values(sentence: Sentence, name: str, values: Sequence[str | None]) -> Sentence:
    del sentence, values
    raise SettingError(f"--to: expected columns, conllu or jsonl, which can hold the {name} of a token; found crfsuite")


FORMAT = Format(
    name="crfsuite",
    kind=file_kinds.CRFSUITE,
    endings=(".crfsuite",),
    title="CRFsuite",
    read=read_crfsuite,
    write=write_crfsuite,
    with_values=_no_values,
    columns=(COLUMN, LABEL),
    label_columns=(LABEL,),
)

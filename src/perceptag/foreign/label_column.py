"""The column of a file that holds the labels."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from perceptag.errors import SettingError, nearest
from perceptag.foreign.token_lists import NO_NAMES
from perceptag.labels.schemes import detect_scheme
from perceptag.text.conllu import FORMAT, ConlluLayout, with_feature
from perceptag.text.conllu_spaces import features_of, unescape
from perceptag.text.format import Format
from perceptag.text.list_names import LABEL_COLUMNS, OF_LAYERS, OTHER_TAGS, TAGS
from perceptag.text.parquet_layout import ParquetLayout
from perceptag.text.sentence import Sentence

WORDS = "form"


def choose_label(sentences: Sequence[Sentence], label: str, format_: Format | None = None) -> str:
    """Return the column with the labels: the one that the user named, or the usual one of the format."""
    columns = list(sentences[0].columns)
    is_treebank = "misc" in columns and not any(name in columns for name in LABEL_COLUMNS)
    format_ = FORMAT if is_treebank or isinstance(sentences[0].layout, ConlluLayout) else format_
    if label:
        if label not in columns and not column_from_misc(sentences, label):
            hint = nearest(label, columns) or ("; --label label names its labels" if "label" in columns else "")
            found = f"{sentences[0].source} has {', '.join(columns)}"
            raise SettingError(f"--label: there is no column {label!r}; {found}{hint}")
        if label == (WORDS if WORDS in columns else columns[0]) and len(columns) > 1:
            raise SettingError(f"--label: expected a column of labels, found {label!r}, the words")
        return label
    usual = [c for c in format_.label_columns if c in columns] if format_ else []
    filled = next((c for c in usual if _is_filled(sentences, c)), "")
    if found := filled or column_from_misc(sentences):
        return found
    _refuse_numbers(sentences[0])
    return usual[0] if usual else _of_spans(columns, format_) or _last(columns)


def usual_label(sentences: Sequence[Sentence], name: str) -> str:
    """Return the column that a model calls `name`, or else one with a usual name of labels; `name` without any."""
    columns = sentences[0].columns
    return next((n for n in (name, *LABEL_COLUMNS) if n in columns or column_from_misc(sentences, n)), name)


def _is_filled(sentences: Sequence[Sentence], column: str) -> bool:
    """Whether a column has a value other than "_", which in CoNLL-U means that there is none."""
    return any(value != "_" for s in sentences for value in s.columns.get(column, ()))


def _refuse_numbers(sentence: Sentence) -> None:
    """Refuse the labels of a Parquet file if they are numbers without names."""
    rows = sentence.layout.rows if isinstance(sentence.layout, ParquetLayout) else None
    name = rows.fields.numbers if rows else ""
    if name in TAGS or (name and len(sentence.columns) == 1):
        raise SettingError(f"{sentence.source}: {name!r} are numbers: {NO_NAMES}")


def _of_spans(columns: Sequence[str], format_: Format | None) -> str:
    """Return the labels of spans in a record whose last list has tags of words; else an empty string."""
    is_named = format_ is not None and format_.label_columns == LABEL_COLUMNS
    return next((name for name in OF_LAYERS if is_named and columns[-1] in OTHER_TAGS and name in columns), "")


def _last(columns: Sequence[str]) -> str:
    """Return the last column; if that has the words, the only other one or the one that is called ``label``."""
    others = [column for column in columns if column != WORDS]
    if columns[-1] != WORDS or not others:
        return columns[-1]
    if "label" in others or len(others) == 1:
        return "label" if "label" in others else others[0]
    raise SettingError(f"--label: expected {' or '.join(others)}, since the last column has the words; found none")


_USUAL = ("NER", "LABEL", "ENTITY", "TAG")
_NOT_LABELS = ("SpaceAfter", "SpacesAfter", "SpacesBefore", "SpacesInToken", "Translit", "Gloss", "LTranslit", "MSeg")


def column_from_misc(sentences: Sequence[Sentence], wanted: str = "") -> str:
    """Add the labels in misc as a column, and take them out of misc; return its name, or "" if there are none.

    `wanted` names them; without it, they are those with a usual name, or else the first that are labels of spans. Names
    are compared without regard to case.
    """
    if not sentences or not isinstance(sentences[0].layout, ConlluLayout):
        return ""
    counts = Counter(name for s in sentences for misc in s.columns.get("misc", ()) for name in features_of(misc))
    if wanted:
        name = next((name for name in counts if name.casefold() == wanted.casefold()), "")
    else:
        name = next((name for name in _USUAL if name in counts), "") or _spans_in(sentences, counts)
    if not name:
        return ""
    column = wanted or name.lower()
    _add(sentences, name, column)
    return column


def _spans_in(sentences: Sequence[Sentence], counts: Counter[str]) -> str:
    for name in (name for name, _ in counts.most_common() if name not in _NOT_LABELS):
        values = [_values(sentence, name) for sentence in sentences]
        if detect_scheme([[value or "O" for value in some] for some in values]) != "none":
            return name
    return ""


def _values(sentence: Sentence, name: str) -> list[str | None]:
    found = (features_of(misc).get(name) for misc in sentence.columns["misc"])
    return [None if value is None else unescape(value) for value in found]


def _add(sentences: Sequence[Sentence], name: str, column: str) -> None:
    """Tokens that have no label are outside if the others have labels of spans; else their label is '_'."""
    found = [_values(sentence, name) for sentence in sentences]
    is_spans = detect_scheme([[value or "O" for value in some] for some in found]) != "none"
    for sentence, values in zip(sentences, found, strict=True):
        rest = with_feature(sentence, name, [None] * len(sentence)).columns["misc"]
        labels = [value if value is not None else "O" if is_spans else "_" for value in values]
        sentence.columns = {**sentence.columns, "misc": rest, column: labels}

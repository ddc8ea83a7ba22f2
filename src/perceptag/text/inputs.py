"""Turn what users give in Python into sentences; check it, with errors that say where and what."""

from __future__ import annotations

import dataclasses
import io
from collections.abc import Iterable, Mapping, Sequence, Set
from itertools import chain
from typing import Any

from perceptag._core import are_texts
from perceptag.arrays import is_array
from perceptag.errors import DataError, SettingError, brief
from perceptag.system.plural import plural
from perceptag.text.sentence import Sentence

BATCH = 1000  # sentences that are checked together


def as_sentences(X: Iterable[object]) -> list[Sentence]:
    """Accept what users have: sentences, token lists, or lists of rows with named columns.

    >>> as_sentences([["The", "dog"], [{"form": "It", "pos": "PRP"}]])[1].columns
    {'form': ['It'], 'pos': ['PRP']}
    """
    given = as_list(X, "a list of sentences")
    return _plain_sentences(given) or [_as_sentence(x, f"sentence {i}") for i, x in enumerate(given)]


def _plain_sentences(given: list[Any]) -> list[Sentence] | None:
    """Make sentences of lists of strings, the most frequent input, with one quick check; None for any other input."""
    kinds = set(map(type, given))
    if kinds == {list}:
        columns = [{"form": tokens} for tokens in given]
    elif kinds == {dict}:
        columns = given
    elif kinds == {Sentence}:
        columns = [sentence.columns for sentence in given]
    else:
        return None
    if not all(_are_sound(columns[i : i + BATCH]) for i in range(0, len(columns), BATCH)):
        return None
    if kinds == {Sentence}:
        # Sentences from files are checked too: their columns may have been changed since.
        return [s if s.source else dataclasses.replace(s, source=f"sentence {i}") for i, s in enumerate(given)]
    return [
        Sentence({name: [*values] for name, values in sentence.items()}, f"sentence {i}")
        for i, sentence in enumerate(columns)
    ]


def _are_sound(columns: Sequence[Mapping[str, Any]]) -> bool:
    """Return whether all of these are dictionaries of lists of strings, equally long in each."""
    if set(map(type, columns)) != {dict} or set(map(type, chain.from_iterable(columns))) != {str}:
        return False
    values = [values for sentence in columns for values in sentence.values()]
    names = list(set(chain.from_iterable(columns)))
    if set(map(type, values)) != {list} or not are_texts(names) or not all(map(are_texts, values)):
        return False
    return all(len(set(map(len, sentence.values()))) == 1 for sentence in columns)


def _as_sentence(x: object, where: str) -> Sentence:
    if isinstance(x, Sentence):
        return _checked(dataclasses.replace(x, source=x.source or where))
    if isinstance(x, Mapping):
        columns = {_name(name, where): values for name, values in x.items()}
        lists = {name: as_list(v, "a list of tokens", f"{where}: column {name!r}") for name, v in columns.items()}
        return _checked(Sentence(lists, where))
    tokens = as_list(x, "a list of tokens", where)
    if not tokens or not all(isinstance(token, Mapping) for token in tokens):
        return _checked(Sentence({"form": tokens}, where))
    names = list(tokens[0])
    for t, token in enumerate(tokens):
        if list(token) != names:
            raise DataError(
                f"expected the columns of the first token, {brief(names, 200)}, found {brief(list(token), 200)}",
                f"{where}, token {t}",
            )
    return _checked(Sentence({_name(n, where): [token[n] for token in tokens] for n in names}, where))


def _name(name: object, where: str) -> str:
    try:
        return str(name)
    except ValueError:  # an integer of more digits than Python writes
        raise DataError(f"name of a column: expected text, found {brief(name)}", where) from None


def _checked(sentence: Sentence) -> Sentence:
    """Refuse columns of different lengths, and names and tokens that are not text."""
    where = sentence.where() if sentence.line else sentence.source
    if not isinstance(sentence.columns, Mapping):
        raise DataError(f"columns: expected a dictionary of lists, found {brief(sentence.columns)}", where)
    for name, values in sentence.columns.items():
        if not are_texts([name]):
            raise DataError(f"name of a column: expected text, found {_describe(name)}", where)
        if isinstance(values, str) or not (isinstance(values, Sequence) or is_array(values)):
            raise DataError(f"column {name!r}: expected a list of strings, found {brief(values)}", where)
    lengths = {name: len(values) for name, values in sentence.columns.items()}
    if len(set(lengths.values())) > 1:
        raise DataError(f"expected columns of equal length, found {lengths}", where)
    for name, values in sentence.columns.items():
        check_texts(values, f"column {name!r}", map(sentence.where, range(len(values))))
    return sentence


def check_texts(values: Sequence[object], what: str, places: Iterable[str]) -> None:
    """Refuse a value that is not text, and name its place."""
    if are_texts(values):  # many at once is ten times as fast as one by one
        return
    where, value = next((where, value) for where, value in zip(places, values, strict=True) if not are_texts([value]))
    raise DataError(f"{what}: expected text, found {_describe(value)}{_hint_on_pairs(value)}", where)


def _hint_on_pairs(value: object) -> str:
    """Say how words and tags in pairs, as NLTK has them, are taken apart."""
    is_pair = isinstance(value, tuple) and len(value) == 2 and all(isinstance(part, str) for part in value)
    return "; fit(X, y) takes words and tags apart: X = [[w for w, t in s] for s in data]" if is_pair else ""


def _describe(value: object) -> str:
    if not isinstance(value, str):
        return brief(value)
    return f"NUL in {brief(value)}" if "\0" in value else f"a lone surrogate in {brief(value)}"


def labelled(X: Iterable[object], y: Iterable[Sequence[str]] | None, column: str) -> list[Sentence]:
    """Return sentences with labels: `y` as this column, or those that the sentences have."""
    sentences = as_sentences(X)
    return sentences if y is None else with_labels(sentences, y, column)


def heldout(dev: object, column: str) -> list[Sentence] | None:
    """Return the sentences of ``dev=``: (X, y), or sentences with labels."""
    if dev is None:
        return None
    if not isinstance(dev, tuple):
        return as_sentences(dev)  # type: ignore[arg-type]  # which refuses anything else
    if len(dev) != 2:
        raise SettingError(f"dev: expected (X, y) or a list of sentences, found {len(dev)} things")
    return labelled(*dev, column)


def with_labels(sentences: Sequence[Sentence], y: Iterable[Sequence[str]], column: str) -> list[Sentence]:
    """Return sentences with a column of labels."""
    return [
        dataclasses.replace(sentence, columns={**sentence.columns, column: labels})
        for sentence, labels in zip(sentences, checked_labels(sentences, y), strict=True)
    ]


def checked_labels(sentences: Sequence[Sentence], y: Iterable[Sequence[str]]) -> list[list[str]]:
    """Return labels as lists; raise `DataError` unless there is one for each token."""
    return [
        _labels(sentence, labels, f"sentence {i}")
        for i, (sentence, labels) in enumerate(zip(sentences, _label_lists(sentences, y), strict=True))
    ]


def checked_given(sentences: Sequence[Sentence], given: Iterable[Sequence[str | None]]) -> list[list[str | None]]:
    """Return labels that are given, as lists; raise `DataError` unless there is a label or None for each token."""
    return [
        _labels(sentence, labels, f"sentence {i}", may_be_none=True)
        for i, (sentence, labels) in enumerate(zip(sentences, _label_lists(sentences, given), strict=True))
    ]


def _label_lists(sentences: Sequence[Sentence], y: object) -> list[Any]:
    given = as_list(y, "a list of label lists")
    if len(sentences) != len(given):
        raise DataError(f"expected {len(sentences)} label lists, one for each sentence; found {len(given)}")
    return given


def _labels(sentence: Sentence, labels: object, where: str, may_be_none: bool = False) -> list[Any]:
    found = as_list(labels, "a list of labels", where)
    if len(sentence) != len(found):
        raise DataError(f"expected {plural(len(sentence), 'label')}, one for each token; found {len(found)}", where)
    if all(found) and are_texts(found):
        return found
    for t, label in enumerate(found):
        if label is None and may_be_none:
            continue
        if not label or not are_texts([label]):
            hint = "; labels are strings" * isinstance(label, int | float)
            raise DataError(
                f"expected a label{' or None' * may_be_none}, found {brief(label)}{hint}", f"{where}, token {t}"
            )
    return found


# Values that Python can loop over need not be lists: a data frame gives its column names, a file its lines, a set its
# elements in any order. What to give instead of a data frame, by what was expected.
_OF_A_FRAME = {
    "a list of sentences": "df.groupby('sentence')['token'].apply(list).tolist(), with the names of your columns",
    "a list of tokens": "df['token'].tolist(), or df.to_dict('list') for all columns",
    "a list of label lists": "df.groupby('sentence')['label'].apply(list).tolist(), with the names of your columns",
    "a list of labels": "df['label'].tolist()",
}


def as_list(values: object, expected: str, where: str = "") -> list[Any]:
    """The values as a list; a `DataError` if they are not a list, a tuple, an array or an iterator of some kind.

    `expected`: what they should be; for the keys above an error says what to give instead of a data frame.

    >>> as_list({"a", "b"}, "a list of tokens", "sentence 3")
    Traceback (most recent call last):
    ...
    perceptag.errors.DataError: sentence 3: expected a list of tokens, found a set, which has no order
    """
    if type(values) is list:
        return [*values]
    found = ""
    if is_frame(values):
        found = f"a {type(values).__name__}" + (f"; give {_OF_A_FRAME[expected]}" if expected in _OF_A_FRAME else "")
    elif isinstance(values, Set) and not hasattr(values, "mapping"):  # the keys of a dictionary have an order
        found = f"a {type(values).__name__}, which has no order"
    elif _is_file(values):
        found = "an open file; perceptag.text.read(path) reads the sentences of a file"
    elif isinstance(values, (str, bytes, Mapping)) or not isinstance(values, Iterable) or _has_no_axis(values):
        found = brief(values)
    if found:
        raise DataError(f"expected {expected}, found {found}", where)
    assert isinstance(values, Iterable)
    in_python: Any = getattr(values, "tolist", None) if type(values).__name__ == "ndarray" else None
    return list(in_python() if in_python else values)  # strings of numpy become those of Python


def _has_no_axis(values: object) -> bool:
    """Whether this is an array of numpy that holds one value."""
    return getattr(values, "ndim", None) == 0


def is_frame(values: object) -> bool:
    """Whether this is a table, as pandas and polars have them, or a part of one that was grouped."""
    return all(hasattr(values, name) for name in ("columns", "shape", "to_dict")) or hasattr(values, "ngroups")


def _is_file(values: object) -> bool:
    return isinstance(values, io.IOBase) or (hasattr(values, "read") and hasattr(values, "readline"))


def check_spans(sentences: Sequence[Sentence], spans: object) -> None:
    """Refuse anything but a list of spans for each sentence."""
    if not isinstance(spans, (list, tuple)) or not all(isinstance(some, (list, tuple)) for some in spans):
        raise SettingError(f"spans: expected a list of spans for each sentence, found {brief(spans)}")
    if len(spans) != len(sentences):
        raise SettingError(f"spans: expected a list for each of {len(sentences)} sentences, found {len(spans)}")

"""Label Arrow arrays of word lists; if the model takes types, no word becomes a Python object."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from perceptag.arrays import Ints
from perceptag.errors import DataError, not_utf8
from perceptag.pipeline.pipeline import Pipeline
from perceptag.system.plural import plural
from perceptag.text.sentence import Sentence

WORDS = "form"
TYPE = pa.list_(pa.dictionary(pa.int32(), pa.string()))


def tag_chunk(pipeline: Pipeline, columns: Mapping[str, Any], row: int, threads: int) -> Any:
    """Tag some sentences, the first of which is number `row`."""
    lengths = pc.fill_null(pc.list_value_length(columns[WORDS]), 0).to_numpy(zero_copy_only=False)
    begin = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int32)
    for name, column in columns.items():
        others = pc.fill_null(pc.list_value_length(column), 0).to_numpy(zero_copy_only=False)
        if not np.array_equal(others, lengths):
            wrong = int((others != lengths).argmax())
            raise DataError(
                f"expected {plural(lengths[wrong], 'value')} in column {name!r}, one for each token; "
                f"found {others[wrong]}",
                f"sentence {row + wrong}",
            )
    names, numbers = _labels(pipeline, columns, begin, row, threads)
    labels = pa.DictionaryArray.from_arrays(
        pa.array(np.asarray(numbers), pa.int32()), pa.array(list(names), pa.string())
    )
    mask = columns[WORDS].is_null()
    return pa.ListArray.from_arrays(pa.array(begin, pa.int32()), labels, mask=mask if mask.true_count else None)


def _labels(
    pipeline: Pipeline, columns: Mapping[str, Any], begin: Ints, row: int, threads: int
) -> tuple[Sequence[str], Ints]:
    """Labels, and for each token the number of its label."""
    if not begin[-1]:
        return [], np.zeros(0, np.int32)
    types, ready = {name: _types(column, name) for name, column in columns.items()}, pipeline.top.ready
    if len(pipeline.layers) == 1 and ready.takes_types and all(map(_is_sound, types.values())):
        return ready.tag_types(types, begin, threads)  # type: ignore[arg-type]  # sound values are strings
    return _by_sentences(pipeline, types, begin, row)


Types = tuple[list[str | None], Ints]  # different values, and for each token the number of its value


def _types(column: Any, name: str) -> Types:
    flat = column.flatten()
    coded = flat if pa.types.is_dictionary(flat.type) else flat.dictionary_encode()
    try:
        values = coded.dictionary.to_pylist()
    except UnicodeDecodeError as error:  # Arrow does not look at the bytes of strings
        raise DataError(f"column {name!r}: {not_utf8(error)}") from None
    numbers = coded.indices.fill_null(len(values)).to_numpy(zero_copy_only=False).astype(np.int32)
    return [*values, *[None] * bool(coded.null_count)], numbers


def _is_sound(types: Types) -> bool:
    """Whether all values are words; what is not is left to the check of sentences, which says where it is."""
    return all(value is not None and value and "\0" not in value for value in types[0])


def _by_sentences(pipeline: Pipeline, types: Mapping[str, Types], begin: Ints, row: int) -> tuple[Sequence[str], Ints]:
    """The same by way of sentences: for models that look at more than words, and for messages."""
    columns: dict[str, list[Any]] = {
        name: [values[i] for i in numbers.tolist()] for name, (values, numbers) in types.items()
    }
    sentences = [
        Sentence({name: values[a:b] for name, values in columns.items()}, f"sentence {row + i}")
        for i, (a, b) in enumerate(pairwise(begin.tolist()))
    ]
    found = [label for sentence in pipeline.tag(sentences) for label in sentence.columns[pipeline.top.name]]
    names = {label: i for i, label in enumerate(dict.fromkeys(found))}
    return list(names), np.array([names[label] for label in found], np.int32)

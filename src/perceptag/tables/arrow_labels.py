"""Label columns of Arrow: lists of words in, lists of labels out, without a Python object for each word.

    list<string> ─▶ different words, and the number of each ─▶ types ─▶ labels ─▶ list<dictionary<string>>

>>> import pyarrow as pa
>>> from perceptag import Tagger
>>> tagger = Tagger("collins-pos", epochs=3).fit([["the", "dog"], ["a", "cat"]], [["DT", "NN"]] * 2)
>>> tag(tagger, pa.array([["the", "cat"], [], None])).to_pylist()
[['DT', 'NN'], [], None]
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from perceptag.arrays import Ints, whole_number
from perceptag.errors import DataError, SettingError, brief, not_utf8
from perceptag.pipeline.loading import as_pipeline
from perceptag.pipeline.pipeline import MAX_THREADS, Pipeline
from perceptag.system.plural import plural
from perceptag.tables.rows import FORM
from perceptag.tagger import Tagger
from perceptag.text.sentence import Sentence

if TYPE_CHECKING:
    import pyarrow as pa
    import pyarrow.compute as pc
else:
    try:
        import pyarrow as pa
        import pyarrow.compute as pc
    except ImportError:
        raise ImportError(
            "perceptag.arrow: the package 'pyarrow' is missing; it comes with the extra 'arrow': "
            "pip install 'perceptag[arrow]'"
        ) from None

TYPE = pa.list_(pa.dictionary(pa.int32(), pa.string()))
Array = Any  # pa.Array or pa.ChunkedArray: pyarrow has no types


def tag(
    model: Tagger | Pipeline | str | os.PathLike[str],
    tokens: Array,
    *,
    columns: Mapping[str, Array] | None = None,
    threads: int = 1,
) -> Array:
    """The labels of the last layer of a model for a column of sentences, which are lists of words.

    `model`: a tagger, a pipeline, a file, or the name of an installed model. `columns`: further columns that the model
    reads, such as ``{"pos": table["pos"]}``, with lists of the same lengths.

    An array gives an array, a chunked array a chunked one with the same chunks. A sentence that is null has labels
    that are null. Labels are dictionary-encoded: each is stored once. They are those of `Tagger.predict`. Every
    sentence stands by itself: models that look at documents are refused.
    """
    pipeline = as_pipeline(model)
    if pipeline.looks_at_documents():
        raise SettingError(
            "model: expected one that looks at single sentences, found one that looks at documents, which a column of "
            "Arrow does not mark"
        )
    threads = whole_number("threads", threads, 1, MAX_THREADS)
    if columns is not None and not isinstance(columns, Mapping):
        raise SettingError(f"columns: expected a dictionary of columns, found {brief(columns)}")
    given = {FORM: _chunked(FORM, tokens)}
    given |= {name: _chunked(name, column) for name, column in (columns or {}).items()}
    missing = [name for name in pipeline.inputs if name not in given]
    if missing:
        raise SettingError(f"columns: expected {missing[0]!r}, which the model reads, found {', '.join(given)}")
    chunks, row = [], 0
    for words in given[FORM].chunks:
        others = {name: column.slice(row, len(words)).combine_chunks() for name, column in given.items()}
        chunks.append(_tag_chunk(pipeline, {**others, FORM: words}, row, threads))
        row += len(words)
    if not isinstance(tokens, pa.ChunkedArray):
        return chunks[0]
    return pa.chunked_array(chunks, type=TYPE)


def _chunked(name: str, column: Array) -> Any:
    """Check a column, and return it in chunks."""
    from perceptag.text.parquet_table import is_text_list

    if not isinstance(column, (pa.Array, pa.ChunkedArray)):
        raise SettingError(f"{name}: expected an array of pyarrow, found {brief(type(column).__name__)}")
    kind = column.type
    if not is_text_list(kind):
        raise DataError(f"{name}: expected a column of type list<string>, found {kind}")
    return column if isinstance(column, pa.ChunkedArray) else pa.chunked_array([column])


def _tag_chunk(pipeline: Pipeline, columns: Mapping[str, Any], row: int, threads: int) -> Any:
    """Tag some sentences, the first of which is number `row`."""
    lengths = pc.fill_null(pc.list_value_length(columns[FORM]), 0).to_numpy(zero_copy_only=False)
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
    mask = columns[FORM].is_null()
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

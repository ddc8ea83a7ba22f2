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
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from perceptag.arrays import whole_number
from perceptag.errors import DataError, SettingError, brief
from perceptag.pipeline.loading import as_pipeline
from perceptag.pipeline.pipeline import MAX_THREADS, Pipeline
from perceptag.tables.rows import FORM
from perceptag.tagger import Tagger

if TYPE_CHECKING:
    import pyarrow as pa
else:
    try:
        import pyarrow as pa
    except ImportError:
        raise ImportError(
            "perceptag.arrow: the package 'pyarrow' is missing; it comes with the extra 'arrow': "
            "pip install 'perceptag[arrow]'"
        ) from None

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
    from perceptag.pipeline.arrow_columns import TYPE, tag_chunk  # which imports pyarrow without the message above

    chunks, row = [], 0
    for words in given[FORM].chunks:
        others = {name: column.slice(row, len(words)).combine_chunks() for name, column in given.items()}
        chunks.append(tag_chunk(pipeline, {**others, FORM: words}, row, threads))
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

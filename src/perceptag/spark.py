"""Labels for data frames of Spark, where the data are: lists of words in, labels out; texts in, spans out.

    driver                      worker, once for each Python process      worker, for each batch of Arrow
    model ─▶ addFile            file ─▶ Pipeline                          perceptag.arrow.tag, TextColumns.of

perceptag must be installed where the workers run, with the extra 'arrow'.
"""

from __future__ import annotations

import atexit
import hashlib
import os
import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from perceptag.errors import SettingError, brief, nearest
from perceptag.pipeline.loading import as_pipeline
from perceptag.pipeline.pipeline import Pipeline
from perceptag.pipeline.span_dicts import SPAN
from perceptag.tables.rows import named_columns
from perceptag.tables.text_columns import TextColumns
from perceptag.tagger import Tagger

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

WORDS = "form"


def tag(
    model: Tagger | Pipeline | str | os.PathLike[str],
    frame: DataFrame,
    tokens: str | None = None,
    labels: str | None = None,
    *,
    text: str | None = None,
    spans: str | None = "spans",
    columns: Sequence[str] | Mapping[str, str] = (),
) -> DataFrame:
    """Return the data frame with new columns. `model`: a tagger, a pipeline, a file, or the name of an installed model.

    `tokens` (by default ``tokens``) names a column of type ``array<string>``; each row is a sentence. The new column
    `labels` (by default ``labels``) has the labels of the last layer. `columns` names further columns that the model
    reads, as a list or as ``{"pos": "name in the data frame"}``. Every sentence stands by itself: models that look at
    documents are refused. A null sentence has null labels.

    `text` names a column of type ``string`` instead; each row is a document. The new column `spans` has for each text
    an array of structs with ``start`` and ``end`` in characters, ``label`` and ``text``; `tokens` and `labels` name
    further columns to add, with the words of a text and the labels of the last layer. A null text has null spans.

    The model is read on the driver. Like all of Spark this is lazy: rows are tagged when they are asked for.
    """
    df, pipeline = frame, as_pipeline(model)
    if text is not None:
        if columns:
            raise SettingError("text: expected no `columns`, which are for data frames of tokens")
        new = TextColumns(spans, tokens, labels)
        new.check(pipeline, df.columns)
        _check_type(df, "text", text, "string")
        schema = _with_columns(df, {name: argument == "spans" for argument, name in new.named().items()})
        return df.mapInArrow(_text_labeller(_send(df, pipeline), text, new), schema)
    tokens, labels = tokens or "tokens", labels or "labels"
    if pipeline.looks_at_documents():
        raise SettingError(
            "model: expected one that looks at single sentences, found one that looks at documents, whose rows Spark "
            "does not keep together; `text` is for rows that are documents"
        )
    further = named_columns(columns)
    for argument, name in {"tokens": tokens, **further}.items():
        _check_type(df, argument, name, "array<string>")
    if labels in df.columns:
        raise SettingError(
            f"labels: expected the name of a new column, found {brief(labels)}, which the data frame has"
        )
    missing = [name for name in pipeline.inputs if name not in (WORDS, *further)]
    if missing:
        raise SettingError(
            f"columns: expected {missing[0]!r}, which the model reads; found {', '.join(further) or 'none'}"
        )
    name = _send(df, pipeline)
    return df.mapInArrow(_labeller(name, tokens, labels, further), _with_columns(df, {labels: False}))


def _check_type(df: DataFrame, argument: str, name: str, expected: str) -> None:
    types = dict(df.dtypes)
    if types.get(name) != expected:
        found = f"{brief(name)} of type {types[name]}" if name in types else f"{brief(name)}{nearest(name, types)}"
        is_text = types.get(name) == "string" and expected != "string"
        hint = f"; text={name!r} is for texts" if is_text else ""
        own = f"the data frame has {', '.join(types)}"
        raise SettingError(f"{argument}: expected a column of type {expected}, found {found}; {own}{hint}")


def _with_columns(df: DataFrame, new: Mapping[str, bool]) -> Any:
    """Return the schema of a data frame with new columns: of spans, if the value is true, else of strings."""
    from pyspark.sql.types import ArrayType, DoubleType, LongType, StringType, StructField, StructType

    kinds = {int: LongType(), float: DoubleType(), str: StringType()}
    span = StructType([StructField(name, kinds[kind]) for name, kind in SPAN.items()])
    added = [StructField(name, ArrayType(span if spans else StringType())) for name, spans in new.items()]
    return StructType([*df.schema.fields, *added])


# --- the model: from the driver to the workers ---


def _send(df: DataFrame, pipeline: Pipeline) -> str:
    """Send the model to all workers; return the name of its file. The same model is sent once."""
    path = _kept(pipeline)
    session = df.sparkSession
    if hasattr(session, "addArtifacts") and "connect" in type(session).__module__:
        session.addArtifacts(str(path), file=True)
    else:
        session.sparkContext.addFile(str(path))
    return path.name


def _kept(pipeline: Pipeline) -> Path:
    """Save a model for as long as this process lives, under a name that tells its content."""
    folder = _folder()
    temporary = folder / "new.model"
    pipeline.save(temporary)
    digest = hashlib.sha256(temporary.read_bytes()).hexdigest()
    return temporary.replace(folder / f"perceptag-{digest[:32]}.model")


@cache
def _folder() -> Path:
    folder = Path(tempfile.mkdtemp(prefix="perceptag-spark-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


# --- on a worker ---


def _labeller(
    name: str, tokens: str, labels: str, further: Mapping[str, str]
) -> Callable[[Iterable[Any]], Iterator[Any]]:
    """Return what labels batches of Arrow; it is pickled, so it holds names only."""

    def label(batches: Iterable[Any]) -> Iterator[Any]:
        import pyarrow as pa

        from perceptag.tables.arrow_labels import tag as tag_column

        pipeline = _loaded(name)
        for batch in batches:
            columns = {column: batch.column(own) for column, own in further.items()}
            found = tag_column(pipeline, batch.column(tokens), columns=columns)
            plain = found.cast(pa.list_(pa.string()))
            yield pa.RecordBatch.from_arrays([*batch.columns, plain], [*batch.schema.names, labels])

    return label


def _text_labeller(name: str, text: str, new: TextColumns) -> Callable[[Iterable[Any]], Iterator[Any]]:
    """Return what adds the columns of a column of texts; it is pickled, so it holds names only."""

    def label(batches: Iterable[Any]) -> Iterator[Any]:
        import pyarrow as pa

        from perceptag.tables.kinds import arrow_array

        pipeline = _loaded(name)
        for batch in batches:
            found = new.of(pipeline, batch.column(text).to_pylist(), text)
            arrays = [*batch.columns, *map(arrow_array, found.values())]
            yield pa.RecordBatch.from_arrays(arrays, [*batch.schema.names, *found])

    return label


@cache
def _loaded(name: str) -> Pipeline:
    """Load the model once in this process."""
    from pyspark import SparkFiles

    return Pipeline.load(SparkFiles.get(name))

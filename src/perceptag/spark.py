"""Labels for data frames of Spark: lists of words in, lists of labels out, where the data are.

    driver                      worker, once for each Python process      worker, for each batch of Arrow
    model ─▶ addFile            file ─▶ Pipeline                          perceptag.arrow.tag

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
from perceptag.pipeline.installed import as_pipeline
from perceptag.pipeline.pipeline import Pipeline
from perceptag.tagger import Tagger

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

WORDS = "form"


def tag(
    df: DataFrame,
    model: Tagger | Pipeline | str | os.PathLike[str],
    tokens: str = "tokens",
    labels: str = "labels",
    *,
    columns: Sequence[str] | Mapping[str, str] = (),
) -> DataFrame:
    """Return the data frame with one more column, `labels`: those of the last layer of a model.

    `tokens` names a column of type ``array<string>``; each row is a sentence. `columns` names further columns that the
    model reads, as a list or as ``{"pos": "name in the data frame"}``. `model`: a tagger, a pipeline, a file, or the
    name of an installed model, on the driver. Like all of Spark this is lazy: rows are tagged when they are asked for.
    Every sentence stands by itself: models that look at documents are refused. A null sentence has null labels.
    """
    pipeline = as_pipeline(model)
    if pipeline.looks_at_documents():
        raise SettingError(
            "model: expected one that looks at single sentences, found one that looks at documents, whose rows Spark "
            "does not keep together"
        )
    further = dict(columns) if isinstance(columns, Mapping) else {name: name for name in columns}
    _check_columns(df, {"tokens": tokens, **further}, labels)
    missing = [name for name in pipeline.inputs if name not in (WORDS, *further)]
    if missing:
        raise SettingError(
            f"columns: expected {missing[0]!r}, which the model reads; found {', '.join(further) or 'none'}"
        )
    name = _send(df, pipeline)
    schema = _with_labels(df, labels)
    return df.mapInArrow(_labeller(name, tokens, labels, further), schema)


def _check_columns(df: DataFrame, named: Mapping[str, str], labels: str) -> None:
    types = dict(df.dtypes)
    for argument, name in named.items():
        if types.get(name) != "array<string>":
            found = f"{brief(name)} of type {types[name]}" if name in types else f"{brief(name)}{nearest(name, types)}"
            own = f"the data frame has {', '.join(types)}"
            raise SettingError(f"{argument}: expected a column of type array<string>, found {found}; {own}")
    if labels in types:
        raise SettingError(
            f"labels: expected the name of a new column, found {brief(labels)}, which the data frame has"
        )


def _with_labels(df: DataFrame, labels: str) -> Any:
    from pyspark.sql.types import ArrayType, StringType, StructField, StructType

    return StructType([*df.schema.fields, StructField(labels, ArrayType(StringType()))])


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


@cache
def _loaded(name: str) -> Pipeline:
    """Load the model once in this process."""
    from pyspark import SparkFiles

    return Pipeline.load(SparkFiles.get(name))

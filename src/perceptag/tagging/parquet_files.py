"""Tag Parquet files without an object for each token: from arrays of words to arrays of labels.

Files must have a sentence in each row and plain lists of strings in the columns of text, and the model must take types.
Everything else goes the general way, which gives the same table.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from perceptag.pipeline.arrow_columns import tag_chunk
from perceptag.pipeline.pipeline import Pipeline
from perceptag.tagging.job import TagJob
from perceptag.text.compressed import open_output
from perceptag.text.parquet_columns import FORM, Fields
from perceptag.text.parquet_layout import ParquetLayout
from perceptag.text.parquet_reader import ROWS, ParquetSource
from perceptag.text.parquet_writer import GROUP_ROWS, GROUP_TOKENS, ParquetPlan
from perceptag.text.sentence import Sentence

_PLAIN = pa.list_(pa.string())


def tag_parquet(job: TagJob) -> int | None:
    """Tag a file; return the number of tokens, or None if the file must go the general way."""
    source, labels, check = job.source, job.labels, job.check
    if not isinstance(source, (str, os.PathLike)) or source == "-":
        return None  # it can be read only once
    file = ParquetSource(source)
    if not _takes(file.choose(job.options.columns), job.opened, labels.name):
        return None
    names = labels.names(file.fields.read)
    plan = ParquetPlan(Sentence({name: [] for name in names}, layout=ParquetLayout(file)))
    if check is not None:
        check(list(islice(file.sentences(), ROWS)))
    with open_output(job.target) as stream, pq.ParquetWriter(stream, plan.schema) as writer:
        return _write(writer, _tagged(file, job.opened, plan.schema, plan.names[labels.name], job.options.threads))


def _takes(fields: Fields, opened: Pipeline, label: str) -> bool:
    own = {fields.schema.field(fields.names[column]).type for column in fields.read}
    if label in fields.names:
        own.add(fields.schema.field(fields.names[label]).type)
    is_plain = all(pa.types.is_list(kind) and pa.types.is_string(kind.value_type) for kind in own)
    return is_plain and not fields.by_token and set(opened.inputs) <= set(fields.read)


def _tagged(file: ParquetSource, opened: Pipeline, schema: Any, label: str, threads: int) -> Iterator[tuple[Any, int]]:
    """Yield tables with labels, and the number of their tokens."""
    for row, batch in file.batches(ROWS):
        arrays = file.columns_of(batch, row)
        inputs = {name: arrays[name] for name in opened.inputs} | {FORM: arrays[FORM]}
        found = tag_chunk(opened, inputs, row, threads).cast(_PLAIN)
        columns = [found if name == label else batch.column(name) for name in schema.names]
        tokens = pc.sum(pc.list_value_length(arrays[FORM])).as_py() or 0
        yield pa.table(columns, names=schema.names).cast(schema), tokens


def _write(writer: Any, tables: Iterable[tuple[Any, int]]) -> int:
    """Write tables as row groups of some size; return the number of tokens."""
    held: list[Any] = []
    rows = tokens = total = 0
    for table, count in tables:
        held.append(table)
        rows, tokens, total = rows + len(table), tokens + count, total + count
        if tokens >= GROUP_TOKENS or rows >= GROUP_ROWS:
            writer.write_table(pa.concat_tables(held))
            held, rows, tokens = [], 0, 0
    if held:
        writer.write_table(pa.concat_tables(held))
    return total

"""perceptag on a cluster of Ray: taggers trained on files, files tagged into a folder, a step of Ray Data that tags.

It needs the extra ``ray``: ``pip install 'perceptag[ray]'``. If Ray is connected already, that cluster is used;
otherwise the one of `address` or of ``RAY_ADDRESS``; otherwise one that is started on this machine.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

from perceptag.cluster.fitting import fit_files
from perceptag.cluster.tagging import PART, Summary
from perceptag.cluster.tagging import tag_files as _tag_files
from perceptag.engines.ray_engine import RayEngine
from perceptag.errors import SettingError
from perceptag.tagger import Tagger
from perceptag.text.lines import checked_path


def fit(tagger: Tagger, files: str | Sequence[str], *, address: str = "", workers: int = 0, **options: Any) -> Tagger:
    """Train a tagger on files, as ``perceptag train --on ray`` does; the model is that of `Tagger.fit`, bit for bit.

    The recipe of the tagger should have shards: ``Tagger("pos", shards=64)``. `files`: names and patterns, on storage
    that all workers share. `options`: ``dev`` (a file), ``label`` (the column of the labels), ``columns``, ``format``
    and ``callbacks``.
    """
    return fit_files(tagger, files, on=RayEngine(address, workers), **options)


def tag_files(
    model: str | os.PathLike[str],
    files: str | Sequence[str],
    out_dir: str | os.PathLike[str],
    *,
    address: str = "",
    workers: int = 0,
    part_bytes: int = PART,
    as_parts: bool = False,
    **options: Any,
) -> Summary:
    """Tag files into a folder on a cluster, as ``perceptag tag --out-dir DIR --on ray`` does.

    `files`: names and patterns, such as ``"raw/*.conllu"``. Each becomes a file of its name in `out_dir`, or with
    `as_parts` a folder of parts. Called again after an interruption, it continues. Model, input and output must be on
    storage that all workers share. `options` are those of ``perceptag tag``, such as ``confidence=True``.
    """
    given = [files] if isinstance(files, str) else list(files)
    return _tag_files(
        checked_path(model, "model"),
        given,
        checked_path(out_dir, "out_dir"),
        on=RayEngine(address, workers),
        part_bytes=part_bytes,
        as_parts=as_parts,
        **options,
    )


class TagBatch:
    """A step of Ray Data: a table with one more column, the labels of a column of token lists.

    ``dataset.map_batches(TagBatch, fn_constructor_args=("pos.model",), batch_format="pyarrow", num_cpus=0.5)``

    `columns`: further columns that the model reads, as a list or as ``{"pos": "name in the table"}``. With `text`, a
    column of texts, the new column is `spans`; `tokens` and `labels` then name further columns to add, as with
    `perceptag.tables.tag`.
    """

    def __init__(
        self,
        model: str | os.PathLike[str],
        tokens: str | None = None,
        labels: str | None = None,
        columns: Sequence[str] | Mapping[str, str] | None = None,
        *,
        text: str | None = None,
        spans: str | None = "spans",
    ) -> None:
        from perceptag.pipeline.loading import load
        from perceptag.tables.rows import named_columns
        from perceptag.tables.text_columns import TextColumns

        self.pipeline = load(model)
        self.text = text
        self.tokens = tokens or "tokens"
        self.labels = labels or "labels"
        self.columns = named_columns(columns)
        self.new = TextColumns(spans, tokens, labels)
        if text is not None:
            self.new.check(self.pipeline, [text])

    def __call__(self, table: Any) -> Any:
        """Return the table with the new columns; a column of the same name is replaced."""
        own = ("tokens", self.tokens) if self.text is None else ("text", self.text)
        for argument, name in [own, *(("columns", name) for name in self.columns.values())]:
            if name not in table.column_names:
                raise SettingError(f"{argument}: expected a column {name!r}, found {', '.join(table.column_names)}")
        for name, found in self._found(table).items():
            if name in table.column_names:
                table = table.set_column(table.column_names.index(name), name, found)
            else:
                table = table.append_column(name, found)
        return table

    def _found(self, table: Any) -> dict[str, Any]:
        """Return the new columns as arrays of Arrow."""
        if self.text is not None:
            from perceptag.tables.kinds import arrow_array

            new = self.new.of(self.pipeline, table[self.text].to_pylist(), self.text)
            return {name: arrow_array(column) for name, column in new.items()}
        from perceptag.tables.arrow_labels import tag as tag_column

        others = {name: table[column] for name, column in self.columns.items()}
        return {self.labels: tag_column(self.pipeline, table[self.tokens], columns=others)}

"""The Parquet row of a sentence, and values to write besides its columns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol


class Origin(Protocol):
    """The file that sentences were read from, as their writer sees it (`perceptag.text.parquet_reader`)."""

    fields: Any  # `perceptag.text.parquet_columns.Fields`

    def rows(self, rows: Sequence[int], names: Sequence[str]) -> Any:
        """Return these fields of some rows, as a table."""


@dataclass(frozen=True, slots=True)
class ParquetLayout:
    """The rows that a sentence was read from, and its values in non-text columns."""

    origin: Origin | None = None  # None: the sentence was not read from Parquet
    row: int = 0  # the first one
    record: Mapping[str, Any] = field(default_factory=dict)

    def line_of(self, token: int) -> int:
        """Return 0: there are no lines."""
        del token
        return 0

"""How much JSON a file may have: parsed, a byte of it may take fifty bytes of memory."""

from __future__ import annotations

from perceptag import _core
from perceptag.errors import ModelError

MOST_BYTES, MOST_VALUES, MOST_LEVELS = 4 << 20, 1 << 17, 256


class JsonRoom:
    """What is left for the JSON parts of one file, which take their room before they are parsed."""

    def __init__(self) -> None:
        self.bytes, self.values = 0, 0

    def take(self, data: bytes, what: str) -> None:
        """Count a part; raise ModelError if it is nested too deep, or if the parts together are too much."""
        values, levels = _core.json_extent(data)
        self.bytes, self.values = self.bytes + len(data), self.values + values
        for found, most, of in (
            (levels, MOST_LEVELS, "levels"),
            (self.bytes, MOST_BYTES, "bytes of JSON in a file"),
            (self.values, MOST_VALUES, "values of JSON in a file"),
        ):
            if found > most:
                raise ModelError(f"{what}: expected at most {most} {of}, found {found}")

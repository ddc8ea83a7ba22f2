"""The name of `perceptag.foreign.read_export` before 0.3."""

from perceptag.foreign.read_export import ForeignFile, read_foreign
from perceptag.foreign.texts import ForeignSentence

__all__ = ["ForeignFile", "ForeignSentence", "read_foreign"]

"""The name of `perceptag.foreign.read_export` before 0.3."""

from perceptag.foreign.read_export import ForeignFile, ForeignSentence, read_foreign

__all__ = ["ForeignFile", "ForeignSentence", "read_foreign"]

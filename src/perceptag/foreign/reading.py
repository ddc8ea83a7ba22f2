"""The name of `perceptag.foreign.read_export` before 0.3."""

from perceptag.foreign.read_export import ForeignFile, read_foreign
from perceptag.foreign.texts import ForeignSentence
from perceptag.system.old_names import warn_of_old_name

__all__ = ["ForeignFile", "ForeignSentence", "read_foreign"]

warn_of_old_name("module", "perceptag.foreign.reading", "perceptag.foreign.read_export")

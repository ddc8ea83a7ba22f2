"""Label columns of Arrow: the public name of `perceptag.tables.arrow_labels`."""

from __future__ import annotations

from perceptag.tables.arrow_labels import tag

__all__ = ["tag"]

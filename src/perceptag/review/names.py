"""Misspelt labels: the public name of this part of `perceptag.corpus.label_names`."""

from __future__ import annotations

from perceptag.corpus.label_names import MisspeltLabel, misspelt_labels

__all__ = ["MisspeltLabel", "misspelt_labels"]

"""Misspelt labels: the public name of this part of `perceptag.labels.label_names`."""

from __future__ import annotations

from perceptag.labels.label_names import MisspeltLabel, misspelt_labels

__all__ = ["MisspeltLabel", "misspelt_labels"]

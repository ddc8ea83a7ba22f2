"""Tagging on a cluster of Ray from Python."""

from __future__ import annotations

"""Inspect data and models: validation, statistics, splits, learning curves, comparisons, error analysis.

Functions take sentences, which `perceptag.text.read` reads, and return what the command line shows.
"""

"""Benchmarks: perceptag beside other trainable taggers. `python -m benchmarks --help` says what it measures."""

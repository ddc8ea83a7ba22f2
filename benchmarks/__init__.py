"""Benchmarks: perceptag next to other trainable taggers. `python -m benchmarks --help` says what it measures."""

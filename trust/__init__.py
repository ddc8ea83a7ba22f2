"""Checks of the promises in SECURITY.md: `python -m trust` runs all of them and prints one table.

Each promise has one file, with a function `check(quick)` that yields a `Tally` for each part of the promise.
"""

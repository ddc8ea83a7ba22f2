"""The promises of SECURITY.md, each tried out: `python -m trust` runs all of it and prints one table.

One file a promise. A promise is a function `check(quick)` that yields a `Tally` for each part of it.
"""

"""A pytest plugin for runs under a sanitizer: the tests must use the module that was built for the sanitizer.

With the usual module every test would pass and prove nothing. The environment says what is expected: TRUST_BUILD is
the folder of the module; TRUST_SYMBOL is a prefix of names that only code compiled for the sanitizer refers to.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest


def pytest_sessionstart() -> None:
    """Refuse to run with any other module."""
    from perceptag import _core

    found = Path(_core.__file__)
    folder, symbol = os.environ["TRUST_BUILD"], os.environ["TRUST_SYMBOL"]
    if not found.is_relative_to(folder):
        pytest.exit(f"expected the module in {folder}, found {found}", 70)
    if symbol.encode() not in found.read_bytes():
        pytest.exit(f"{found} is not built for the sanitizer: it has no {symbol}", 70)

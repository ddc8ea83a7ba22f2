"""What a person at a terminal is told: files taken for words, bytes that are not text, folders without a name."""

from __future__ import annotations

import sys

import pytest

from perceptag import SettingError
from perceptag.text.parquet import refuse_terminal


@pytest.mark.parametrize("target", ["-", "/dev/stdout"])
def test_parquet_is_not_written_to_a_terminal(target: str, monkeypatch: pytest.MonkeyPatch) -> None:
    refuse_terminal(target)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    with pytest.raises(SettingError, match=r"expected a file for Parquet, .*found a terminal"):
        refuse_terminal(target)
    refuse_terminal("a.parquet")

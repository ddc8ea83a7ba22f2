"""Help texts are whole and fit the terminal."""

from __future__ import annotations

import os
import re
import subprocess
import sys

import pytest

from perceptag.cli import VERBS


@pytest.mark.parametrize("width", [80, 100])
def test_every_help_text_fits(width):
    code = (
        "import sys; from perceptag.cli import main\n"
        f"for verb in {('', *VERBS)!r}: main([*verb.split(), '--help']); print('=' * 9)"
    )
    environment = {**os.environ, "COLUMNS": str(width)}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=True)
    texts = done.stdout.split("=" * 9 + "\n")[:-1]
    assert len(texts) == len(VERBS) + 1
    for text in texts:
        assert max(map(len, text.split("\n"))) <= width
        usage, _, rest = text.partition("\n\n")
        assert "\n" not in usage, usage
        assert "[default: -]" not in rest
        options = rest.partition("Options:\n")[2]
        bare = [line for line in options.split("\n") if line[:3] == "  -" and not re.search(r"\S {2,}\S", line)]
        assert bare == []  # an option without a word of help, or whose name takes the whole line
        assert max(len(paragraph.split()) for paragraph in rest.split("\n\n")[:3] if "Options:" not in paragraph) < 90

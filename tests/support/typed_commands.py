"""Commands as a user types them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path


def typed(folder: Path, *words: str, stdin: bytes = b"", status: int = 0) -> tuple[str, str]:
    """Run perceptag as in a shell; return what it wrote."""
    done = subprocess.run(
        [sys.executable, "-m", "perceptag", *words], cwd=folder, input=stdin, capture_output=True, check=False
    )
    out, err = done.stdout.decode(), done.stderr.decode()
    assert done.returncode == status, err
    return out, err

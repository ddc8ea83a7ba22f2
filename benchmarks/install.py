"""Install the systems to compare with, one package at a time, so that one failure does not stop the others."""

from __future__ import annotations

import subprocess
import sys
from importlib import metadata


def rivals() -> list[str]:
    """Return the requirements of the extra `bench`, with their markers."""
    extra = 'extra == "bench"'
    found = [r.replace("'", '"') for r in metadata.requires("perceptag") or []]
    return [r.replace(extra, "").rstrip("; ").removesuffix(" and") for r in found if extra in r]


def main() -> None:
    """Install each; say which could not be installed."""
    for requirement in rivals():
        command = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", requirement]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            reason = "".join(done.stderr.strip().splitlines()[-1:])
            print(f"{requirement}: cannot be installed here: {reason}", file=sys.stderr)


if __name__ == "__main__":
    main()

"""Installs what the benchmarks compare with, one package at a time, so that one that cannot be had stops no other."""

from __future__ import annotations

import subprocess
import sys
from importlib import metadata


def rivals() -> list[str]:
    """The requirements of the extra `bench`, with their markers."""
    extra = 'extra == "bench"'
    found = [r.replace("'", '"') for r in metadata.requires("perceptag") or []]
    return [r.replace(extra, "").rstrip("; ").removesuffix(" and") for r in found if extra in r]


def main() -> None:
    """Install each; say what could not be."""
    for requirement in rivals():
        command = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", requirement]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            reason = "".join(done.stderr.strip().splitlines()[-1:])
            print(f"{requirement}: cannot be installed here: {reason}", file=sys.stderr)


if __name__ == "__main__":
    main()

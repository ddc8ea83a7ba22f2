"""Run measurements in child processes. If a child fails, what it wrote to stderr is the result."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from itertools import count
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
MAX_SECONDS = 1800
_ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")


class ChildError(Exception):
    """A child process failed; the message contains what it wrote."""


class Jobs:
    """Starts child processes one after the other; their files are in one folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.numbers = count()

    def run(self, job: dict[str, Any]) -> dict[str, Any]:
        """Do one job in a child process."""
        path = self.folder / f"job-{next(self.numbers)}.json"
        path.write_text(json.dumps(job), encoding="utf-8")
        run([sys.executable, "-m", "benchmarks.child", str(path)])
        result: dict[str, Any] = json.loads(path.with_suffix(".result").read_text(encoding="utf-8"))
        return result


def run(command: list[str], stdin: str = "") -> str:
    """Run a command with one thread for all numeric libraries; return what it wrote."""
    environment = os.environ | _ONE_THREAD
    done = subprocess.run(
        command,
        input=stdin,
        capture_output=True,
        text=True,
        cwd=ROOT,
        env=environment,
        timeout=MAX_SECONDS,
        check=False,
    )
    if done.returncode:
        tail = "\n".join(line[:300] for line in done.stderr.strip().splitlines()[-15:])
        raise ChildError(f"{' '.join(command)}: exit status {done.returncode}\n{tail}")
    return done.stdout

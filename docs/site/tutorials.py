"""Tutorials are run when the site is built, and show what was printed in that run."""

from __future__ import annotations

import hashlib
import importlib.util
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import cast

from sphinx.application import Sphinx
from sphinx.errors import ExtensionError
from sphinx.util import logging

from run_page import BLOCK, digest_of_code

SITE = Path(__file__).parent
ROOT = SITE.parents[1]
FOLDER = "docs/tutorials/"
KEPT = ROOT / "build" / "tutorials"
SECONDS = 900
LINES = 60  # of the output of a block of Python; more is cut
NOT_RUN = ":::{{note}}\nThis page was not run when this site was built: {} missing.\n:::\n"
_TITLE = re.compile(r"^# .*\n", re.MULTILINE)
_NEEDS = re.compile(r"^<!-- needs: ([\w, .-]+) -->", re.MULTILINE)
_log = logging.getLogger(__name__)

Blocks = list[dict[str, str]]


def _missing(text: str) -> list[str]:
    """The libraries that a page needs and that are not here."""
    found = _NEEDS.search(text)
    names = re.split(r"[,\s]+", found[1]) if found else []
    return [name for name in names if importlib.util.find_spec(name) is None]


def _run(page: Path, text: str) -> Blocks:
    """Run a page in a folder of its own, or take what it printed when it last ran, if nothing has changed since."""
    kept = KEPT / f"{page.stem}.json"
    digest = hashlib.sha256((text + digest_of_code(ROOT)).encode()).hexdigest()
    before = json.loads(kept.read_text("utf-8")) if kept.exists() else {}
    if before.get("digest") == digest:
        return cast(Blocks, before["blocks"])
    with tempfile.TemporaryDirectory(prefix="perceptag-tutorial-") as folder:
        blocks = _run_in(Path(folder), page)
    KEPT.mkdir(parents=True, exist_ok=True)
    kept.write_text(json.dumps({"digest": digest, "blocks": blocks}), "utf-8")
    return blocks


def _run_in(folder: Path, page: Path) -> Blocks:
    work = folder / "work"
    work.mkdir()
    result, printed = folder / "result.json", folder / "printed"
    command = [sys.executable, str(SITE / "run_page.py"), str(page), str(result)]
    with printed.open("w", encoding="utf-8") as out:
        process = subprocess.Popen(
            command, cwd=work, env=_environment(folder), stdout=out, stderr=out, start_new_session=True
        )
        try:
            failed = process.wait(SECONDS) != 0
        except subprocess.TimeoutExpired:
            failed = True
            out.write(f"expected an end within {SECONDS} seconds\n")
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGTERM)  # servers that the page has started
    if failed:
        raise ExtensionError(f"{page.relative_to(ROOT)} does not run: {printed.read_text('utf-8')}")
    blocks: Blocks = json.loads(result.read_text("utf-8"))
    return blocks


def _environment(folder: Path) -> dict[str, str]:
    """The usual one, with a home of its own and output as wide as a page."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    own = {"HOME": str(folder), "PATH": path, "COLUMNS": "100", "NO_COLOR": "1", "PYTHONUNBUFFERED": "1"}
    return {**os.environ, **own, "PYTHONPATH": str(ROOT / "tests" / "support"), "RAY_USAGE_STATS_ENABLED": "0"}


class Tutorials:
    """Runs all pages at the same time, while the others are read."""

    def __init__(self) -> None:
        self.pool = ThreadPoolExecutor(os.cpu_count())
        self.running: dict[str, Future[Blocks]] = {}

    def start(self, _app: Sphinx) -> None:
        """Begin with every page whose libraries are here."""
        for page in sorted((ROOT / FOLDER).glob("*.md")):
            text = page.read_text("utf-8")
            if missing := _missing(text):
                _log.info("%s was not run: %s missing", page.relative_to(ROOT), ", ".join(missing), color="brown")
            else:
                self.running[f"{FOLDER}{page.stem}"] = self.pool.submit(_run, page, text)

    def show(self, _app: Sphinx, docname: str, source: list[str]) -> None:
        """Put what was printed into the page."""
        if docname in self.running:
            source[0] = shown(source[0], self.running[docname].result())
        elif missing := docname.startswith(FOLDER) and _missing(source[0]):
            source[0] = _TITLE.sub(rf"\g<0>\n{NOT_RUN.format(', '.join(missing))}", source[0], count=1)


def shown(text: str, blocks: Blocks) -> str:
    """The page with its blocks as they ran."""
    ran = iter(blocks)

    def block(found: re.Match[str]) -> str:
        one = next(ran)
        code = f"```{found[2]}\n{one['code']}```"
        lines = one["printed"].rstrip("\n").split("\n")
        cut = [*lines[:LINES], *(["…"] if len(lines) > LINES else [])]
        return code if not one["printed"] else f"{code}\n\n```text\n{chr(10).join(cut)}\n```"

    return BLOCK.sub(block, text)


def setup(app: Sphinx) -> dict[str, bool]:
    tutorials = Tutorials()
    app.connect("builder-inited", tutorials.start)
    app.connect("source-read", tutorials.show, priority=100)
    return {"parallel_read_safe": False, "parallel_write_safe": True}

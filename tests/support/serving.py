"""A server with small models, and a browser that looks at its page."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from perceptag import Tagger
from perceptag.cli import main
from perceptag.pipeline.installed import installed, path_of
from shipped_corpus import DATA

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
HOSTILE = (
    "<img src=x onerror=alert(1)>", "</script><script>alert(1)</script>", '"><svg onload=alert(1)>',
    "javascript:alert(1)", "{{7*7}}${7*7}#{7*7}", "__proto__", "constructor", "&lt;b&gt;&amp;&#0;",
    "' onmouseover='alert(1)", "style=position:fixed;top:0", "a\u202eb\u202c\u200b", "\ufeffx", "../../etc/passwd",
    "%00%0a%0d", "x" * 300, "é" + "\u0301" * 50, "👩‍👩‍👧‍👦", "\U000e0041\U000e0042",
    "<iframe srcdoc='<script>alert(1)</script>'>", "<a href=javascript:alert(1)>x</a>",
    "<style>*{display:none}</style>", "<!--", "]]>", "<base href=//example.org/>",
    "<form action=//example.org/><input name=x>", "<meta http-equiv=refresh content=0;url=//example.org/>",
    "url(//example.org/x)", "expression(alert(1))", "`${alert(1)}`", "${html`<img src=x onerror=alert(1)>`}",
    "hasOwnProperty", "toString", "valueOf", "-1", "NaN", "null", "undefined", "[object Object]",
    "=cmd|'/C calc'!A0", "B-<b>bold</b>",
)  # fmt: skip


def browser_path() -> str | None:
    """The browser of the system, if there is one."""
    return next((found for name in BROWSERS if (found := shutil.which(name))), None)


def train_models(folder: Path) -> dict[str, str]:
    """Train a guided model, another of the same tags, one of names, one of two columns, one with hostile words."""
    files = {name: str(folder / f"{name}.model") for name in ("guided", "tags", "names", "chunks", "hostile")}
    for name, recipe, label in (
        ("guided", "shen-pos", "pos"),
        ("tags", "collins-pos", "pos"),
        ("names", "basic-ner", "ner"),
        ("chunks", "crf-np", "chunk"),
    ):
        words = ["train", "--train", f"{DATA}/train.txt", "--dev", f"{DATA}/dev.txt", "--columns", "form,pos,chunk,ner"]
        assert main([*words, "--label", label, "--recipe", recipe, "--model", files[name], "--quiet"]) == 0
    Tagger("collins-pos", epochs=2).fit([list(HOSTILE), ["a", "b"]], [list(HOSTILE), ["X", "Y"]]).save(files["hostile"])
    english = {"en": path_of("en")} if "en" in {model.name for model in installed()} else {}
    return english | files


@contextmanager
def serving(models: dict[str, str], *options: str) -> Iterator[str]:
    """Serve models at a free port; yield the address."""
    named = [word for name, file in models.items() for word in ("--model", f"{name}={file}")]
    command = [sys.executable, "-m", "perceptag", "serve", "--port", "0", *named, *options]
    with subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True) as server:
        assert server.stderr is not None
        try:
            yield _address(server)
        finally:
            server.terminate()
            server.stderr.close()


def _address(server: subprocess.Popen[str]) -> str:
    assert server.stderr is not None
    for line in server.stderr:
        if found := re.search(r"http://\S+", line):
            return found[0]
    raise AssertionError("the server did not start")

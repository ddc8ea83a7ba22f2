"""The files of the page, without a browser: what is vendored was published so, and text never becomes HTML."""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

SENDS = """
globalThis.sessionStorage = { getItem: () => null };
globalThis.fetch = async (path, request) => {
  console.log(request.body);
  return new Response("{}");
};
const { givenOf, tagGiven } = await import(process.argv[1]);
const layers = [{ name: "upos", can: [] }, { name: "lemma", can: [] }];
const model = { name: "f", has_tokenizer: true, columns: ["form"], layers };
const given = givenOf(model, { kind: "text", text: "Anna sings." }, [model]);
await tagGiven(model, given, new AbortController().signal);
"""
PAGE = Path(__file__).resolve().parents[2] / "src" / "perceptag" / "server" / "page"
OWN = sorted(p for p in PAGE.rglob("*") if p.is_file() and "vendor" not in p.parts)
SCRIPTS = [path for path in OWN if path.suffix == ".js"]
MAKES_CODE = re.compile(
    r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|dangerouslySet|srcdoc|cssText"
    r"|\beval\(|new Function|javascript:"
)
FROM = re.compile(r'(?:from|import) "([^"]+)"')


def test_vendored_files_are_those_that_were_published() -> None:
    sums = dict(line.split()[::-1] for line in (PAGE / "vendor" / "SHA256SUMS").read_text().splitlines())
    assert "htm-preact.js" in sums
    for name, digest in sums.items():
        assert hashlib.sha256((PAGE / "vendor" / name).read_bytes()).hexdigest() == digest, name
    code = {path.name for path in (PAGE / "vendor").iterdir() if path.suffix == ".js"}
    assert code <= set(sums)


@pytest.mark.parametrize("path", OWN, ids=lambda path: path.name)
def test_no_text_becomes_code_and_no_other_host_is_named(path: Path) -> None:
    text = path.read_text("utf-8").replace('xmlns="http://www.w3.org/2000/svg"', "")
    assert MAKES_CODE.findall(text) == []
    assert re.findall(r"(?:https?:)?//[\w.-]+\.\w+", text) == []
    assert len(text.splitlines()) <= (500 if path.suffix == ".css" else 400)  # a declaration of CSS has its own line


def test_nothing_is_written_into_the_page_itself() -> None:
    text = (PAGE / "index.html").read_text("utf-8")
    assert re.findall(r"<script(?![^>]* src=)|<style|\son\w+=|\sstyle=", text) == []
    for name in re.findall(r'(?:href|src)="([^"]+)"', text):
        assert name.startswith("v1/") or (PAGE / name).is_file(), name


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.name)
def test_modules_import_files_that_exist(path: Path) -> None:
    for name in FROM.findall(path.read_text("utf-8")):
        assert (path.parent / name).is_file(), name


@pytest.mark.skipif(not shutil.which("node"), reason="node runs the scripts of the page")
def test_the_page_asks_for_the_layer_that_it_shows_on_top() -> None:
    command = ["node", "--input-type=module", "-e", SENDS, (PAGE / "js" / "asking.js").as_uri()]
    sent = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    assert (sent["layer"], sent["want"]) == ("lemma", ["layers"])

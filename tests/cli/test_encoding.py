"""``--encoding``: each command that reads sentences takes it, and names it where bytes are not UTF-8."""

from __future__ import annotations

from pathlib import Path

import pytest

from command_line import run, succeed
from perceptag.cli import WITH_MODES, load_command

SENTENCES = "".join(f"{name} B-PER\nwohnt{n} O\nhier O\n\n" for n, name in enumerate(("Müller", "Groß", "Anna")))
READING: dict[str, tuple[str, ...]] = {
    "check": ("check", "a.txt", "--fail-on", "error"),
    "check --stats": ("check", "--stats", "a.txt"),
    "check --suspects": ("check", "--suspects", "a.txt", "--kind", "inconsistent"),
    "classes": ("classes", "a.txt", "--format", "columns", "--sizes", "2", "--min-count", "1", "-o", "out"),
    "compare": ("compare", "a.txt", "a.txt", "a.txt"),
    "convert": ("convert", "a.txt", "out.jsonl"),
    "eval": ("eval", "a.txt", "a.txt"),
    "split": ("split", "a.txt", "--parts", "train=0.5,test=0.5"),
    "train": ("train", "--train", "a.txt", "-m", "out", "--recipe", "collins-pos", "--epochs", "1", "--no-dev"),
}


def test_every_command_with_a_format_has_an_encoding() -> None:
    options = {name: load_command(name).options for name in WITH_MODES}
    reading = [name for name in WITH_MODES if {"--format", "--from"} & options[name].keys()]
    assert set(READING) <= set(reading)
    assert [name for name in reading if "--encoding" not in options[name]] == []


@pytest.mark.parametrize("name", READING)
def test_the_error_names_the_option_and_the_option_reads_the_file(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.txt").write_bytes(SENTENCES.encode("latin-1"))
    refused = run(*READING[name])
    said = " ".join((refused.out + refused.err).split())
    assert refused.status in (1, 2)
    assert "a.txt:1" in said and "invalid UTF-8: byte 0xFC" in said and "--encoding names another" in said
    succeed(*READING[name], "--encoding", "latin-1")

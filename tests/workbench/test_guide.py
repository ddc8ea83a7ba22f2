"""The guide to the workbench says what is so: its commands are carried out."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from benches import SENTENCES, TOKENS, Benched
from command_line import run, succeed
from markdown import Page, matches, session
from perceptag.project.project import Project

ADDRESS = "http://127.0.0.1:8765"
GUIDE = Page(Path(__file__).parents[2] / "docs" / "guide" / "annotate.md")
SESSION = list(session(GUIDE))


def write_words(folder: Path) -> None:
    (folder / "names.txt").write_text("\n\n".join(s.replace(" ", "\n") for s, _ in SENTENCES) + "\n")


def test_requests_get_what_is_shown(tmp_path: Path) -> None:
    write_words(tmp_path)
    project = Project.create(tmp_path / "names.ptag", kind="spans", labels=["PER", "ORG", "LOC"], seed=2)
    project.import_file(str(tmp_path / "names.txt"), columns=["form"])
    bench = Benched(project)
    asked = [(command, shown) for command, shown in SESSION if command.startswith("curl")]
    assert len(asked) == 4
    for command, shown in asked:
        words = shlex.split(command.replace("$TOKEN", TOKENS["anna"]))
        method = words[words.index("-X") + 1] if "-X" in words else "GET"
        (path,) = [word.removeprefix(ADDRESS) for word in words if word.startswith(ADDRESS)]
        headers = dict(words[i + 1].split(": ", 1) for i, word in enumerate(words) if word == "-H")
        body = words[words.index("-d") + 1].encode() if "-d" in words else b""
        printed = bench(method, path, body, headers).body.decode()
        assert matches(shown, printed), printed
        if method == "PUT":
            bench.learned(1)
    bench.close()


def test_commands_print_what_is_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write_words(tmp_path)
    begin = ("--import", "names.txt", "--columns", "form", "--labels", "PER,ORG,LOC")
    imported, exported = succeed("annotate", "names.ptag", *begin, "--export", "none.txt").err.splitlines()
    assert imported in GUIDE.text and exported == "none.txt: 0 sentences"
    commands = [(command, shown) for command, shown in SESSION if command.startswith("perceptag")]
    assert len(commands) == 3
    for command, shown in commands:
        done = run(*shlex.split(command)[1:])
        assert done.status == 0, done.err
        assert matches(shown, (done.err + done.out).replace(f"{tmp_path}/", ""))
    assert (tmp_path / "everything.txt").read_text() == (tmp_path / "names.txt").read_text()

"""The Tab key completes commands, options and values, and is installed for a shell."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from command_line import run, succeed
from perceptag.cli import completing, main
from perceptag.cli.shells import SCRIPTS
from perceptag.pipeline import installed


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("train -r collins-n", "collins-np"),
        ("train --set crf.sig", "crf.sigma2="),
        ("tag -f col", "columns"),
        ("eval --repair di", "discard"),
        ("train --columns form,pos,ner --label n", "ner"),
        ("train --train FILE --label la", "label"),
        ("check --stats no.txt --label la", ""),
        ("train --train - --label ", ""),  # it does not wait for standard input
    ],
)
def test_the_shell_completes_values(
    words: str, found: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.txt").write_text("in\tO\n", encoding="utf-8")
    line = f"perceptag {words.replace('FILE', str(tmp_path / 'a.txt'))}"
    asked = {"_PERCEPTAG_COMPLETE": "complete_bash", "_PERCEPTAG_LINE": line}
    for name, value in asked.items():
        monkeypatch.setenv(name, value)
    assert main([]) == 0
    assert capsys.readouterr().out.split() == ([found] if found else [])


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("perceptag tag --pre", '_arguments \'*: :(("--pretty":"Write for reading\\\\: '),
        ("perceptag eval --repair=disc", "_arguments '*: :((\"--repair=discard\"))'"),
        ("perceptag tag some", "_files"),
    ],
)
def test_zsh_gets_what_it_evaluates(line: str, found: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("_PERCEPTAG_COMPLETE", "complete_zsh")
    monkeypatch.setenv("_PERCEPTAG_LINE", line)
    assert succeed().out.startswith(found)


def test_fish_and_powershell_get_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("_PERCEPTAG_COMPLETE", "complete_fish")
    monkeypatch.setenv("_PERCEPTAG_LINE", "perceptag to")
    monkeypatch.setenv("_PERCEPTAG_FISH_ACTION", "get-args")
    assert succeed().out == "tokenize\tSplit running text into sentences, tokens and words.\n"
    monkeypatch.setenv("_PERCEPTAG_FISH_ACTION", "is-args")
    assert (run().status, run().out) == (0, "")
    monkeypatch.setenv("_PERCEPTAG_LINE", "perceptag split file")
    assert run().status == 1  # fish completes names of files
    monkeypatch.setenv("_PERCEPTAG_COMPLETE", "complete_powershell")
    monkeypatch.setenv("_PERCEPTAG_LINE", "perceptag split --by sen")
    assert succeed().out == "sentence:::\n"


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("perceptag eval --repair=disc", "discard"),
        ("perceptag eval --repair=", "strict"),
        ("perceptag tag 'an open quote --pre", ""),
        ("perceptag train --set epochs=3 --set epo", "epochs="),
        ("perceptag tag --quiet --qui", ""),  # given already
        ("perceptag tag --nope --pre", "--pretty"),
    ],
)
def test_bash_gets_words_that_it_cuts_at_equals_signs(line: str, found: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("_PERCEPTAG_COMPLETE", "complete_bash")
    monkeypatch.setenv("_PERCEPTAG_LINE", line)
    assert found in succeed().out.split() if found else not succeed().out


@pytest.mark.parametrize(
    ("shell", "file", "started"),
    [
        ("bash", ".bash_completions/perceptag.sh", ".bashrc"),
        ("zsh", ".zfunc/_perceptag", ".zshrc"),
        ("fish", ".config/fish/completions/perceptag.fish", ""),
    ],
)
def test_completion_is_installed_once(
    shell: str, file: str, started: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    (tmp_path / ".bashrc").write_text("# mine\n", "utf-8")
    for _ in range(2):
        assert file in succeed("--install-completion", shell).out
    assert (tmp_path / file).read_text("utf-8") == SCRIPTS[shell]
    assert succeed(f"--show-completion={shell}").out == SCRIPTS[shell]
    if started:
        lines = (tmp_path / started).read_text("utf-8").splitlines()
        assert len(lines) == (2 if shell == "bash" else 1) and lines[0] == ("# mine" if shell == "bash" else lines[0])


def powershell(folder: Path, monkeypatch: pytest.MonkeyPatch, script: str) -> None:
    """Put a program that stands for PowerShell before all others."""
    (folder / "pwsh").write_text(f"#!/bin/sh\n{script}\n", "utf-8")
    (folder / "pwsh").chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")


@pytest.mark.skipif(os.name == "nt", reason="needs a shell script")
def test_powershell_reads_completion_in_its_profile(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    profile = tmp_path / "own" / "profile.ps1"
    powershell(tmp_path, monkeypatch, f"echo '{profile}'")
    assert str(profile) in succeed("--install-completion", "pwsh").out
    assert profile.read_text("utf-8") == f"\n{SCRIPTS['pwsh']}"
    profile.write_text("# mine", "utf-8")
    succeed("--install-completion", "pwsh")
    assert profile.read_text("utf-8") == f"# mine\n{SCRIPTS['pwsh']}"


@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")
def test_bash_itself_completes(tmp_path: Path) -> None:
    """In the shell: the function of the script is called as the Tab key calls it."""
    (tmp_path / "perceptag").write_text(f'#!/bin/sh\nexec "{sys.executable}" -m perceptag "$@"\n', "utf-8")
    (tmp_path / "perceptag").chmod(0o755)
    code = f"""{SCRIPTS["bash"]}
    COMP_LINE="perceptag eval --repair disc"; COMP_POINT=${{#COMP_LINE}}; _perceptag_completion perceptag
    echo "${{COMPREPLY[@]}}"; complete -p perceptag"""
    environment = {**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}"}
    done = subprocess.run(["bash", "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout == "discard\ncomplete -o default -F _perceptag_completion perceptag\n"


def test_the_shell_completes_names_of_models(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(installed, "installed", lambda: [SimpleNamespace(name="en")])
    assert completing.models(completing.Given()) == ["en"]

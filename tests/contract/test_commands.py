"""What every command promises: help, exit status, files that stay as they were, and streams.

Commands and their modes come from `WITH_MODES`: one that is new must have a line in `LINES`, or a
reason in `WITHOUT_FILES`. `tests/cli/test_outputs.py` asks every option that names an output what it replaces.
"""

from __future__ import annotations

import inspect
import io
import os
import re
import subprocess
import sys
from itertools import pairwise, product
from pathlib import Path
from typing import IO
from unittest import mock

import pytest

from command_line import run, succeed
from perceptag.cli import COMMANDS, GROUPS, MODES, WITH_MODES, load_command, main

WITHOUT_FILES = {"demo": "it reads what is shipped", "list --models": "it lists what is installed"}
KINDS = ["missing", "a folder", "a picture", "empty"]
DATA = "--train IN:toy.txt --dev IN:toy.txt --columns form,pos,chunk -r collins-np --set epochs=1"
# A line that succeeds, or that is whole but for the data; IN: an input, OUT: the output.
LINES = {
    "tag": "tag -m IN:toy.model IN:toy.txt -o OUT",
    "tokenize": "tokenize IN:prose.txt -o OUT",
    "pipeline": "pipeline IN:toy.model -o OUT",
    "train": "train --train IN:toy.txt --columns form,pos,chunk -r collins-np --epochs 1 --no-dev -m OUT",
    "build": "build --treebank IN:folder -o OUT",
    "classes": "classes IN:prose.txt --sizes 2 --min-count 1 -o OUT",
    "tune": f"tune {DATA} --trials 1 -j 1 -o OUT.toml",
    "tune --ablate": f"tune --ablate {DATA} -j 1",
    "tune --curve": f"tune --curve {DATA} --runs 1 -j 1 --plot OUT.svg",
    "list": "list IN:./mine.toml",
    "eval": "eval -m IN:toy.model IN:toy.txt",
    "eval --errors": "eval --errors -m IN:toy.model IN:toy.txt",
    "compare": "compare IN:toy.txt IN:toy.txt IN:toy.txt",
    "check": "check IN:toy.txt",
    "check --suspects": "check --suspects IN:toy.txt --kind inconsistent",
    "check --rules": "check --rules IN:rules.toml IN:toy.txt",
    "check --stats": "check --stats IN:toy.txt",
    "split": "split IN:toy.txt --parts a=0.5,b=0.5",
    "convert": "convert IN:toy.txt OUT --to jsonl",
    "explain": "explain -m IN:toy.model -i IN:toy.txt --sentence 1",
    "inspect": "inspect IN:toy.model",
    "doctor": "doctor IN:toy.model",
    "serve": "serve --model x=IN:folder",
    "annotate": "annotate p.ptag --labels NP --import IN:toy.txt --export OUT.txt",
    "reproduce": "reproduce collins2002 --data IN:folder -o OUT",
}
FAILS = {"build", "serve", "reproduce"}  # the line needs more data, or does not end
# What is wrong with a file is what these are asked for: status 1.
REPORTED = {("check", "a picture"), ("reproduce", "a folder"), *product(["doctor"], KINDS)}
TO_STDOUT = ["tag", "tokenize", "convert"]
STREAMS = {
    "tag": "tag -m toy.model -",
    "tokenize": "tokenize -",
    "train": "train --train - --columns form,pos,chunk -r collins-np --no-dev -m new",
    "eval": "eval -m toy.model -",
    "compare": "compare - toy.txt toy.txt",
    "check": "check -",
    "check --stats": "check --stats -",
    "classes": "classes - --sizes 2 -o new",
    "convert": "convert - new --to jsonl",
    "explain": "explain -m toy.model -i - --sentence 1",
}


@pytest.fixture
def place(folder: Path) -> Path:
    """Return a folder with whatever a line reads."""
    (folder / "prose.txt").write_text("The dog barks. The cat sleeps, and the dog barks.\n")
    (folder / "mine.toml").write_text("learner = 'margin'\n")
    (folder / "rules.toml").write_text('[[rule]]\nlabel = "ANIMAL"\nphrases = ["dog"]\n')
    return folder


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def words_of(line: str, output: str = "new", place: int = -1, other: str = "") -> list[str]:
    """Return the words of a line; `other` stands in the place of the input with this number."""
    words, number = [], -1
    for word in line.replace("OUT", output).split():
        number += "IN:" in word
        before, _, given = word.partition("IN:")
        words.append(f"{before}{other}" if "IN:" in word and number == place else f"{before}{given}")
    return words


INPUTS = [(name, number) for name, line in LINES.items() for number in range(line.count("IN:"))]


def test_every_command_has_a_line() -> None:
    assert set(WITH_MODES) == {*LINES, *WITHOUT_FILES}


# --- help ---


@pytest.fixture(scope="module", params=[80, 120])
def helps(request: pytest.FixtureRequest) -> tuple[int, dict[str, str]]:
    """Return the widest line, and the help of perceptag and of each command, as a terminal shows it."""
    code = (
        "import sys; from perceptag.cli import main\n"
        f"for name in {('', *WITH_MODES)!r}: assert main([*name.split(), '--help']) == 0; print('=' * 9)"
    )
    environment = {**os.environ, "COLUMNS": str(request.param)}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=True)
    texts = done.stdout.split("=" * 9 + "\n")[:-1]
    return min(request.param, 110), dict(zip(("", *WITH_MODES), texts, strict=True))


def test_help_names_every_option_and_fits_the_terminal(helps: tuple[int, dict[str, str]]) -> None:
    width, texts = helps
    for name, text in texts.items():
        assert max(map(len, text.split("\n"))) <= width
        usage, _, rest = text.partition("\n\n")
        assert "\n" not in usage and "[default: -]" not in rest
        prose, *sections = re.split(r"\n\n(?=[A-Z][a-z ]+:\n)", rest)
        assert max(len(paragraph.split()) for paragraph in prose.split("\n\n")) <= 90
        assert sections[-1].rstrip().endswith("Show this help.")
        for line, after in pairwise([*"\n".join(sections).split("\n"), ""]):
            has_help = re.search(r"\S {2,}\S", line[6:]) or after.startswith(" " * 8)
            assert has_help or not re.match(r" {2,6}-", line), line
        named = set(re.findall(r"(?<![\w-])--?[a-z][\w-]*", rest))
        parameters = load_command(name).parameters if name else []
        assert not [p.names for p in parameters if not p.is_argument and not named & set(p.names)], name


def test_the_overview_says_what_the_commands_say_of_themselves(helps: tuple[int, dict[str, str]]) -> None:
    lines = helps[1][""].split("\n")
    for group, commands in GROUPS.items():
        at = lines.index(f"{group}:") + 1
        rows = [line.split(maxsplit=1) for line in lines[at : at + len(commands)]]
        assert rows == [[name, summary] for name, summary in commands.items()]
    summaries = {name: summary for name, summary in COMMANDS.items() if name not in MODES}
    summaries |= {
        f"{name} {flag.split()[0]}": summary for name, flags in MODES.items() for flag, summary in flags.items()
    }
    for name, summary in summaries.items():
        assert (inspect.getdoc(load_command(name).function) or "").split("\n")[0] == summary


def test_options_have_the_same_name_everywhere() -> None:
    options = {name: load_command(name).options for name in WITH_MODES}
    short = {name for name in WITH_MODES if "-o" in options[name]}
    assert [name for name in short if options[name].get("--output") is not options[name]["-o"]] == []
    reading = [name for name in WITH_MODES if {"--format", "--from"} & options[name].keys()]
    assert [name for name in reading if "--encoding" not in options[name]] == []
    assert [name for name in reading if "--columns" in options[name] and "--comment" not in options[name]] == []
    for name in WITH_MODES:
        names = [one for p in load_command(name).parameters if not p.is_argument for one in p.names]
        assert len(set(names)) == len(names) and not {"-h", "--help"} & set(names)


# --- refusals ---


@pytest.mark.parametrize("name", WITH_MODES)
def test_an_unknown_option_is_a_refusal_that_names_it(name: str, place: Path) -> None:
    before = contents(place)
    done = run(*name.replace("--rules", "--rules=x").split(), "--no-such-option")
    assert (done.status, done.out) == (2, "") and "--no-such-option" in done.err and "--help" in done.err
    assert contents(place) == before


@pytest.mark.parametrize(("name", "number"), INPUTS)
@pytest.mark.parametrize("kind", KINDS)
def test_a_file_that_cannot_be_used_is_named_and_nothing_is_written(
    name: str, number: int, kind: str, place: Path
) -> None:
    bad = "bad.toml" if name == "list" else "bad"
    if kind == "a folder":
        (place / bad).mkdir()
    elif kind != "missing":
        (place / bad).write_bytes(b"\x89PNG\r\n\x1a\n\0\xff" if kind == "a picture" else b"")
    before = contents(place)
    done = run(*words_of(LINES[name], "new", number, f"./{bad}"))
    if kind == "empty" and done.status == 0:
        return  # nothing to do is not a mistake of a stream
    assert done.status == (1 if (name, kind) in REPORTED else 2), done
    assert bad in done.err + done.out and "Traceback" not in done.err
    assert contents(place) == before if done.status == 2 else before.items() <= contents(place).items()


@pytest.mark.parametrize("name", [name for name in LINES if "OUT" in LINES[name]])
def test_what_another_file_holds_is_not_replaced_by_a_command_that_fails(name: str, place: Path) -> None:
    target = "old.txt" if "OUT.txt" not in LINES[name] else "old"
    ending = re.search(r"OUT(\.\w+)?", LINES[name])
    assert ending
    (place / f"old{ending[1] or '.txt'}").write_bytes(b"a O\n\n")
    before = contents(place)
    run(*words_of(LINES[name], "old" if ending[1] else target, 0, "none"))
    assert contents(place) == before


# --- success ---


@pytest.mark.parametrize("name", [name for name in LINES if name not in FAILS])
def test_a_whole_line_succeeds_and_leaves_its_inputs(name: str, place: Path) -> None:
    before = contents(place)
    line = words_of(LINES[name])
    done = run(*line)
    assert done.status == 0, done.err
    assert before.items() <= contents(place).items()
    if "--quiet" in load_command(name).options and "OUT" in LINES[name]:
        silent = run(*line, "--quiet", *(["--overwrite"] if "--overwrite" in load_command(name).options else []))
        assert (silent.status, silent.err) == (0, ""), silent.err


@pytest.mark.parametrize("name", TO_STDOUT)
def test_output_to_a_file_is_output_to_stdout(name: str, place: Path) -> None:
    succeed(*words_of(LINES[name], "new"))
    assert succeed(*words_of(LINES[name], "-")).out.encode() == (place / "new").read_bytes()


@pytest.mark.parametrize("name", STREAMS)
def test_an_interrupt_gives_status_130_and_leaves_no_file(name: str, place: Path) -> None:
    class Interrupted(io.RawIOBase):
        """A stream whose reader is interrupted."""

        def readable(self) -> bool:
            return True

        def readinto(self, buffer: object) -> int:
            raise KeyboardInterrupt

    before = contents(place)
    stream: IO[str] = io.TextIOWrapper(io.BufferedReader(Interrupted()))
    with mock.patch.object(sys, "stdin", stream):
        assert main(STREAMS[name].split()) == 130
    assert contents(place) == before


LATIN = "".join(f"{name} B-PER\nwohnt{n} O\nhier O\n\n" for n, name in enumerate(("Müller", "Groß", "Anna")))
READING = {
    "check": "check a.txt --fail-on error",
    "check --stats": "check --stats a.txt",
    "check --suspects": "check --suspects a.txt --kind inconsistent",
    "classes": "classes a.txt --format columns --sizes 2 --min-count 1 -o out",
    "compare": "compare a.txt a.txt a.txt",
    "convert": "convert a.txt out.jsonl",
    "split": "split a.txt --parts train=0.5,test=0.5",
    "train": "train --train a.txt -m out --recipe collins-pos --epochs 1 --no-dev",
}


@pytest.mark.parametrize("name", READING)
def test_an_encoding_is_named_by_the_error_and_read_by_the_option(name: str, place: Path) -> None:
    (place / "a.txt").write_bytes(LATIN.encode("latin-1"))
    refused = run(*READING[name].split())
    said = " ".join((refused.out + refused.err).split())
    assert refused.status in (1, 2) and "a.txt:1" in said and "--encoding names another" in said
    succeed(*READING[name].split(), "--encoding", "latin-1")


def test_a_bug_looks_like_one(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("perceptag.cli.inspect.inspect", mock.Mock(side_effect=ZeroDivisionError("oops")))
    done = run("inspect", "toy.model")
    assert done.status == 70 and "Traceback" in done.err and "this is a bug in perceptag" in done.err

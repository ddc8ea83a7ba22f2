"""What ``import perceptag`` loads, and what it does not."""

from __future__ import annotations

import signal
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest

from perceptag import Tagger


def loaded(code: str) -> set[str]:
    """The modules that are loaded after running `code` in a fresh interpreter."""
    text = f"{code}\nimport sys\nprint('modules:', *sys.modules)"
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=True)
    return set(done.stdout.rpartition("modules:")[2].split())  # what the code prints may have such names, too


def test_the_package_needs_no_command_line() -> None:
    names = {name.partition(".")[0] for name in loaded("import perceptag")}
    assert not names & {"rich", "sklearn", "scipy", "concurrent", "asyncio", "multiprocessing"}


def test_neither_needs_what_the_server_needs() -> None:
    whole = loaded("from perceptag.cli import WITH_MODES, load_command; [load_command(name) for name in WITH_MODES]")
    assert "perceptag.cli.serve" in whole
    assert not {name.partition(".")[0] for name in whole} & {"starlette", "uvicorn", "httptools", "anyio", "asyncio"}
    assert not {name for name in whole if name.startswith("perceptag.server")}
    looks = {name.rpartition(".")[2] for name in whole if name.startswith("perceptag.inspecting.")}
    assert looks == {"inconsistent", "labelled", "limits", "regions", "suspects"}
    client = loaded("import perceptag.client")
    assert not {name.partition(".")[0] for name in client} & {"numpy", "starlette", "uvicorn"}


# What only some uses of `perceptag tag` need; with all of it, a process takes twice as long to begin.
NOT_TO_TAG = {
    *("numpy", "argparse", "rich", "tomllib", "logging", "concurrent.futures", "shutil", "secrets", "difflib", "lzma"),
    *("perceptag.models.confident", "perceptag.models.margins", "perceptag.evaluation"),
    *("perceptag.labels.given", "perceptag.models.explanation", "perceptag.models.linear.explain"),
    *("perceptag.models.linear.weights", "perceptag.models.model_classes", "perceptag.system.table"),
    *("perceptag.cli.help_text", "perceptag.cli.shells", "textwrap", "shlex", "subprocess"),
    *("perceptag.tagging.ways", "perceptag.training", "perceptag.models.linear.trainer"),
}
RUN = "import perceptag.__main__ as p, sys; sys.argv[1:] = {!r}; assert p.main() == 0"


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = str(tmp_path_factory.mktemp("start") / "pos.model")
    words, labels = [["the", "dog"], ["a", "cat"]] * 4, [["DT", "NN"]] * 8
    tagger = Tagger("collins-pos", epochs=2).fit(words, labels)
    tagger.calibrate(words, labels)
    tagger.save(path)
    return path


@pytest.mark.parametrize("name", ["in.txt", "in.conllu"])
def test_tagging_a_file_imports_little(model: str, tmp_path: Path, name: str) -> None:
    line = "1\tthe\t_\t_\t_\t_\t_\t_\t_\t_" if name.endswith("conllu") else "the"
    (tmp_path / name).write_text(f"{line}\n\n", encoding="utf-8")
    files = [str(tmp_path / name), "-o", str(tmp_path / f"out-{name}"), "--quiet"]
    label = ["--label", "xpos"] if name.endswith("conllu") else []
    names = loaded(RUN.format(["tag", "--model", model, *files, *label]))
    assert "NN" in (tmp_path / f"out-{name}").read_text(encoding="utf-8")
    assert "perceptag.models.linear.tagger" in names
    assert not names & NOT_TO_TAG


PEOPLE = [["Anna", "went", "to", "Paris"], ["Bob", "likes", "Rome", "."]] * 6
NAMES = [["B-PER", "O", "O", "B-LOC"], ["B-PER", "O", "B-LOC", "O"]] * 6
TAG_IN_PYTHON = """
import perceptag
print(perceptag.Tagger.load({0!r}).predict([["Anna", "likes", "Rome"]]))
print(perceptag.load({0!r}).tag([["Anna", "likes", "Rome"]]))
"""


@pytest.mark.parametrize("recipe", ["pos", "chunk", "ner", "crf"])
def test_tagging_needs_no_numpy(recipe: str, tmp_path: Path) -> None:
    """In files and in Python, also where the labels of the model differ from those of the data."""
    path = str(tmp_path / "some.model")
    Tagger(recipe, epochs=2, labels_scheme="auto" if recipe == "pos" else "IOBES").fit(PEOPLE, NAMES).save(path)
    (tmp_path / "in.txt").write_text("Anna\nlikes\nRome\n\n", encoding="utf-8")
    files = [str(tmp_path / "in.txt"), "-o", str(tmp_path / "out.txt"), "--quiet"]
    code = RUN.format(["tag", "--model", path, *files]) + TAG_IN_PYTHON.format(path)
    assert "numpy" not in loaded(code)
    assert "Rome B-LOC" in (tmp_path / "out.txt").read_text(encoding="utf-8")


def test_running_text_needs_no_numpy(tmp_path: Path) -> None:
    pytest.importorskip("perceptag_en")
    (tmp_path / "in.txt").write_text("Anna didn't go to Paris in May. Bob did.", encoding="utf-8")
    files = [str(tmp_path / "in.txt"), "-o", str(tmp_path / "out.txt"), "--quiet"]
    code = "\nimport perceptag; nlp = perceptag.load('en'); print([s.label for s in nlp('Anna saw Rome.').spans])"
    code += "\nprint(nlp.tokenizer.tokenize('He left. She stayed.'), nlp.tag([['Anna', 'left', '.']]))"
    assert "numpy" not in loaded(RUN.format(["tag", "--model", "en", *files]) + code)
    assert "Paris PROPN NNP O B-LOC" in (tmp_path / "out.txt").read_text(encoding="utf-8")


def test_an_interrupt_while_modules_are_imported_is_quiet() -> None:
    kill = "import os, signal, sys; os.kill(os.getpid(), signal.{}); print('still here')"
    begin = "from perceptag.system.interrupts import leave_quietly, raise_again; leave_quietly();"
    for code, status, says in (
        (begin + kill.format("SIGINT"), 130, ""),
        (begin + kill.format("SIGTERM"), 130, ""),
        (begin + "raise_again();" + kill.format("SIGINT"), -2, "KeyboardInterrupt"),
        ("import perceptag;" + kill.format("SIGINT"), -2, "KeyboardInterrupt"),  # a library changes no handlers
    ):
        # Tests in the background of a shell have SIGINT ignored, and children inherit that.
        take_interrupts = partial(signal.signal, signal.SIGINT, signal.SIG_DFL)
        done = subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, check=False, preexec_fn=take_interrupts
        )
        assert (done.returncode, done.stdout) == (status, "")
        assert (says in done.stderr) and bool(says) == bool(done.stderr)

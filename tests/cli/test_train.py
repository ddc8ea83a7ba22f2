"""``perceptag train``: settings, progress, kills and interrupts."""

from __future__ import annotations

import hashlib
import json
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from command_line import CORPUS, CORPUS_COLUMNS, OLD_MODEL, TOY, check, first_sentences, run, succeed, toy_model
from perceptag import Tagger
from perceptag.models import model_file as modelfile
from perceptag.training.checkpoint import Checkpoints

EPOCHS = 45  # more than pass while a test waits to kill one
SHORT = ("--epochs", 4)  # where no run is killed


def words(model: Path, *more: object) -> list[str]:
    """A training run of a second or so."""
    common = ["train", "-r", "collins-pos", "--train", CORPUS / "train.txt", "--dev", CORPUS / "dev.txt"]
    rest = ["--columns", CORPUS_COLUMNS, "--label", "pos", "-m", model, "--epochs", EPOCHS, *more]
    return [str(word) for word in [*common, *rest]]


def sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


@pytest.fixture(scope="module")
def uninterrupted(tmp_path_factory: pytest.TempPathFactory) -> str:
    model = tmp_path_factory.mktemp("uninterrupted") / "pos.model"
    succeed(*words(model, "-j", 1))
    assert [f.name for f in model.parent.iterdir()] == ["pos.model"]  # no checkpoint is left
    return sha256(model)


@pytest.fixture(scope="module")
def short(tmp_path_factory: pytest.TempPathFactory) -> str:
    model = tmp_path_factory.mktemp("short") / "pos.model"
    succeed(*words(model, *SHORT, "-j", 1))
    return sha256(model)


def start(*more: object) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "perceptag", *map(str, more)]
    return subprocess.Popen(command, stderr=subprocess.PIPE, text=True)


def read_until_pass(child: subprocess.Popen[str], number: int) -> str:
    """Read the child's progress until that number of passes is done, or it ends."""
    assert child.stderr
    text = ""
    for line in child.stderr:
        text += line
        if line.split()[:1] == [str(number)]:
            break
    return text


@pytest.mark.every
def test_killed_at_random_moments_and_resumed(uninterrupted: str, tmp_path: Path) -> None:
    model = tmp_path / "m"
    moments = random.Random(1)
    resumed = 0
    for number in (1, 3, 5, 6):
        with start(*words(model, "--resume", "--checkpoint-every", 1)) as child:
            resumed += "resumed from" in read_until_pass(child, number)
            time.sleep(moments.uniform(0, 0.12))  # somewhere in a pass, in scoring, in writing a checkpoint
            child.kill()
        assert not model.exists()
    assert resumed
    result = succeed(*words(model, "--resume"))
    assert f"resumed from {model}.checkpoint after pass" in result.err
    assert sha256(model) == uninterrupted
    assert not Path(f"{model}.checkpoint").exists()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_interrupt_saves_the_best_pass(short: str, tmp_path: Path, number: signal.Signals) -> None:
    model = tmp_path / "m"
    ignored = signal.signal(signal.SIGHUP, signal.SIG_DFL)  # it may be ignored here, as nohup makes it
    try:
        child = start(*words(model, "--epochs", 500, "--checkpoint-every", 1))
    finally:
        signal.signal(signal.SIGHUP, ignored)
    with child:
        read_until_pass(child, 2)
        child.send_signal(number)
        assert child.stderr
        message = child.stderr.read()
    assert child.returncode == 130
    assert f"interrupted: saved {model} (pass " in message
    assert f"--resume continues from {model}.checkpoint" in message
    assert "Traceback" not in message
    assert len(Tagger.load(str(model)).predict([["The", "council", "voted"]])[0]) == 3
    # A run with other settings does not continue it …
    result = run(*words(model, "--resume"))
    assert result.status == 2
    assert f"epochs: 500 in the checkpoint, {EPOCHS} here" in result.err
    # … and beginning again replaces it.
    assert f"{model}.checkpoint of an earlier run is replaced" in succeed(*words(model, *SHORT, "--restart")).err
    assert sha256(model) == short
    assert not Path(f"{model}.checkpoint").exists()


def test_a_killed_run_is_not_lost_to_the_same_command(uninterrupted: str, short: str, tmp_path: Path) -> None:
    model, checkpoint = tmp_path / "m", tmp_path / "m.checkpoint"
    with start(*words(model, "--checkpoint-every", 1)) as child:
        read_until_pass(child, 3)
        child.kill()
    before = checkpoint.read_bytes()
    check(
        run(*words(model)), "m.checkpoint holds the passes of an earlier run .*; --resume continues .* --restart begins"
    )
    check(run(*words(model, "--resume", "--restart")), "--resume and --restart: give one of them, not both")
    assert (checkpoint.read_bytes(), model.exists()) == (before, False)
    succeed(*words(tmp_path / "another", *SHORT))
    succeed(*words(model, "--resume"))
    assert (sha256(model), sha256(tmp_path / "another")) == (uninterrupted, short)
    succeed(*words(model, *SHORT))  # a run that has ended leaves nothing to ask about


def test_restart_keeps_the_earlier_checkpoint_until_it_has_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    earlier = tmp_path / "m.checkpoint"
    earlier.write_text("of an earlier run")
    with monkeypatch.context() as interrupted:
        interrupted.setattr("perceptag.models.linear.trainer.LinearTrainer.learn_epoch", _interrupted)
        assert run(*words(tmp_path / "m", *SHORT, "--restart")).status == 130
    assert earlier.read_text() == "of an earlier run"
    succeed(*words(tmp_path / "m", *SHORT, "--restart", "--checkpoint-every", 100))
    assert not earlier.exists()


def test_interrupt_before_the_first_pass_leaves_the_old_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    model = tmp_path / "m"
    model.write_bytes(OLD_MODEL)
    monkeypatch.setattr("perceptag.models.linear.trainer.LinearTrainer.learn_epoch", _interrupted)
    result = run(*words(model))
    assert (result.status, model.read_bytes()) == (130, OLD_MODEL)
    assert "interrupted before the first pass had ended: nothing was saved" in result.err


def _interrupted(*_: object) -> int:
    raise KeyboardInterrupt


def test_resume_without_a_checkpoint_says_so(short: str, tmp_path: Path) -> None:
    result = succeed(*words(tmp_path / "m", *SHORT, "--resume"))
    assert f"note: there is no {tmp_path / 'm'}.checkpoint, so training starts from the beginning" in result.err
    assert sha256(tmp_path / "m") == short


def stopped_after_a_pass(monkeypatch: pytest.MonkeyPatch, *command: object) -> None:
    """Run until the first checkpoint has been written."""
    after_pass = Checkpoints.after_pass
    with monkeypatch.context() as changed:
        changed.setattr(Checkpoints, "after_pass", lambda self: after_pass(self) and _interrupted())
        assert run(*command).status == 130


def test_progress_is_a_line_for_each_pass(tmp_path: Path) -> None:
    lines = succeed(*words(tmp_path / "m", "--epochs", 2)).err.split("\n")
    assert lines[0] == "train: 274 sentences, 5074 tokens; dev: 59 sentences, 1008 tokens; 38 labels from column 'pos'"
    assert lines[1] == "note: no template looks at columns 'chunk', 'ner'"
    assert lines[2].split() == ["pass", "wrong", "sentences", "dev", "accuracy,", "last", "averaged", "seconds"]
    assert [line.split()[0] for line in lines[3:5]] == ["1", "2"]
    assert lines[3].endswith("  new best")
    assert lines[5].startswith(f"saved {tmp_path / 'm'} (pass ")


def test_quiet_and_json(tmp_path: Path) -> None:
    result = succeed(*words(tmp_path / "m", "--epochs", 2, "--quiet", "--json"))
    assert result.err == ""
    found = json.loads(result.out)
    assert found["sha256"] == _carried_digest(tmp_path / "m")
    assert len(found["passes"]) == 2
    best = max(found["passes"], key=lambda p: (p["dev_kept"], -p["epoch"]))
    assert (found["best_pass"], found["dev_score"]) == (best["epoch"], best["dev_kept"])


def _carried_digest(path: Path) -> str:
    data = path.read_bytes()
    place = data.index(b"sha256:") + 7
    return data[place : place + 64].decode()


@pytest.mark.parametrize(
    ("recipe", "settings", "is_random"),
    [
        ("margin-ner", "shuffle=false", False),
        ("margin-ner", "shuffle=false,bpm=2", True),
        ("carreras-ner", "shuffle=false,chunker.visible=40", True),
    ],
)
def test_the_note_on_a_seed_is_true(tmp_path: Path, recipe: str, settings: str, is_random: bool) -> None:
    train = ("train", "-r", recipe, "--train", CORPUS / "train.txt", "--columns", CORPUS_COLUMNS, "--epochs", 1)
    changed = [word for setting in settings.split(",") for word in ("--set", setting)]
    models = [tmp_path / name for name in "ab"]
    for seed, model in enumerate(models):
        result = succeed(*train, "--label", "ner", *changed, "--seed", seed + 1, "-m", model)
        assert ("--seed has no effect" not in result.err) == is_random
    arrays = [modelfile.load(str(model)).arrays for model in models]
    same = all(np.array_equal(arrays[0][name], arrays[1].get(name)) for name in arrays[0])
    assert same != is_random


def test_a_checkpoint_that_cannot_be_written_does_not_stop_training(tmp_path: Path) -> None:
    model = tmp_path / "m"
    Path(f"{model}.checkpoint").mkdir()  # nothing can be written there
    result = succeed(*words(model, "--epochs", 2))
    assert result.err.count("warning: no more checkpoints in this run") == 1
    assert model.exists()


@pytest.mark.parametrize("recipe", ["collins-np", "ner"])  # tests/contract/test_checkpoints.py has every learner
def test_a_run_can_be_stopped_and_resumed(tmp_path: Path, recipe: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Interrupt after the first pass; go on; compare with a run without interruption."""
    corpus = first_sentences(20, tmp_path / "train.txt")
    common = ["train", "-r", recipe, "--train", corpus, "--dev", corpus, "--columns", CORPUS_COLUMNS]
    has_margins = recipe == "ner"
    common += ["--epochs", 6, "-j", 1] if has_margins else ["--epochs", 3]
    whole, parts = tmp_path / "whole", tmp_path / "parts"
    succeed(*common, "-m", whole)
    stopped_after_a_pass(monkeypatch, *common, "-m", parts)
    run_before = 3 if has_margins else 1  # the passes of the short run that chose the margins
    assert f"after pass {run_before}" in succeed(*common, "-m", parts, "--resume").err
    assert sha256(parts) == sha256(whole)


def test_the_model_must_not_replace_the_recipe_or_its_files(tmp_path: Path) -> None:
    data, recipe, cities = tmp_path / "data.txt", tmp_path / "mine.toml", tmp_path / "cities.txt"
    data.write_text(TOY)
    recipe.write_text(f"templates = ['form[0]', 'gazetteer[0]']\ngazetteer = ['city={cities}']\n")
    cities.write_text("New York\n")
    for path in (recipe, cities):
        before = path.read_bytes()
        result = run("train", "-r", recipe, "--columns", "form,pos,chunk", "--train", data, "-m", path, "--overwrite")
        assert (result.status, path.read_bytes()) == (2, before)
        assert "is also an input" in result.err


def test_the_checkpoint_must_not_replace_the_training_data(tmp_path: Path) -> None:
    data = tmp_path / "m.checkpoint"
    data.write_text(TOY)
    result = run("train", "-r", "collins-np", "--columns", "form,pos,chunk", "--train", data, "-m", tmp_path / "m")
    assert (result.status, data.read_text()) == (2, TOY)
    assert "m.checkpoint is also an input" in result.err


def test_a_checkpoint_that_the_run_did_not_write_stays(tmp_path: Path) -> None:
    foreign = tmp_path / "toy.model.checkpoint"
    foreign.write_text("of somebody else")
    toy_model(tmp_path, "--checkpoint-every", 0)
    assert foreign.read_text() == "of somebody else"
    toy_model(tmp_path, "--restart")
    assert not foreign.exists()  # replaced, as the note says, and removed when the model was safe


@pytest.mark.parametrize(
    "option", [("--gazetteer", "city=none.txt"), ("-s", "classes=none.txt"), ("--dev", "none.txt")]
)
@pytest.mark.parametrize("recipe", [(), ("-r", "ner")])
def test_missing_files_are_noticed_before_data_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, option: tuple[str, str], recipe: tuple[str, ...]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("bad.txt").write_text("one two\nthree\n")  # reading it would be an error
    result = run("train", "--train", "bad.txt", "-m", "m", *option, *recipe)
    assert result.status == 2
    assert "none.txt: cannot read: No such file" in result.err
    assert "bad.txt" not in result.err

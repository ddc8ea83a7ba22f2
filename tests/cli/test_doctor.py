"""``perceptag doctor``: facts and checks, and nothing that others must not see."""

from __future__ import annotations

import getpass
import json
import socket
from pathlib import Path

import pytest

from command_line import run, succeed, toy_model
from perceptag import __version__, _core
from perceptag.inspecting import self_checks


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return toy_model(tmp_path_factory.mktemp("models"))


def test_all_is_well_here(model: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PERCEPTAG_DATA", raising=False)
    monkeypatch.setenv("PERCEPTAG_SECRET", "a password")
    found = json.loads(succeed("doctor", "--json", model).out)
    assert [check["passed"] for check in found["checks"]] == [True] * 6
    assert found["perceptag"]["CPU"] == _core.cpu_instructions()
    assert found["libraries"]["numpy"] and "pytest" not in found["libraries"] and "ray" in found["libraries"]
    assert found["system"]["usable_cores"] >= 1 and found["system"]["memory"] > 1 << 28
    assert found["environment"] == ["PERCEPTAG_SECRET"]
    about = found["models"][0]
    assert (about["file"], about["format"], about["recipe"]) == ("toy.model", 6, "collins-np")
    assert (about["written_by"], about["labels"]) == (__version__, 3)
    text = json.dumps(found)
    assert "password" not in text and str(Path.home()) + "/" not in text and str(model.parent) not in text
    assert socket.gethostname() not in text and "B-NP" not in text
    assert getpass.getuser() == "root" or getpass.getuser() not in text


def test_a_check_that_fails_gives_status_1(model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(self_checks, "KNOWN", "another")
    damaged = tmp_path / "damaged.model"
    damaged.write_bytes(model.read_bytes()[:-1] + b"\1")
    result = run("doctor", "--json", damaged, tmp_path / "missing.model")
    assert result.status == 1
    faults = [check["fault"] for check in json.loads(result.out)["checks"]]
    assert "SHA-256 of the arrays: expected 'another', found" in faults[4]
    assert "the file is damaged: its SHA-256" in faults[5] and "cannot read" in faults[6]
    assert str(tmp_path) not in result.out + result.err and tmp_path.name not in result.out
    assert result.err == (
        "perceptag: failed: a tiny model is the same as on other machines, damaged.model can be read, "
        "missing.model can be read\n"
    )


def test_the_tiny_model_is_known() -> None:
    """If a change of what is learned is meant, KNOWN is what `tiny_digest` says now."""
    assert self_checks.tiny_digest() == self_checks.KNOWN


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("/home/anna/x: no", "~/x: no"),
        ("/Users/ben/x", "~/x"),
        (r"C:\Users\ben\x", r"~\x"),
        ("/srv/x", "/srv/x"),
    ],
)
def test_messages_have_no_home_folders(text: str, shown: str) -> None:
    assert self_checks.without_names(text) == shown

"""``perceptag eval --errors``, ``inspect A B`` and ``tune --curve``: models looked at with data."""

from __future__ import annotations

import json

import pytest

from command_line import TOY, succeed, toy_model

GOLD = TOY.replace("cat NN I-NP", "cat NN B-NP")
WORDS = "".join(f"{row.rpartition(' ')[0]}\n" for row in TOY.split("\n"))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Two models that differ in a setting, and a file with an error of both."""
    found = tmp_path_factory.mktemp("models")
    toy_model(found, name="a.model")
    toy_model(found, "-s", "templates=pos[0]", name="b.model")
    (found / "gold.txt").write_text(GOLD)
    (found / "words.txt").write_text(WORDS)
    return found


def test_errors_as_tables_json_and_page(folder, tmp_path):
    html = tmp_path / "errors.html"
    out = succeed("eval", "--errors", "-m", folder / "a.model", folder / "gold.txt", "--html", html).out
    assert out.startswith("F1: 57.14 %; errors: 1 in 1 of 3 sentences\n")
    assert "kinds of errors" in out
    assert "A cat" in html.read_text(encoding="utf-8")
    found = json.loads(succeed("eval", "--errors", "-m", folder / "a.model", folder / "gold.txt", "--json").out)
    (wrong,) = found["sentences"]
    assert (wrong["number"], wrong["tokens"]) == (1, ["A", "cat", "sleeps"])
    assert wrong["errors"][0]["kind"] == "several"


def test_two_models(folder):
    out = succeed("inspect", folder / "a.model", folder / "b.model", folder / "gold.txt").out
    assert "templates only in a: " in out
    assert "weights that change most" in out
    assert "p-value: " in out
    found = json.loads(succeed("inspect", folder / "a.model", folder / "b.model", folder / "words.txt", "--json").out)
    assert found["labels"]["comparison"] is None
    assert found["models"]["changes"]


def test_a_curve_with_its_plot(folder, tmp_path):
    plot = tmp_path / "curve.svg"
    data = ("--train", folder / "toy.txt", "--dev", folder / "gold.txt", "--columns", "form,pos,chunk")
    options = ("-r", "collins-np", "-s", "epochs=1", "--runs", 1, "-j", 1, "--sizes", "0.3,0.6,1")
    done = succeed("tune", "--curve", *data, *options, "--plot", plot)
    assert "forecast 6 " in done.out
    assert "not measured" in done.out
    assert "3 sentences, run 1: " in done.err
    drawn = plot.read_text()
    assert "forecast, not measured" in drawn
    assert "stroke-dasharray" in drawn
    found = json.loads(succeed("tune", "--curve", *data, *options, "--sizes", "1", "-q", "--json").out)
    assert (found["points"][0]["sentences"], found["forecast"]) == (3, None)

"""``perceptag explain``, ``inspect``, ``list``, ``demo``, and the program itself."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

import pytest

from command_line import TOY, run, succeed, toy_model
from perceptag import SettingError, Tagger, __version__
from perceptag.cli.table import Table, render

TOKENS = "The/DT dog/NN barks/VBZ"


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return toy_model(tmp_path_factory.mktemp("models"))


def test_explain_in_json_is_the_explanation_with_numbers(model: Path) -> None:
    tagger = Tagger.load(str(model))
    whole = tagger.explain({"form": ["The", "dog", "barks"], "pos": ["DT", "NN", "VBZ"]}).to_dict()
    numbered = [{"number": t, **detail} for t, detail in enumerate(whole["details"], 1)]
    for options, details in (((), numbered), (("--token", 2), numbered[1:2])):
        found = succeed("explain", "--model", model, TOKENS, "--json", *options).out
        expected = json.dumps({**whole, "details": details})
        assert json.dumps(json.loads(found)) == expected  # in this order too


def test_explain_a_sentence_of_a_file(model: Path, tmp_path: Path) -> None:
    file = tmp_path / "in.txt"
    file.write_text(TOY)
    given = json.loads(succeed("explain", "-m", model, "A/DT cat/NN sleeps/VBZ", "--json").out)
    assert json.loads(succeed("explain", "-m", model, "-i", file, "--sentence", 2, "--json").out) == given
    assert json.loads(succeed("explain", "-m", model, "A/DT", "cat/NN", "sleeps/VBZ", "--json").out) == given


def test_inspect(model: Path) -> None:
    found = json.loads(succeed("inspect", model, "--json").out)
    assert found["labels"] == ["B-NP", "I-NP", "O"]
    assert found["scheme"] == {"data": "IOB2", "model": "IOB2"}
    assert found["columns"] == ["form", "pos", "chunk"]
    assert found["bytes"] == model.stat().st_size
    assert found["recipe"]["epochs"] == 3
    assert found["manifest"]["train"]["sentences"] == 3
    assert len(found["manifest"]["curve"]) == 3
    for features in found["heaviest"].values():
        sizes = [abs(f["weight"]) for f in features]
        assert 0 < len(sizes) <= 5
        assert sizes == sorted(sizes, reverse=True)
    text = succeed("inspect", model).out
    for part in ("labels: 3 in column chunk, scheme IOB2", "B-NP I-NP O", "pos[0] pos[1] pos[2]", "pass 3: 0 of 3"):
        assert part in text


def test_inspect_imports_no_code_of_the_user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "vowels.py").write_text("def first(v):\n    return v[0]\n")
    monkeypatch.chdir(tmp_path)
    settings = ("--set", "attributes=initial=vowels:first", "--set", "templates=initial[0],bias * y-1 y0")
    model = toy_model(tmp_path, *settings, "--allow-code")
    sys.modules.pop("vowels")
    assert "initial[0]" in succeed("inspect", model).out
    assert "vowels" not in sys.modules


def test_demo_says_where_the_corpus_is() -> None:
    folder = Path(succeed("demo", "--data").out.rstrip("\n"))
    assert {"train.txt", "dev.txt", "test.txt", "text-train.conllu"} <= {file.name for file in folder.iterdir()}


LEARNED = r"parts of speech, learned in \d+\.\d s from 274 sentences .* gets 9\d\.\d % of the words of 67 other"


def test_demo_shows_names_a_reason_a_score_and_what_comes_next() -> None:
    lines = succeed("demo").out.splitlines()
    assert len(lines) <= 30 and max(map(len, lines)) <= 83
    assert lines[2:4] == [
        "[Paris Hilton PER] flew to [Paris LOC] on [3 May 2024 DATE] for [$2,500 MONEY].",
        "[Angela Merkel PER] of the [CDU ORG] met her in [Berlin LOC] at [9 a.m. TIME]",
    ]
    assert lines[7].split() == ["feature", "S-LOC", "S-PER", "difference"]
    assert any(re.fullmatch(r" margin +\+\d+\.\d\d", line) for line in lines)
    assert re.search(LEARNED, " ".join(lines))
    assert "Fire/NNP destroys/VBZ Kingsley/NNP pier/NN" in lines
    commands = [line.split()[1] for line in lines if line.startswith("  perceptag ")]
    assert commands == ["tag", "explain", "serve", "train", "annotate"]


def test_version_and_help() -> None:
    first, second = succeed("--version").out.splitlines()
    assert first == f"perceptag {__version__}"
    assert re.fullmatch(r"commit \w+, compiler \w+ [\d.]+, CPU \w+, Python [\d.]+\w*, numpy [\d.]+\w*", second)
    assert "130 interrupted" in " ".join(succeed("--help").out.split())
    assert run().status == 2


def test_tables_show_text_as_it_is() -> None:
    table = Table(["token", "n"], numbers=(1,))
    table.add("[red]x[/red]", "1")
    table.add("a\x1b[2Jb\tc", "2")
    text = render(table, "[b]title")
    assert "[red]x[/red]" in text
    assert r"a\x1b[2Jb\tc" in text
    assert "[b]title" in text


@pytest.mark.parametrize("settings", [(), ("-r", "carreras-ner")])
def test_python_renders_what_explain_prints(settings: tuple[str, ...], tmp_path: Path) -> None:
    model = toy_model(tmp_path, *settings)
    explained = Tagger.load(str(model)).explain({"form": ["The", "dog", "barks"], "pos": ["DT", "NN", "VBZ"]})
    given: list[tuple[tuple[str, ...], dict[str, Any]]] = [
        ((), {}),
        (("--token", "2", "--top", "1"), {"token": 2, "top": 1}),
        (("--raw",), {"raw": True}),
    ]
    for words, arguments in given:
        printed = succeed("explain", "-m", model, TOKENS, *words).out
        assert explained.render(**arguments).rstrip("\n") == printed.rstrip("\n")
    with pytest.raises(SettingError, match="token: expected a number from 1 to 3, found 4"):
        explained.render(token=4)

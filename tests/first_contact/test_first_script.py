"""Mistakes of a first script: habits from spaCy, processes without a main guard, arguments in another order."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import perceptag
from perceptag import tables

pytest.importorskip("perceptag_en")

SCRIPT = """
import perceptag
nlp = perceptag.load("en")
print([doc.text for doc in nlp.pipe(["Anna sings.", "Ben left."], n_process=2)])
"""


def run(*arguments: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, *arguments], input=stdin, capture_output=True, text=True, check=False)


def test_processes_started_from_standard_input() -> None:
    done = run("-", stdin=SCRIPT)
    assert done.stdout == "['Anna sings.', 'Ben left.']\n", done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.every
def test_processes_without_a_main_guard_give_one_message(tmp_path: Path) -> None:
    (tmp_path / "script.py").write_text(SCRIPT, "utf-8")
    done = run(str(tmp_path / "script.py"))
    assert done.returncode == 1 and done.stderr.count("Traceback") == 1, done.stderr
    assert "if __name__ == '__main__':" in done.stderr.split("\n")[-2]


def test_a_table_and_a_model_in_the_other_order() -> None:
    pa = pytest.importorskip("pyarrow")
    table = pa.table({"text": ["Angela Merkel visited Paris."]})
    for model in ("en", perceptag.load("en")):
        with pytest.raises(perceptag.SettingError, match=r"tables.tag\(model, frame\)"):
            tables.tag(table, model)


def test_a_table_of_texts_without_its_argument() -> None:
    pa = pytest.importorskip("pyarrow")
    with pytest.raises(perceptag.SettingError, match="text='text'"):
        tables.tag("en", pa.table({"text": ["Angela Merkel visited Paris."]}))


def test_names_of_spacy_are_answered_with_ours() -> None:
    document = perceptag.load("en")("Angela Merkel visited Paris.")
    token = document.sentences[0].tokens[0]
    with pytest.raises(AttributeError, match="upos"):
        token.pos_  # noqa: B018
    with pytest.raises(AttributeError, match=r"document\.tokens"):
        [part.upos for part in document]


@pytest.mark.parametrize("given", ["rules.toml", [{"label": "PLACE", "phrases": ["Paris"]}]])
def test_rules_are_loaded_not_called(given: object) -> None:
    with pytest.raises(perceptag.SettingError, match=r"Rules\.load"):
        perceptag.Rules(given)  # type: ignore[arg-type]

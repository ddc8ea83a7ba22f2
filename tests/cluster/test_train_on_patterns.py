"""``perceptag train --on`` with patterns: which files they mean, and what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from command_line import run

RECIPE = ("-r", "collins-pos", "-s", "shards=2", "-s", "epochs=1", "--no-dev")
COLUMNS = "a D\nb N\n\n"
CONLLU = "1\ta\t_\tD\t_\t_\t_\t_\t_\tX=1\n2\tb\t_\tN\t_\t_\t_\t_\t_\t_\n\n"


@pytest.fixture(autouse=True)
def in_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Names of files are those of a folder of the test."""
    monkeypatch.chdir(tmp_path)
    Path("data").mkdir()


def test_the_labels_are_where_the_format_of_the_files_has_them() -> None:
    Path("data/0.conllu").write_text("")
    Path("data/1.conllu").write_text(CONLLU * 4)
    for pattern, model in (("data/*.conllu", "a"), ("data/*", "b")):
        done = run("train", "--on", "threads", "--train", pattern, *RECIPE, "-m", model)
        assert done.status == 0, done.err
        assert "2 labels from column 'upos'" in done.err
    assert Path("a").read_bytes() == Path("b").read_bytes()


@pytest.mark.parametrize("taken", ["model", "model.checkpoint"])
def test_a_file_that_the_pattern_finds_is_not_written_over(taken: str) -> None:
    for name in ("0", taken):
        Path("data", name).write_text(COLUMNS * 4)
    refused = run(
        "train", "--on", "threads", "--train", "data/*", *RECIPE, "-m", "data/model", "--restart", "--overwrite"
    )
    assert refused.status == 2
    assert f"--model: data/{taken} is also an input" in refused.err
    assert Path("data", taken).read_text() == COLUMNS * 4

"""Runs of tagging into a folder: what is kept, what is refused, and what a killed run leaves."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from command_line import run
from perceptag.cluster.tag_worker import TagWorker
from perceptag.cluster.tagged_folder import TaggedFolder
from perceptag.cluster.tagging import tag_files
from perceptag.errors import SettingError
from shuffling_engine import ShufflingEngine
from tagged_folders import WORDS, alone, folder_of


def test_parts_that_are_done_are_not_tagged_again(models, tmp_path, monkeypatch):
    path = tmp_path / "plain.txt"
    path.write_text(WORDS)
    expected = alone(models / "pos", path, tmp_path / "alone.txt")
    tagged = []
    real = TagWorker.tag

    def stop_after_three(self, part, target):
        if len(tagged) == 3:
            raise KeyboardInterrupt
        tagged.append(part.begin)
        return real(self, part, target)

    monkeypatch.setattr(TagWorker, "tag", stop_after_three)
    arguments = (str(models / "pos"), [str(path)], str(tmp_path / "out"))
    serial = ShufflingEngine(0, 1)
    with pytest.raises(KeyboardInterrupt):
        tag_files(*arguments, on=serial, part_bytes=150)
    before = set(tagged)
    monkeypatch.setattr(
        TagWorker, "tag", lambda self, part, target: (tagged.append(part.begin), real(self, part, target))[1]
    )
    tagged.clear()
    summary = tag_files(*arguments, on=serial, part_bytes=150)
    assert before
    assert not before & set(tagged)
    assert summary.parts_before == len(before)
    assert folder_of(tmp_path / "out") == {"plain.txt": expected}
    tagged.clear()
    assert tag_files(*arguments, on=serial, part_bytes=150).tokens == summary.tokens
    assert tagged == []


def test_other_work_in_the_same_folder_is_refused_with_the_difference(models, tmp_path):
    path = tmp_path / "plain.txt"
    path.write_text(WORDS)
    words = ["tag", path, "--out-dir", tmp_path / "out"]
    assert run(*words, "-m", models / "pos").status == 0
    for more, difference in [
        (["-m", models / "documents"], "model"),
        (["-m", models / "pos", "--part-size", "1"], "part size"),
        (["-m", models / "pos", "--nbest", "2"], "nbest"),
        (["-m", models / "pos", "--parts"], "parts"),
    ]:
        refused = run(*words, *more)
        assert refused.status == 2
        assert f"different: {difference}); name another folder, or remove this one" in refused.err


def test_a_changed_file_is_tagged_again_and_others_are_not(models, tmp_path):
    a, b = tmp_path / "a.txt", tmp_path / "b.txt"
    a.write_text(WORDS)
    b.write_text("one two three\n\n" + WORDS)
    words = ["tag", "-m", models / "pos", "--out-dir", tmp_path / "out", "--part-size", "0.001", a, b]
    refused = run(*words)
    assert refused.status == 2
    assert f"{b}: expected" in refused.err
    b.write_text(WORDS + WORDS)
    again = run(*words)
    assert again.status == 0
    assert "(done before: " in again.err
    assert folder_of(tmp_path / "out") == {
        name: alone(models / "pos", tmp_path / name, tmp_path / "alone.txt") for name in ("a.txt", "b.txt")
    }


def test_a_bad_line_in_the_middle_is_named(models, tmp_path):
    path = tmp_path / "bad.txt"
    path.write_text("a b\n\n" * 500 + "a b c d e f\n\n" + "a b\n\n" * 500)
    refused = run("tag", "-m", models / "pos", "--replace", "--out-dir", tmp_path / "out", "--part-size", "0.001", path)
    assert refused.status == 2
    assert f"{path}:1001: expected 2 columns" in refused.err
    assert not (tmp_path / "out" / "_SUCCESS.json").exists()


def test_a_damaged_journal_is_refused(models, tmp_path):
    path = tmp_path / "plain.txt"
    path.write_text(WORDS)
    words = ["tag", path, "--out-dir", tmp_path / "out", "-m", models / "pos"]
    assert run(*words).status == 0
    journal = tmp_path / "out" / "_parts.jsonl"
    first, entry, *_ = journal.read_text().splitlines()
    for wrong, message in [
        (entry.replace('"part": 0', '"part": "0"'), "_parts.jsonl:2: part: expected int, found '0'"),
        (entry.replace('"tokens"', '"token"'), "_parts.jsonl:2: tagged: expected what became of a part"),
        ("[]", "_parts.jsonl:2: expected a JSON object"),
    ]:
        journal.write_text(f"{first}\n{wrong}\n")
        refused = run(*words)
        assert refused.status == 2
        assert message in refused.err
    journal.write_text(f"{first}\n{entry[:20]}")  # a line that was cut short is done again
    assert run(*words).status == 0


def test_the_model_is_not_written_over(models, tmp_path):
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "model").write_text(WORDS)
    (tmp_path / "out").mkdir()
    model = tmp_path / "out" / "model"
    model.write_bytes((models / "pos").read_bytes())
    refused = run("tag", "-m", model, "--out-dir", tmp_path / "out", tmp_path / "in" / "model")
    assert refused.status == 2
    assert "is also an input; name another folder" in refused.err
    with pytest.raises(SettingError, match="found none"):
        tag_files(str(model), [], str(tmp_path / "out"))


def test_two_runs_in_one_folder_are_refused(models, tmp_path):
    path = tmp_path / "plain.txt"
    path.write_text(WORDS)
    folder = TaggedFolder(str(tmp_path / "out"), [str(path)], False)
    with folder.opened({}):
        refused = run("tag", path, "--out-dir", tmp_path / "out", "-m", models / "pos")
    assert refused.status == 2
    assert "--out-dir: another run is writing into" in refused.err


def test_parts_can_stay_parts(models, tmp_path):
    path = tmp_path / "plain.txt"
    for text in (WORDS, WORDS, WORDS[: len(WORDS) // 2]):  # the same again, and a file that is shorter now
        if not path.exists() or path.read_text() != text:
            path.write_text(text)
        expected = alone(models / "pos", path, tmp_path / "alone.txt")
        tag_files(str(models / "pos"), [str(path)], str(tmp_path / "out"), part_bytes=300, as_parts=True)
        found = folder_of(tmp_path / "out")
        assert list(found)[:2] == ["plain.txt/part-00000.txt", "plain.txt/part-00001.txt"]
        assert b"".join(found.values()) == expected
    told = json.loads((tmp_path / "out" / "_SUCCESS.json").read_text())
    assert told["files"][0]["parts"] == len(found)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["a.txt", "b.txt"], "expected one file, or --out-dir DIR for several; found 2 files"),
        (["--on", "ray", "a.txt"], "--on: expected --out-dir DIR"),
        (["--out-dir", "out"], "expected names of files or patterns, found standard input"),
        (["--out-dir", "out", "-o", "x", "a.txt"], "--out-dir and --output: give one of them, not both"),
        (["--out-dir", "out", "--on", "spark", "a.txt"], "--on: expected threads, processes, ray"),
        (["--out-dir", "out", "--on", "ray:", "a.txt"], "--on: expected an address after 'ray:'"),
        (["--out-dir", "out", "none*.txt"], "none*.txt: there is no such file"),
        (["--out-dir", ".", "a.txt"], "a.txt is also an input"),
        (
            ["--out-dir", "out", "a.txt", "more/a.txt"],
            "with different names, found a.txt and more/a.txt",
        ),
        (["--out-dir", "out", "--confidence", "--nbest", "2", "a.txt"], "leave out one of the two"),
    ],
)
def test_what_cannot_be_done_is_refused_before_anything_is_written(words, message, models, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "more").mkdir()
    for name in ("a.txt", "b.txt", "more/a.txt"):
        Path(name).write_text("a\n")
    refused = run("tag", "-m", models / "pos", *words)
    assert refused.status == 2
    assert message in refused.err
    assert not Path("out").exists() or words[1] == "."


def test_a_killed_driver_continues_where_it_stopped(models, tmp_path):
    path = tmp_path / "plain.txt"
    path.write_text(WORDS * 100)
    expected = alone(models / "pos", path, tmp_path / "alone.txt")
    words = ["tag", "-m", models / "pos", "--out-dir", tmp_path / "out", "--part-size", "0.001", path]
    kills = 0
    while True:
        process = subprocess.Popen([sys.executable, "-m", "perceptag", *map(str, words)], stderr=subprocess.DEVNULL)
        journal = tmp_path / "out" / "_parts.jsonl"
        size = journal.stat().st_size if journal.exists() else 0
        while process.poll() is None and (not journal.exists() or journal.stat().st_size < size + 2500):
            time.sleep(0.002)
        if process.poll() is None and kills < 3:
            os.kill(process.pid, signal.SIGKILL)
            kills += 1
        if process.wait() == 0:
            break
    assert kills >= 2
    assert folder_of(tmp_path / "out") == {"plain.txt": expected}

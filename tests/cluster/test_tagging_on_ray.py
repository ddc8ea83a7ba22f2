"""Tagging, trials and Ray Data on a cluster of Ray, on this machine."""

import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest

import perceptag.ray
from command_line import CORPUS, run
from perceptag.errors import DataError, SettingError
from perceptag.recipe.recipe import load
from perceptag.reproduce.corpora import Folder
from perceptag.reproduce.experiment import Experiment, settings
from perceptag.reproduce.schedule import carry_out
from perceptag.trials.runs import run_trials
from pipelines import corpus, pos_tagger
from tagged_folders import SENTENCES, WORDS, alone, folder_of

pytestmark = [pytest.mark.ray, pytest.mark.filterwarnings("ignore")]
pytest.importorskip("ray", reason="Ray is not installed: make test-all PARTS=ray")


def test_files_become_what_they_become_alone(cluster, models, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, text in {"a.txt": WORDS * 5, "b.txt": "", "c.txt": WORDS.rstrip()}.items():
        (tmp_path / name).write_text(text)
    done = perceptag.ray.tag_files(models / "pos", "*.txt", "out", part_bytes=2000)
    assert done.files == 3
    assert folder_of(tmp_path / "out") == {
        name: alone(models / "pos", tmp_path / name, tmp_path / "alone") for name in ("a.txt", "b.txt", "c.txt")
    }
    assert perceptag.ray.tag_files(models / "pos", "*.txt", "out", part_bytes=2000).tokens == done.tokens


def test_a_bad_line_is_named_and_other_parts_stay(cluster, models, tmp_path):
    path = tmp_path / "bad.txt"
    path.write_text("a b\n\n" * 500 + "a b c d e f\n\n" + "a b\n\n" * 500)
    with pytest.raises(DataError, match=r"bad\.txt:1001: expected 2 columns"):
        perceptag.ray.tag_files(models / "pos", str(path), tmp_path / "out", part_bytes=1000, replace=True)


def test_trials_are_the_same_on_ray(cluster):
    train, dev = corpus("train", "form", "pos")[:60], corpus("dev", "form", "pos")[:20]
    recipes = {i: load("collins-pos").replace({"epochs": 1 + i, "labels.column": "pos"}) for i in range(3)}
    assert dict(run_trials(recipes, train, dev, 2, on="ray")) == dict(run_trials(recipes, train, dev, 1))


def test_experiments_are_the_same_on_ray(cluster, tmp_path):
    small = Experiment("ner", "basic-ner", settings(epochs=2), settings(epochs=1))
    found = [
        carry_out([small], Folder("shipped"), tmp_path / on, quick=True, jobs=2, say=str, on=on).found[small]
        for on in ("ray", "threads")
    ]
    assert found[0].sha256 == found[1].sha256


def test_a_step_of_ray_data(cluster, models):
    pa = pytest.importorskip("pyarrow")
    step = perceptag.ray.TagBatch(models / "pos", tokens="words", labels="tags")
    table = pa.table({"words": [*SENTENCES[:5], []], "id": list(range(6))})
    found = step(table)
    assert found.column_names == ["words", "id", "tags"]
    assert found["tags"].to_pylist() == [*pos_tagger().predict(SENTENCES[:5]), []]
    assert step(found).column_names == found.column_names  # a column of that name is replaced
    with pytest.raises(SettingError, match="expected a column 'words', found id"):
        step(table.drop(["words"]))


def test_ray_data_maps_batches(cluster, models):
    data = pytest.importorskip("ray.data", reason="no Ray Data: pip install 'ray[data]'", exc_type=ImportError)
    pa = pytest.importorskip("pyarrow")
    step = perceptag.ray.TagBatch
    rows = data.from_arrow(pa.table({"tokens": SENTENCES[:8]})).map_batches(
        step, fn_constructor_args=(str(models / "pos"),), batch_format="pyarrow", num_cpus=0.5, concurrency=1
    )
    found = {tuple(row["tokens"]): list(row["labels"]) for row in rows.take_all()}
    assert found == {tuple(s): y for s, y in zip(SENTENCES[:8], pos_tagger().predict(SENTENCES[:8]), strict=True)}


def test_tune_runs_on_the_cluster(cluster, tmp_path):
    words = ["--train", CORPUS / "train.txt", "--dev", CORPUS / "dev.txt", "--columns", "form,pos,chunk,ner"]
    words += ["--label", "pos", "-r", "collins-pos", "--set", "epochs=1", "--trials", "2", "-o", tmp_path / "t.toml"]
    assert run("tune", *words, "--on", "ray").status == 0
    assert (tmp_path / "t.toml").read_text()


# --- workers and drivers that are killed at random ---

PARTS = 100


def kill_at_random(folder: Path, model: Path, text: str, *, on: str, kills: int, seed: int) -> Counter[str]:
    """Kill so many times, run again each time, and check the output; return what was killed how often."""
    chance, killed = random.Random(seed), Counter[str]()
    source, out = folder / "large.txt", folder / "out"
    source.write_text(text)
    size = source.stat().st_size / PARTS / 1e6
    tag = [sys.executable, "-m", "perceptag", "tag", "-q", "-m", str(model), str(source)]
    subprocess.run([*tag, "-o", str(folder / "alone.txt")], check=True)
    command = [*tag, "--out-dir", str(out), "--on", on, "-j", "2", "--part-size", f"{size:.6f}"]
    while True:
        driver = subprocess.Popen(command)
        try:
            while sum(killed.values()) < kills and driver.poll() is None:
                what = chance.choice(["driver", "worker", "worker"])
                if _some_parts_later(driver, out / "_parts.jsonl", chance.randrange(1, 2 * PARTS // (kills + 1) + 1)):
                    killed[what] += _kill(driver, what, chance)
            _below(driver.pid)
            status = driver.wait()
        finally:
            _end(driver)
        if status == 0:
            break
        assert status == -signal.SIGKILL, f"exit status {status}"
    _check(folder, out, source)
    return killed


def _check(folder: Path, out: Path, source: Path) -> None:
    found = sorted(path.name for path in out.rglob("*"))
    assert found == ["_SUCCESS.json", "_parts.jsonl", source.name], found
    assert (out / source.name).read_bytes() == (folder / "alone.txt").read_bytes(), "the output differs"


def _some_parts_later(driver: subprocess.Popen[bytes], journal: Path, parts: int) -> bool:
    """Wait until so many more parts are done; False if the driver has ended."""

    def lines() -> int:
        return journal.read_bytes().count(b"\n") if journal.exists() else 0

    until = lines() + parts
    while driver.poll() is None:
        if lines() >= until:
            return True
        time.sleep(0.005)
    return False


def _kill(driver: subprocess.Popen[bytes], what: str, chance: random.Random) -> int:
    """Kill the driver or one of its workers; return how many were killed."""
    below = _below(driver.pid)
    if what == "driver":
        driver.kill()
        driver.wait()
        return 1
    workers = [pid for pid in below if b"ray::_Actor" in _command(pid) or b"spawn_main" in _command(pid)]
    if not workers:
        return 0
    os.kill(chance.choice(workers), signal.SIGKILL)
    return 1


_seen: dict[int, str] = {}  # processes below drivers, and when they began: a number may be used again


def _stat(pid: int) -> list[str]:
    """What the system says of a process, from its state on; nothing if it has ended."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return []


def _below(pid: int) -> list[int]:
    """All processes that a process has started, and those that they have started."""
    stats = {int(entry.name): _stat(int(entry.name)) for entry in Path("/proc").iterdir() if entry.name.isdigit()}
    found = [pid]
    for one in found:
        found += [child for child, stat in stats.items() if stat and int(stat[1]) == one]
    _seen.update({child: stats[child][19] for child in found[1:]})
    return found[1:]


def _command(pid: int) -> bytes:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""


def _end(driver: subprocess.Popen[bytes]) -> None:
    """Wait until nothing is left of a driver and what it has started."""
    driver.kill()
    driver.wait()
    limit = time.monotonic() + 20
    while left := [pid for pid, began in _seen.items() if _stat(pid)[19:20] == [began] and _stat(pid)[0] != "Z"]:
        if time.monotonic() > limit:
            for pid in left:
                os.kill(pid, signal.SIGKILL)
        time.sleep(0.05)
    _seen.clear()


def test_workers_and_drivers_that_are_killed_change_nothing(models, tmp_path):
    killed = kill_at_random(tmp_path, models / "pos", WORDS * 600, on="ray", kills=2, seed=1)
    assert sum(killed.values()) == 2

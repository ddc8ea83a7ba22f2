"""Tagging, trials and Ray Data on a cluster of Ray, on this machine."""

import pytest

import perceptag.ray
from command_line import CORPUS, run
from killing import kill_at_random
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


def test_workers_and_drivers_that_are_killed_change_nothing(models, tmp_path):
    killed = kill_at_random(tmp_path, models / "pos", WORDS * 600, on="ray", kills=2, seed=1)
    assert sum(killed.values()) == 2

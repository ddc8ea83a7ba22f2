"""A clustering that is stopped and continued gives the same classes; other checkpoints are refused."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from class_toys import clustered, count, random_text
from forging import Edit, at, changed, forget, say, without
from perceptag import ModelError, SettingError
from perceptag.classes import class_checkpoint as checkpoint
from perceptag.classes.clustering import Clustering
from perceptag.models.class_file import to_bytes
from perceptag.models.model_file import seal, unseal

TEXT = random_text(1, 300)
SIZES = (4, 9)


def stopped(passes: int, path: Path) -> None:
    clustering = Clustering(count(TEXT), SIZES)
    run = clustering.run(2)
    for _ in range(passes):
        next(run)
    run.close()
    checkpoint.write(clustering, str(path))


@pytest.mark.parametrize("passes", [0, 1, 2, 5])
def test_a_continued_run_ends_in_the_same_file(passes: int, tmp_path: Path) -> None:
    whole = clustered(TEXT, *SIZES)
    stopped(passes, tmp_path / "c")
    again = Clustering(count(TEXT), SIZES)
    checkpoint.restore(again, str(tmp_path / "c"))
    assert sum(len(done.passes) for done in again.progress.values()) == passes
    for _ in again.run():
        pass
    assert to_bytes(again.result(), again.facts()) == to_bytes(whole.result(), whole.facts())


def test_a_checkpoint_of_another_run_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "c"
    stopped(1, path)
    others = {
        "text": Clustering(count([*TEXT, ["w1"]]), SIZES),
        "sizes": Clustering(count(TEXT), (4, 8)),
        "min_count": Clustering(count(TEXT, 2), SIZES),
        "folding": Clustering(count(TEXT, folding=["lower"]), SIZES),
        "passes": Clustering(count(TEXT), SIZES, passes=3),
    }
    for name, other in others.items():
        with pytest.raises(SettingError, match=rf"{path}: this checkpoint is of another run \(.*{name}: "):
            checkpoint.restore(other, str(path))


FORGED: dict[str, Edit] = {
    "no classes": without("classes.4"),
    "classes as int64": changed("classes.4", lambda a: a.astype(np.int64)),
    "a class out of range": at("classes.4", 0, 4),
    "no run": forget("run"),
    "passes are a list": say([], "passes"),
    "passes of another size": say({"4": [], "8": []}, "passes"),
    "a pass without likelihood": say({"4": [[1]], "9": []}, "passes"),
    "no JSON": without("json"),
}


@pytest.mark.parametrize("name", FORGED)
def test_forged_checkpoints_are_refused(name: str, tmp_path: Path) -> None:
    path = tmp_path / "c"
    stopped(1, path)
    arrays = {key: array.copy() for key, array in unseal(path.read_bytes(), "checkpoint").items()}
    about = json.loads(arrays["json"].tobytes())
    FORGED[name](arrays, about)
    if "json" in arrays:
        arrays["json"] = np.frombuffer(json.dumps(about).encode(), np.uint8)
    path.write_bytes(seal(arrays, "checkpoint")[0])
    with pytest.raises(ModelError, match=f"^{path}: "):
        checkpoint.restore(Clustering(count(TEXT), SIZES), str(path))

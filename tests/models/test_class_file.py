"""Class files: what is in them, and everything that is refused."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from class_toys import clustered, random_text
from forging import Edit, at, changed, forget, put, say, without
from perceptag import ModelError
from perceptag.models.class_file import load, load_bytes, to_bytes, write_classes
from perceptag.models.model_file import seal, unseal


@pytest.fixture(scope="module")
def data() -> bytes:
    clustering = clustered(random_text(1, 100), 3, 8)
    return to_bytes(clustering.result(), clustering.facts())[0]


def test_a_file_gives_back_what_was_written(tmp_path: Path) -> None:
    clustering = clustered(random_text(2, 100), 3, 8)
    path = str(tmp_path / "c")
    sha = write_classes(clustering.result(), path, clustering.facts())
    assert load(path).classes == clustering.result()
    found = load(path)
    assert found.sha256 == sha
    assert found.manifest["passes"] == [len(clustering.progress[size].passes) for size in (3, 8)]
    assert write_classes(found.classes, path, found.manifest) == sha


def test_every_damaged_byte_is_refused(data: bytes) -> None:
    for place in range(0, len(data), len(data) // 80):
        damaged = bytearray(data)
        damaged[place] ^= 1
        with pytest.raises(ModelError, match=r"^m: "):
            load_bytes(bytes(damaged), "m")
    for length in (0, 7, 8, 100, len(data) - 1):
        with pytest.raises(ModelError, match=r"^m: "):
            load_bytes(data[:length], "m")


ARRAYS = ("classes.words", "classes.counts", "classes.numbers")
FORGED: dict[str, Edit] = {
    **{f"no {name}": without(name) for name in ARRAYS},
    **{f"{name} as int64": changed(name, lambda a: a.astype(np.int64)) for name in ARRAYS},
    **{f"{name} as a matrix": changed(name, lambda a: a.reshape(1, -1)) for name in ARRAYS},
    **{f"{name} cut": changed(name, lambda a: a[:-4]) for name in ARRAYS},
    **{f"{name} empty": changed(name, lambda a: a[:0]) for name in ARRAYS},
    "words are not UTF-8": at("classes.words", 0, 0xFF),
    "an empty word": at("classes.words", 0, 10),
    "a word twice": put("classes.words", np.frombuffer(b"\n".join([b"a"] * 40), np.uint8)),
    "a word that was never seen": at("classes.counts", -1, 0),
    "counts that rise": at("classes.counts", -1, 2**32 - 1),
    "a class out of range": at("classes.numbers", 0, 3),
    "the largest class": at("classes.numbers", 1, 65535),
    "no sizes": forget("sizes"),
    "sizes are none": say([], "sizes"),
    "sizes are a number": say(3, "sizes"),
    "sizes that fall": say([8, 3], "sizes"),
    "a size twice": say([8, 8], "sizes"),
    "a size of one": say([1, 8], "sizes"),
    "a size of true": say([True, 8], "sizes"),
    "a size that is a list": say([[3], 8], "sizes"),
    "a size without end": say([3, 10**9], "sizes"),
    "a size more": say([3, 8, 9], "sizes"),
    "no folding": forget("folding"),
    "folding is text": say("digits", "folding"),
    "an unknown folding": say(["upper"], "folding"),
    "folding out of order": say(["lower", "digits"], "folding"),
    "folding twice": say(["lower", "lower"], "folding"),
    "no manifest": forget("manifest"),
    "manifest is a list": say([], "manifest"),
    "NaN in the manifest": say(float("nan"), "manifest", "likelihood"),
    "no JSON": without("json"),
}


@pytest.mark.parametrize("name", FORGED)
def test_forged_files_are_refused(data: bytes, name: str) -> None:
    arrays = {key: array.copy() for key, array in unseal(data, "class").items()}
    about = json.loads(arrays["json"].tobytes())
    FORGED[name](arrays, about)
    if "json" in arrays:
        arrays["json"] = np.frombuffer(json.dumps(about).encode(), np.uint8)
    with pytest.raises(ModelError, match=r"^m: "):
        load_bytes(seal(arrays, "class")[0], "m")


def test_other_files_are_refused(tmp_path: Path, data: bytes) -> None:
    with pytest.raises(ModelError, match=r"^m: expected a class file, found a model"):
        load_bytes(seal({"json": np.zeros(1, np.uint8)}, "model")[0], "m")
    with pytest.raises(ModelError, match="cannot read: Is a directory"):
        load(str(tmp_path))
    with pytest.raises(ModelError, match="cannot read: No such file"):
        load(str(tmp_path / "none"))

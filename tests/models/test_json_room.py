"""JSON in sealed files that would take a hundred times its size in memory is refused before it is parsed."""

from __future__ import annotations

import dataclasses
import struct
import tracemalloc
from typing import Any

import numpy as np
import pytest

from forging import forge_json, model_bytes
from perceptag import ModelError, _core
from perceptag.features.gazetteer import Gazetteer
from perceptag.models import model_file as modelfile
from perceptag.models.chunker.model import stored_entries
from perceptag.models.linear.packing import model_gazetteer
from perceptag.models.model import Model
from perceptag.pipeline import pipeline_file as pipelinefile

# SECURITY.md promises these.
MOST_BYTES, MOST_VALUES, MOST_LEVELS = 4_194_304, 131_072, 256
TEN = "[" * 9 + "{}" + "]" * 9


def with_manifest(text: str) -> bytes:
    return b'{"recipe":{},"manifest":{"x":' + text.encode() + b"}}"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (f"[{','.join([TEN] * 60_000)}]", f"expected at most {MOST_VALUES} values of JSON in a file"),
        (f"[{','.join(['{}'] * 70_000)}]", f"expected at most {MOST_VALUES} values of JSON"),
        ("[" * MOST_LEVELS + "]" * MOST_LEVELS, f"expected at most {MOST_LEVELS} levels, found {MOST_LEVELS + 2}"),
        ('"' + "a" * MOST_BYTES + '"', f"expected at most {MOST_BYTES} bytes of JSON in a file"),
    ],
)
def test_json_beyond_its_room_is_refused_before_it_is_parsed(text: str, message: str) -> None:
    data = forge_json(model_bytes(), with_manifest(text))
    tracemalloc.start()
    try:
        with pytest.raises(ModelError, match=f"the JSON part: {message}"):
            modelfile.load_bytes(data)
        assert tracemalloc.get_traced_memory()[1] < 3 * len(data) + (1 << 20)
    finally:
        tracemalloc.stop()


def test_a_header_is_bounded_like_the_json_behind_it() -> None:
    data = model_bytes()
    size = struct.unpack("<Q", data[:8])[0]
    header = data[8 : 8 + size].rstrip()[:-1] + b',"x":' + f"[{','.join(['{}'] * 70_000)}]".encode() + b"}"
    header += b" " * (-len(header) % 8)
    forged = struct.pack("<Q", len(header)) + header + data[8 + size :]
    with (
        pytest.MonkeyPatch.context() as patched,
        pytest.raises(ModelError, match=r"the header: expected at most .* values"),
    ):
        patched.setattr(modelfile, "check_digest", lambda *_: "")
        modelfile.load_bytes(forged)


@pytest.mark.parametrize("compress", [False, True])
def test_the_layers_of_a_pipeline_share_the_room(compress: bool) -> None:
    def layers(values: int) -> list[tuple[str, Model]]:
        model = modelfile.load_bytes(model_bytes())
        models = [dataclasses.replace(model, manifest={"x": [0] * values}) for _ in range(4)]
        return [(f"l{number}", one) for number, one in enumerate(models)]

    assert len(pipelinefile.load_bytes(pipelinefile.to_bytes(layers(20_000), compress=compress)[0]).layers) == 4
    with pytest.raises(ModelError, match=rf"layer .*expected at most {MOST_VALUES} values of JSON in a file"):
        pipelinefile.load_bytes(pipelinefile.to_bytes(layers(40_000), compress=compress)[0])


def test_what_json_has_is_counted_without_its_strings() -> None:
    assert _core.json_extent(b'{"a":[1,"],[\\"[",{}]}') == (6, 3)  # the empty object twice
    assert _core.json_extent(b'"[[[,,,') == (1, 0)
    assert _core.json_extent(b"]][[") == (3, 2)


def test_a_hundred_thousand_phrases_are_not_json() -> None:
    """Some phrases have words with spaces; they stay JSON, and are looked up with the others."""
    words = [f"w{number}" for number in range(100_000)]
    model = modelfile.load_bytes(model_bytes())
    facts: dict[str, Any] = {"LOC": [["New York", "x"], *([word, "b"] for word in words)], "ORG": [["a b"]]}
    model.facts = {**model.facts, "gazetteer": facts, "gazetteer_in_any_case": {"PER": [["c d"], ["e"]]}}
    data = modelfile.to_bytes(model)[0]
    found = modelfile.load_bytes(data)
    assert found.facts["gazetteer"] == {"LOC": [["New York", "x"]], "ORG": [["a b"]]}
    assert modelfile.to_bytes(found)[0] == data
    here, there = model_gazetteer(model), model_gazetteer(found)
    assert isinstance(here, Gazetteer)
    assert isinstance(there, Gazetteer)
    tokens = ["New York", "x", "w7", "b", "a b", "c d", "e"]
    assert there.match(tokens) == here.match(tokens) == [
        ("B-LOC",), ("I-LOC",), ("B-LOC",), ("I-LOC",), ("B-ORG",), ("B-PER",), ("B-PER",)
    ]  # fmt: skip


def test_phrases_of_a_chunker_are_arrays() -> None:
    words, name = {"a": 0, "b": 1}, "entries."
    arrays = {
        f"{name}words": [0, 1, 1], f"{name}sizes": [2, 1], f"{name}categories": [0, 0, 2], f"{name}counts": [1, 2]
    }  # fmt: skip
    good = {key: np.array(value, np.int32) for key, value in arrays.items()}
    assert stored_entries(good, words, 3) == {("a", "b"): [0], ("b",): [0, 2]}
    for key, value in (
        ("words", [0, 1, 2]),
        ("categories", [0, 0, -1]),
        ("sizes", [3, 0]),
        ("sizes", [2, 2]),
        ("counts", [3]),
    ):
        with pytest.raises(ModelError, match=f"entries.({key}|words)"):
            stored_entries({**good, name + key: np.array(value, np.int32)}, words, 3)

"""Bad pipeline files, and bad running text for a good pipeline, and what the message must say."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np

from perceptag import Pipeline
from perceptag.models.model_file import seal, unseal
from trust import samples

# Its name, the message, name and content of the file, the words of the command line, and the use from Python.
Bad = tuple[str, str, str, bytes, tuple[str, ...], Callable[[Path], object]]
TAG = ("tag", "-m", "BAD", "good.txt", "-o", "old.txt", "-q")
TAG_TEXT = ("tag", "-m", "good.pipeline", "--format", "text", "BAD", "-o", "old.txt", "-q")


def every() -> Iterator[Bad]:
    """Yield every case."""
    for name, (data, message) in files().items():
        told = rf"bad\.model: .*({message})"
        yield f"pipeline: {name}", told, "bad.model", data, TAG, lambda path: Pipeline.load(path.name)
    for name, (data, message) in texts().items():
        yield f"text: {name}", message, "bad.txt", data, TAG_TEXT, _stream


def _stream(path: Path) -> object:
    return list(Pipeline.load("good.pipeline").stream(path.name))


def files() -> dict[str, tuple[bytes, str]]:
    """Pipeline files that are damaged, or whose layers do not fit together."""
    data = samples.pipelines()["text"]
    arrays, middle = unseal(data, "pipeline"), len(data) // 2
    nested = {**arrays, "layer.1": np.frombuffer(data, np.uint8)}
    cut = {**arrays, "layer.2": arrays["layer.2"][:-1]}
    turned = {**arrays, "layer.0": arrays["layer.1"], "layer.1": arrays["layer.0"]}
    fewer = {name: array for name, array in arrays.items() if name != "layer.2"}
    newer = samples.resealed(data.replace(b"pipeline 6 sha256:", b"pipeline 9 sha256:"))
    return {
        "half": (data[:middle], "damaged|not a perceptag"),
        "one byte less": (data[:-1], "damaged"),
        "one bit": (data[:middle] + bytes([data[middle] ^ 1]) + data[middle + 1 :], "damaged"),
        "a newer version": (newer, "version 9"),
        "a pipeline inside": (seal(nested, "pipeline")[0], "layer 'pos': expected a model file, found a pipeline"),
        "a damaged layer": (seal(cut, "pipeline")[0], "layer 'label': the file is damaged"),
        "a tokeniser that is not first": (seal(turned, "pipeline")[0], "expected a tokeniser as the first layer"),
        "a layer less": (seal(fewer, "pipeline")[0], "expected 3 models"),
    }


def texts() -> dict[str, tuple[bytes, str]]:
    """Running text that is not text."""
    return {
        "invalid UTF-8": (b"A dog.\n\nIt d\xffd.", r"bad\.txt:3: invalid UTF-8: byte 0xFF"),
        "UTF-8 that is cut off": (b"A dog.\xe2\x82", r"bad\.txt:1: invalid UTF-8: byte 0xE2"),
        "NUL": (b"A dog.\n\0", r"bad\.txt:2: NUL character"),
        "UTF-16": ("A dog.".encode("utf-16-le"), r"bad\.txt:1: NUL character"),
    }

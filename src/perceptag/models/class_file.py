"""Class files, sealed like model files (`perceptag.models.model_file`).

classes.words     UTF-8: the words, the most frequent first, with line ends between them
classes.counts    uint32[words]
classes.numbers   uint16[words * sizes]: the classes of the first word, of the second, and so on
json              {"sizes": […], "folding": […], "manifest": {…}}
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from perceptag._version import __version__
from perceptag.errors import ModelError, brief
from perceptag.features.class_table import WordClassTable
from perceptag.models import model_file as modelfile
from perceptag.system.output_files import open_output

KIND = "class"


@dataclass(frozen=True, slots=True)
class ClassFile:
    """The content of a class file."""

    classes: WordClassTable
    manifest: dict[str, Any]  # facts about the text and the clustering
    sha256: str


def load(path: str) -> ClassFile:
    """Read a class file with its manifest."""
    return load_bytes(modelfile.read_file(path), path)


def load_bytes(data: bytes, path: str = "classes") -> ClassFile:
    """The inverse of `to_bytes`."""
    try:
        arrays = modelfile.unseal(data, KIND)
        about = modelfile.json_in(arrays)
        manifest = about.get("manifest")
        if not isinstance(manifest, Mapping):
            raise ModelError(f"manifest: expected an object, found {brief(manifest)}")
        return ClassFile(WordClassTable.from_arrays(arrays, about), dict(manifest), modelfile.digest_in(data))
    except ModelError as error:
        raise ModelError(f"{path}: {error}") from error


def write_classes(classes: WordClassTable, path: str, manifest: Mapping[str, Any] | None = None) -> str:
    """Write a class file, whole or not at all; return its SHA-256."""
    data, sha = to_bytes(classes, manifest)
    with open_output(path) as stream:
        stream.write(data)
    return sha


def to_bytes(classes: WordClassTable, manifest: Mapping[str, Any] | None = None) -> tuple[bytes, str]:
    """Return classes as the bytes of a file, and its SHA-256."""
    arrays, about = classes.to_arrays()
    about["manifest"] = {"perceptag": __version__, **(manifest or {})}
    return modelfile.seal({**arrays, "json": modelfile.json_array(about)}, KIND)

"""Pipelines as files: model files in one file, sealed as each of them is (`perceptag.store.file`).

layer.0, layer.1, …   the bytes of the model files, in their order; compressed if the user wants that
json                  {"layers": [names], "manifest": {…}}, and "sizes" of the model files if they are compressed

One SHA-256 covers all of them, and each model has its own as well.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from perceptag._version import __version__
from perceptag.errors import ModelError, SettingError, brief
from perceptag.numeric.lazy import np
from perceptag.pipeline.layers import MAX_LAYERS
from perceptag.store import compression
from perceptag.store import file as modelfile
from perceptag.store.model import AnyArrays, Arrays, Model, view_of

KIND = "pipeline"


class Stored(NamedTuple):
    """What is in a pipeline file."""

    layers: list[tuple[str, Model]]
    manifest: dict[str, Any]


def to_bytes(layers: Sequence[tuple[str, Model]], *, compress: bool = False) -> tuple[bytes, str]:
    """Return models and their names as the bytes of a pipeline file, and its SHA-256."""
    packed = [modelfile.to_bytes(model) for _, model in layers]
    digests = {name: sha for (name, _), (_, sha) in zip(layers, packed, strict=True)}
    about: dict[str, Any] = {
        "layers": [name for name, _ in layers],
        "manifest": {"perceptag": __version__, "sha256": digests},
    }
    files = [data for data, _ in packed]
    if compress:
        about["sizes"] = [len(data) for data in files]
        files = [compression.compress(data) for data in files]
    arrays: Arrays = {f"layer.{i}": np.frombuffer(data, np.uint8) for i, data in enumerate(files)}
    return modelfile.seal({**arrays, "json": modelfile.json_array(about)}, KIND)


def load_bytes(data: bytes, path: str = KIND) -> Stored:
    """The inverse of `to_bytes`. Anything wrong with a file is a ModelError that names it, and the layer."""
    try:
        arrays = modelfile.unseal(data, KIND)
        about = modelfile.json_in(arrays)
        names = modelfile.strings_of("layers", about.get("layers"))
        _check(names, arrays, about)
        sizes = about.get("sizes")
        layers = [(name, _layer(name, arrays, i, sizes[i] if sizes else None)) for i, name in enumerate(names)]
        return Stored(layers, about["manifest"])
    except (ModelError, SettingError) as error:
        raise ModelError(f"{path}: {error}") from error


def _check(names: Sequence[str], arrays: AnyArrays, about: dict[str, Any]) -> None:
    if not 1 <= len(names) <= MAX_LAYERS:
        raise ModelError(f"layers: expected 1 to {MAX_LAYERS}, found {len(names)}")
    if set(arrays) != {f"layer.{i}" for i in range(len(names))}:
        raise ModelError(f"expected {len(names)} models, one for each layer; found {brief(sorted(arrays))}")
    if not isinstance(about.get("manifest"), Mapping):
        raise ModelError(f"manifest: expected an object, found {brief(about.get('manifest'))}")
    sizes = about.get("sizes")
    if sizes is not None and not (isinstance(sizes, list) and len(sizes) == len(names) and all(map(_is_size, sizes))):
        raise ModelError(f"sizes: expected the number of bytes of {len(names)} models, found {brief(sizes)}")


def _is_size(size: object) -> bool:
    return isinstance(size, int) and not isinstance(size, bool) and 0 < size <= modelfile.MAX_BYTES


def _layer(name: str, arrays: AnyArrays, number: int, size: int | None) -> Model:
    data: bytes = view_of(arrays, f"layer.{number}", "uint8").tobytes()
    try:
        data = data if size is None else compression.decompress(data, size)
    except ModelError as error:
        raise ModelError(f"layer {name!r}: {error}") from error
    return modelfile.load_bytes(data, f"layer {name!r}")

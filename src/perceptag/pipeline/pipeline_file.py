"""Pipeline files: several model files in one, sealed like each of them (`perceptag.models.model_file`).

layer.0, layer.1, …   the bytes of the model files, in their order; compressed on request
json                  {"layers": [names], "manifest": {…}}, and "sizes" of the model files if they are compressed

One SHA-256 covers the whole file, and each model has its own. A single model file is for fast loading and is not
compressed.
"""

from __future__ import annotations

import lzma
import zlib
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from perceptag._version import __version__
from perceptag.arrays import np
from perceptag.errors import DataError, ModelError, SettingError, brief
from perceptag.models import model_file as modelfile
from perceptag.models.model import AnyArrays, Arrays, Model, view_of
from perceptag.pipeline.layers import MAX_LAYERS

KIND = "pipeline"
_XZ = b"\xfd7zXZ\x00"  # the first bytes of LZMA data
MOST_TIMES, SPARE = 8, 32 << 20  # models may decompress to so many times the file and so many bytes, and no more
_MOST_MEMORY = 128 << 20  # of the decoder, in bytes, besides its output


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
        files = [_compressed(data) for data in files]
        if wrong := _beyond(about["sizes"], sum(map(len, files))):
            raise DataError(f"cannot compress the pipeline: {wrong}; write it without compression")
    arrays: Arrays = {f"layer.{i}": np.frombuffer(data, np.uint8) for i, data in enumerate(files)}
    return modelfile.seal({**arrays, "json": modelfile.json_array(about)}, KIND, 2 if compress else 1)


def load_bytes(data: bytes, path: str = KIND) -> Stored:
    """The inverse of `to_bytes`. Anything wrong with a file is a ModelError that names it, and the layer."""
    try:
        arrays = modelfile.unseal(data, KIND)
        about = modelfile.json_in(arrays)
        names = modelfile.strings_of("layers", about.get("layers"))
        _check(names, arrays, about)
        sizes = about.get("sizes")
        if wrong := _beyond(sizes or [], len(data)):
            raise ModelError(wrong)
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


def _beyond(sizes: Sequence[int], size: int) -> str:
    """Return what is wrong with the declared sizes of compressed models in a file of `size` bytes, or ""."""
    most = MOST_TIMES * size + SPARE
    return (
        f"sizes: expected at most {most} bytes of models in {size} bytes, found {sum(sizes)}"
        if sum(sizes) > most
        else ""
    )


def _is_size(size: object) -> bool:
    return isinstance(size, int) and not isinstance(size, bool) and 0 < size <= modelfile.MAX_BYTES


def _layer(name: str, arrays: AnyArrays, number: int, size: int | None) -> Model:
    data: bytes = view_of(arrays, f"layer.{number}", "uint8").tobytes()
    try:
        data = data if size is None else _decompressed(data, size)
    except ModelError as error:
        raise ModelError(f"layer {name!r}: {error}") from error
    return modelfile.load_bytes(data, f"layer {name!r}")


def _compressed(data: bytes) -> bytes:
    """Compress with zlib, which is read four times as fast as LZMA; the same zlib gives the same bytes."""
    return zlib.compress(data, 9)


def _decompressed(data: bytes, size: int) -> bytes:
    """Decompress to exactly `size` bytes, without allocating more than that. Before version 2, files have LZMA."""
    try:
        if data.startswith(_XZ):
            decoder: Any = lzma.LZMADecompressor(format=lzma.FORMAT_XZ, memlimit=_MOST_MEMORY)
            found: bytes = decoder.decompress(data, max_length=size + 1)
        else:
            decoder = zlib.decompressobj()
            found = decoder.decompress(data, size + 1)
    except (lzma.LZMAError, zlib.error) as error:
        raise ModelError(f"the file is damaged: {error}") from error
    if len(found) != size or not decoder.eof or decoder.unused_data:
        raise ModelError(f"the file is damaged: expected {size} bytes when it is decompressed, found other data")
    return found

"""Pipeline files: several model files in one, sealed like each of them (`perceptag.models.model_file`).

layer.0, layer.1, …   the bytes of the model files, in their order
json                  {"layers": [names], "manifest": {…}}

On request, the arrays of all models are packed instead (`perceptag.models.packed_arrays`):

planes                planes of bytes, one after the other, some of them compressed
json                  the same with "sizes" of the planes, and "arrays": those of each model and the planes they have;
                      "derived": what follows from them and takes long to compute, such as compiled rules

One SHA-256 covers the whole file; the manifest has that of each model.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from perceptag._version import __version__
from perceptag.arrays import np
from perceptag.errors import DataError, ModelError, SettingError, brief
from perceptag.models import model_file as modelfile
from perceptag.models.json_room import JsonRoom
from perceptag.models.kinds import derived_arrays
from perceptag.models.model import COMPILED, AnyArrays, Arrays, Model, view_of
from perceptag.models.packed_arrays import PackedArrays, Planes, StoredPlanes, total_size
from perceptag.pipeline.layers import MAX_LAYERS

KIND = "pipeline"
MOST_TIMES, SPARE = 8, 32 << 20  # models may decompress to so many times the file and so many bytes, and no more


class Stored(NamedTuple):
    """What is in a pipeline file."""

    layers: list[tuple[str, Model]]
    manifest: dict[str, Any]


def is_compressed(path: str) -> bool:
    """Return whether a file is a compressed pipeline, by its header."""
    with Path(path).open("rb") as stream:
        size = int.from_bytes(stream.read(8), "little")
        return b'"planes"' in stream.read(min(size, 1 << 16))


def to_bytes(layers: Sequence[tuple[str, Model]], *, compress: bool = False, card: str = "") -> tuple[bytes, str]:
    """Return models and their names as the bytes of a pipeline file, and its SHA-256."""
    files = [modelfile.to_bytes(model) for _, model in layers]
    digests = {name: sha for (name, _), (_, sha) in zip(layers, files, strict=True)}
    about: dict[str, Any] = {
        "layers": [name for name, _ in layers],
        "manifest": {"perceptag": __version__, "sha256": digests, **({"card": card} if card else {})},
    }
    if compress:
        return _packed(about, [model for _, model in layers])
    arrays: Arrays = {f"layer.{i}": np.frombuffer(data, np.uint8) for i, (data, _) in enumerate(files)}
    return modelfile.seal({**arrays, "json": modelfile.json_array(about)}, KIND)


def _packed(about: dict[str, Any], models: Sequence[Model]) -> tuple[bytes, str]:
    planes = Planes()
    about["arrays"] = [planes.pack(modelfile.arrays_of(model)) for model in models]
    about["derived"] = [planes.pack(derived_arrays(model)) for model in models]
    about["sizes"] = planes.sizes
    listed = [*about["arrays"], *about["derived"]]
    if wrong := _beyond([total_size(some) for some in listed], len(planes.data)):
        raise DataError(f"cannot compress the pipeline: {wrong}; write it without compression")
    arrays = {"planes": np.frombuffer(bytes(planes.data), np.uint8), "json": modelfile.json_array(about)}
    return modelfile.seal(arrays, KIND)


def load_bytes(data: bytes, path: str = KIND, most: int = MAX_LAYERS, last: str = "") -> Stored:
    """The inverse of `to_bytes`. Anything wrong with a file is a ModelError that names it, and the layer.

    At most the first `most` layers are read; if there is a layer `last`, none behind it.
    """
    room = JsonRoom()  # for all layers together
    try:
        arrays = modelfile.unseal(data, KIND, room)
        about = modelfile.json_in(arrays, room)
        names = modelfile.strings_of("layers", about.get("layers"))
        if last in names[1:]:  # the first may be a tokeniser, which does not tag
            most = min(most, names.index(last) + 1)
        if "planes" in arrays:
            return Stored(_unpacked(names, arrays, about, most, room), about["manifest"])
        _check_layers(names, about)
        if set(arrays) != {f"layer.{i}" for i in range(len(names))}:
            raise ModelError(f"expected {len(names)} models, one for each layer; found {brief(sorted(arrays))}")
        layers = [(name, _layer(name, arrays, i, room)) for i, name in enumerate(names[:most])]
        return Stored(layers, about["manifest"])
    except (ModelError, SettingError) as error:
        raise ModelError(f"{path}: {error}") from error


def _unpacked(
    names: Sequence[str], arrays: AnyArrays, about: dict[str, Any], most: int, room: JsonRoom
) -> list[tuple[str, Model]]:
    """Return the models of packed arrays."""
    _check_layers(names, about)
    data = view_of(arrays, "planes", "uint8")
    listed = _for_each_layer(names, arrays, about.get("arrays"))
    derived = _for_each_layer(names, arrays, about.get("derived", [[]] * len(names)))
    if wrong := _beyond([total_size(some) for some in (*listed, *derived)], len(data)):
        raise ModelError(wrong)
    planes = StoredPlanes(data, about.get("sizes"))
    every = zip(names[:most], listed, derived, strict=False)
    return [(name, _packed_layer(name, some, more, planes, room)) for name, some, more in every]


def _for_each_layer(names: Sequence[str], arrays: AnyArrays, listed: object) -> list[Any]:
    if len(arrays) != 1 or not isinstance(listed, list) or len(listed) != len(names):
        raise ModelError(f"expected {len(names)} models, one for each layer; found {brief(listed)}")
    return listed


def _packed_layer(name: str, listed: object, derived: object, planes: StoredPlanes, room: JsonRoom) -> Model:
    try:
        model = modelfile.model_of(PackedArrays(listed, planes), room)
        model.derived = PackedArrays(derived, planes)
        if COMPILED in model.derived:  # it is parsed if the layer is used
            room.take(view_of(model.derived, COMPILED, "uint8").tobytes(), "the compiled rules")
        return model
    except (ModelError, SettingError) as error:
        raise ModelError(f"layer {name!r}: {error}") from error


def _check_layers(names: Sequence[str], about: dict[str, Any]) -> None:
    if not 1 <= len(names) <= MAX_LAYERS:
        raise ModelError(f"layers: expected 1 to {MAX_LAYERS}, found {len(names)}")
    if not isinstance(about.get("manifest"), Mapping):
        raise ModelError(f"manifest: expected an object, found {brief(about.get('manifest'))}")
    if not isinstance(card := about["manifest"].get("card", ""), str):
        raise ModelError(f"manifest.card: expected text, found {brief(card)}")


def _beyond(sizes: Sequence[int], size: int) -> str:
    """Return what is wrong with the declared sizes of compressed models in a file of `size` bytes, or ""."""
    most = MOST_TIMES * size + SPARE
    return (
        f"sizes: expected at most {most} bytes of models in {size} bytes, found {sum(sizes)}"
        if sum(sizes) > most
        else ""
    )


def _layer(name: str, arrays: AnyArrays, number: int, room: JsonRoom) -> Model:
    data: bytes = view_of(arrays, f"layer.{number}", "uint8").tobytes()
    return modelfile.load_bytes(data, f"layer {name!r}", room)

"""Model files: safetensors for the arrays, JSON for the rest, a SHA-256 over every byte.

A model is one valid safetensors file. The JSON is in it as an array of bytes called ``json``. The header's only
metadata entry is ``model <version> sha256:<digest>``; the digest is that of the whole file with zeros in place of the
digest. A file contains no code, and nothing in it is used before the digest has been checked.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import math
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from perceptag.arrays import np
from perceptag.errors import DataError, ModelError, SettingError, brief, reading_model
from perceptag.labels.label_set import EDITS, MAX_CONSTRAINED, MAX_LABELS, LabelSet
from perceptag.labels.schemes import ALL_SCHEMES
from perceptag.models.json_room import JsonRoom
from perceptag.models.model import AnyArrays, Arrays, Model, StoredArrays, view_of
from perceptag.models.safetensors_header import entries_of
from perceptag.models.stored_lists import phrases_apart
from perceptag.recipe.recipe import stored
from perceptag.system import memory
from perceptag.system.given_file import other_kind, read_whole
from perceptag.system.output_files import open_output

VERSION = 6  # of all files: the one that is written and read
MAX_BYTES = 8 << 30
_LARGE = 1 << 24  # bytes from which a file is looked at before it is read
_KEY = "perceptag"
_ZEROS = "0" * 64
_AGAIN = {"pipeline": "build it", "class": "learn the classes", "checkpoint": "start the training"}
_STAMP = re.compile(rb'"perceptag"\s*:\s*"([a-z]+) ([0-9]{1,9}) sha256:')  # in the metadata of the header


def save(model: Model, path: str) -> str:
    """Write a model, whole or not at all; return its SHA-256."""
    data, sha = to_bytes(model)
    with open_output(path) as stream:
        stream.write(data)
    return sha


def to_bytes(model: Model) -> tuple[bytes, str]:
    """Return a model as bytes, and its SHA-256."""
    return seal(arrays_of(model), "model")


def arrays_of(model: Model) -> Arrays:
    """Return all of a model as arrays."""
    facts, lists, arrays = phrases_apart(model.facts, model.arrays)
    about = {
        "recipe": model.recipe.to_dict(),
        "labelling": dataclasses.asdict(model.label_set),
        "columns": model.columns,
        "facts": facts,
        "manifest": model.manifest,
    }
    return {**arrays, **lists, "json": json_array(about)}


def seal(arrays: AnyArrays, kind: str) -> tuple[bytes, str]:
    """Return arrays as safetensors bytes that contain their own digest, and the digest."""
    contiguous = {name: np.ascontiguousarray(array) for name, array in arrays.items()}
    size = sum(array.nbytes for array in contiguous.values())
    _check_size(size, kind)
    _ask_for(3 * size, kind)
    from safetensors.numpy import save as to_safetensors  # it imports numpy, which tagging need not wait for

    data = to_safetensors(contiguous, {_KEY: f"{kind} {VERSION} sha256:{_ZEROS}"})
    _check_size(len(data), kind)  # now with the header
    sha = hashlib.sha256(data).hexdigest()
    place = data.index(_ZEROS.encode())  # the header comes first, so this is the one in the metadata
    return data[:place] + sha.encode() + data[place + 64 :], sha


def _check_size(size: int, kind: str) -> None:
    """Refuse to write what `read_file` would refuse to read."""
    if size > MAX_BYTES:
        raise DataError(f"cannot write the {kind}: expected at most {MAX_BYTES} bytes, found {size}")


def _ask_for(size: int, kind: str) -> None:
    """Check the memory for the copies that safetensors will make: without memory, it ends the process."""
    try:
        np.empty(size, np.uint8)
    except MemoryError:
        raise DataError(f"cannot write the {kind}: that needs about {memory.describe(size)} of memory") from None


def unseal(data: bytes, kind: str, room: JsonRoom | None = None) -> StoredArrays:
    """The inverse of `seal`; raise `ModelError` for anything but the exact output of `seal`."""
    check_digest(data, kind)
    (room or JsonRoom()).take(data[8 : 8 + int.from_bytes(data[:8], "little")], "the header")
    try:
        return StoredArrays(entries_of(data))
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise ModelError(f"the file is damaged: {error}") from error


def check_digest(data: bytes, kind: str) -> str:
    """Check the kind and the SHA-256 of a file, and return the latter."""
    size = int.from_bytes(data[:8], "little")
    header = data[8 : 8 + size]
    if len(data) < 8 or size > len(data) - 8 or b"sha256:" not in header or _KEY.encode() not in header:
        raise ModelError(f"this is not a perceptag {kind} file, or it is cut short")
    place = _place_of_digest(header)
    found = data[place : place + 64]
    sha = hashlib.sha256(data[:place])
    sha.update(_ZEROS.encode())
    sha.update(memoryview(data)[place + 64 :])  # a view: a copy would double the memory for loading
    if sha.hexdigest().encode() != found:
        raise ModelError("the file is damaged: its SHA-256 is not the one that it contains")
    _check_version(header, kind)
    return found.decode()


def kind_of(data: bytes) -> str:
    """Return the kind that a file declares, unchecked; "" if it declares none."""
    stamp = _stamp(data)
    return stamp[1].decode() if stamp else ""


def version_of(data: bytes) -> int | None:
    """Return the format version that a file declares, unchecked."""
    stamp = _stamp(data)
    return int(stamp[2]) if stamp else None


def _stamp(data: bytes) -> re.Match[bytes] | None:
    return _STAMP.search(memoryview(data)[8 : 8 + int.from_bytes(data[:8], "little")])


def _place_of_digest(header: bytes) -> int:
    return 8 + header.index(b"sha256:") + 7


def digest_in(data: bytes) -> str:
    """Return the digest in the bytes of a checked file."""
    place = _place_of_digest(data[8 : 8 + int.from_bytes(data[:8], "little")])
    return data[place : place + 64].decode()


def _check_version(header: bytes, kind: str) -> None:
    stamp = _STAMP.search(header)
    if stamp is None:
        raise ModelError(f"this is not a perceptag {kind} file: it does not say what it is")
    found, version = stamp[1].decode(), int(stamp[2])
    if found != kind:
        raise ModelError(f"expected a {kind} file, found a {found}")
    if version != VERSION:
        raise ModelError(
            f"expected a file of version {VERSION}, found version {version}, which another release of perceptag reads; "
            f"{_AGAIN.get(kind, 'train it')} again, with this release"
        )


def load(path: str) -> Model:
    """Read a model file. Anything wrong with it is a ModelError that names the file."""
    return load_bytes(read_file(path), path)


def read_file(path: str) -> bytes:
    """Return the bytes of a file of at most `MAX_BYTES`. All models are read here."""
    try:
        _refuse_other_file(path)
        return read_whole(path, MAX_BYTES)
    except OSError as error:
        raise ModelError(f"{path}: cannot read: {error.strerror}") from error


def _refuse_other_file(path: str) -> None:
    """Refuse a large file by its first bytes, which tell the size of the header, before all of it is read."""
    if other_kind(path) or Path(path).stat().st_size <= _LARGE:
        return
    with Path(path).open("rb") as stream:
        begin = stream.read(9)
    if not 0 < int.from_bytes(begin[:8], "little") < Path(path).stat().st_size or begin[8:] != b"{":
        raise ModelError(f"{path}: this is not a perceptag model file, or it is cut short")


def load_single(path: str) -> Model:
    """Read a model file; for a pipeline, or the name of an installed model, the message says what reads it."""
    try:
        return load(path)
    except ModelError as error:
        if Path(path).suffix and "found a pipeline" not in str(error):
            raise
        hint = f"perceptag.load({path!r}) loads pipelines, and installed models by their names"
        raise ModelError(f"{error}; {hint}") from None


def load_bytes(data: bytes, path: str = "model", room: JsonRoom | None = None) -> Model:
    """Make a model from the bytes of a file. `room`: of the pipeline file that it is in."""
    room = room or JsonRoom()
    try:
        return model_of(unseal(data, "model", room), room)
    except (ModelError, SettingError) as error:
        raise ModelError(f"{path}: {error}") from error


def model_of(arrays: AnyArrays, room: JsonRoom | None = None) -> Model:
    """The inverse of `arrays_of`."""
    return _model(json_in(arrays, room), arrays)


def _model(about: dict[str, Any], arrays: AnyArrays) -> Model:
    for name in ("recipe", "labelling", "facts", "manifest"):
        if not isinstance(about.get(name), Mapping):
            raise ModelError(f"{name}: expected an object, found {brief(about.get(name))}")
    if "templates" in about["facts"]:
        strings_of("facts.templates", about["facts"]["templates"])
    recipe, label_set = stored(about["recipe"]), _label_set(about["labelling"])
    if recipe.constrain and len(label_set.names) > MAX_CONSTRAINED:
        raise ModelError(f"labels: expected at most {MAX_CONSTRAINED} with constraints, found {len(label_set.names)}")
    columns = strings_of("columns", about.get("columns"))
    if label_set.column not in columns:
        raise ModelError(f"columns: expected {label_set.column!r}, the column of the labels; found {brief(columns)}")
    return Model(
        recipe=recipe,
        label_set=label_set,
        columns=columns,
        arrays=arrays,
        facts=dict(about["facts"]),
        manifest=about["manifest"],
    )


def _label_set(about: Mapping[str, Any]) -> LabelSet:
    expected = [field.name for field in dataclasses.fields(LabelSet)]
    if set(about) != set(expected):
        raise ModelError(f"labelling: expected {', '.join(expected)}, found {brief(list(about))}")
    names, inner, outer, column, keep, repair = (about[name] for name in expected)
    labels = strings_of("labels", names)
    if len(labels) > MAX_LABELS:
        raise ModelError(f"labels: expected at most {MAX_LABELS}, found {len(labels)}")
    if not labels or "" in labels:
        raise ModelError(f"labels: expected one label or more, each with a name; found {brief(labels)}")
    for scheme in (inner, outer):
        if scheme not in (*ALL_SCHEMES, "none") and (scheme, outer) != (EDITS, "none"):
            raise ModelError(f"labelling: expected one of {', '.join(ALL_SCHEMES)}, none; found {brief(scheme)}")
    if (inner in ("none", EDITS)) != (outer == "none"):
        raise ModelError(f"labelling: expected two chunk schemes or twice none, found {inner} and {outer}")
    if not isinstance(column, str) or not isinstance(repair, bool):
        raise ModelError("labelling: expected the name of a column, and true or false for repair; found other values")
    return LabelSet(labels, inner, outer, column, strings_of("keep", keep), repair)


def strings_of(name: str, values: object) -> tuple[str, ...]:
    """Return different strings, as JSON lists them."""
    if not isinstance(values, list) or not all(isinstance(v, str) and "\0" not in v for v in values):
        raise ModelError(f"{name}: expected a list of strings, found {brief(values)}")
    if len(set(values)) != len(values):
        raise ModelError(f"{name}: expected different strings, found a repeated one")
    return tuple(values)


def json_array(value: object) -> np.ndarray[Any, np.dtype[np.uint8]]:
    """Return JSON as an array of bytes."""
    return np.frombuffer(json_bytes(value), np.uint8)


def json_bytes(value: object) -> bytes:
    """Return JSON as it is saved; refuse NaN, infinity and lone surrogates."""
    try:
        text = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False)
        return text.encode()
    except UnicodeEncodeError as error:
        found = f"the lone surrogate U+{ord(error.object[error.start]):04X}"
        raise ModelError(f"the JSON part: expected text, found {found}") from None
    except ValueError:
        raise ModelError("the JSON part: expected finite numbers, found another") from None


def json_in(arrays: AnyArrays, room: JsonRoom | None = None) -> dict[str, Any]:
    """Remove the JSON object from the arrays of a file, and return it."""
    try:
        data: bytes = view_of(arrays, "json", "uint8").tobytes()
    except ModelError:
        raise ModelError("expected a JSON part, found none") from None
    del arrays["json"]
    value = json_value(data, "the JSON part", room)
    if not isinstance(value, dict):
        raise ModelError("the JSON part: expected an object, found another value")
    return value


def json_value(data: bytes, what: str, room: JsonRoom | None = None) -> Any:
    """Return the value of JSON in a file that could have been written by `json_bytes`."""
    (room or JsonRoom()).take(data, what)
    with reading_model(what):
        value = json.loads(data, parse_constant=_finite, parse_float=_finite)
    if not _is_plain_utf8(data):
        json_bytes(value)  # Python's parser accepts lone surrogates, which could not be written again
    return value


def _finite(text: str) -> float:
    """Return a number as the parser finds it; refuse what it accepts and JSON has no word for."""
    number = float(text)
    if not math.isfinite(number):
        raise ModelError("the JSON part: expected finite numbers, found another")
    return number


def _is_plain_utf8(data: bytes) -> bool:
    """Whether JSON is UTF-8 without escapes of surrogates; escapes of other characters are rare, too."""
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return b"\\u" not in data

"""A saved model: plain data without behaviour, its arrays, their checks, and a summary. `Tagger` tags with it."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Mapping, MutableMapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from perceptag.arrays import Floats, np
from perceptag.errors import ModelError
from perceptag.labels.label_set import LabelSet
from perceptag.learn import catalogue
from perceptag.recipe.recipe import Recipe
from perceptag.system.plural import plural

if TYPE_CHECKING:
    import numpy.typing as npt

Arrays: TypeAlias = "dict[str, npt.NDArray[Any]]"  # as training makes them
AnyArrays: TypeAlias = "MutableMapping[str, npt.NDArray[Any]]"  # the same, or `StoredArrays`

COMPILED = "rules.compiled"  # a derived array: JSON
CALIBRATION = "calibration."  # begins the names of arrays that turn margins into probabilities


@dataclass(slots=True)
class Model:
    """All data for tagging, and the manifest of the training."""

    recipe: Recipe
    label_set: LabelSet
    columns: tuple[str, ...]  # of the training data, including the labels
    arrays: AnyArrays
    facts: dict[str, Any] = field(default_factory=dict)  # what this kind of model needs in addition, as JSON
    manifest: dict[str, Any] = field(default_factory=dict)  # how it was trained: data digests, dev curve, version
    # What follows from the rest and takes long to compute; some files have it, and it is not saved with the model.
    derived: AnyArrays = field(default_factory=dict)

    @property
    def is_calibrated(self) -> bool:
        """Whether it has what turns margins into probabilities."""
        return any(name.startswith(CALIBRATION) for name in self.arrays)

    @property
    def from_rules(self) -> str:
        """The column that rules gave in training (`train --rules`); an empty string if there is none."""
        given = self.manifest.get("rules")
        name = given.get("name") if isinstance(given, dict) else ""
        return name if isinstance(name, str) and name in self.columns and name != self.label_set.column else ""

    @property
    def is_probabilistic(self) -> bool:
        """Whether scores are log-probabilities. Models of other learners declare it in their facts."""
        learner = catalogue().get(self.recipe.learner)
        return learner.probabilistic if learner else self.facts.get("probabilistic") is True


def array_of(arrays: AnyArrays, name: str, dtype: type[np.generic] | str) -> npt.NDArray[Any]:
    """Return a vector of a model; raise ModelError if it is missing or has another type."""
    if name not in arrays:
        raise ModelError(f"expected an array {name!r}, found none")
    array = arrays[name]
    if array.dtype != dtype or array.ndim != 1:
        raise ModelError(f"array {name!r}: expected a vector of {np.dtype(dtype)}, found {array.ndim}-d {array.dtype}")
    return array


def view_of(arrays: AnyArrays, name: str, dtype: str) -> Any:
    """Return an array as the core takes it: a memory view, which needs no numpy for a model in a file."""
    found = arrays.view(name, dtype) if isinstance(arrays, StoredArrays) else None
    return array_of(arrays, name, dtype).data if found is None else found


def in_rows(vector: Any, width: int) -> Any:
    """Return a memory view of numbers as one of rows of this many numbers."""
    rows = len(vector) // width
    return vector.cast("B").cast(vector.format, (rows, width)) if rows else np.zeros((0, width), vector.format)


def number_of_features(model: Model) -> int:
    """Return the number of features of a model."""
    return sum(length_of(model.arrays, name) for name in model.arrays if name.startswith(("rows.", "keys.")))


def number_of_weights(model: Model) -> int:
    """Return the number of weights of a model."""
    names = (name for name in model.arrays if name.startswith(("weights.", "second.weights.")))
    return sum(length_of(model.arrays, name) for name in names)


def length_of(arrays: AnyArrays, name: str) -> int:
    """Return the length of an array; one of a file is not read for that."""
    return arrays.length(name) if isinstance(arrays, StoredArrays) else len(arrays[name])


def dev_score(model: Model) -> float | None:
    """Return the dev score of the pass that became the model, in per cent; None if there was no dev data."""
    score = model.manifest.get("dev_score")
    return score if isinstance(score, float) else None


def summary(model: Model) -> str:
    """Its recipe, the numbers of labels and features, and the dev score."""
    name = "accuracy" if model.label_set.outer == "none" else "F1"
    score = dev_score(model)
    parts = [
        f"recipe {model.recipe.name or 'without a name'}",
        plural(len(model.label_set.names), "label"),
        plural(number_of_features(model), "feature"),
        *([] if score is None else [f"dev {name} {score:.2f} %"]),
    ]
    return ", ".join(parts)


# A linear model is made of views alone, so that `perceptag tag` starts without numpy.
# What safetensors calls a type, and what numpy calls it.
_TYPES = {
    **{"F16": "float16", "F32": "float32", "F64": "float64", "BOOL": "bool"},
    **{f"I{bits}": f"int{bits}" for bits in (8, 16, 32, 64)},
    **{f"U{bits}": f"uint{bits}" for bits in (8, 16, 32, 64)},
}
# What Python calls it.
_FORMATS: dict[str, Literal["B", "H", "i", "I", "Q", "f", "d"]] = {
    "uint8": "B",
    "uint16": "H",
    "int32": "i",
    "uint32": "I",
    "uint64": "Q",
    "float32": "f",
    "float64": "d",
}


class StoredArrays(MutableMapping[str, "npt.NDArray[Any]"]):
    """Arrays by name, from `safetensors.deserialize`; unknown types raise KeyError."""

    def __init__(self, entries: Iterable[tuple[str, Mapping[str, Any]]]) -> None:
        self._entries = {name: (_TYPES[entry["dtype"]], entry["shape"], entry["data"]) for name, entry in entries}
        self._made: dict[str, npt.NDArray[Any]] = {}
        self._unchanged: set[str] = set()  # of those that were made

    def data_of(self, name: str) -> Any:
        """Return the bytes of an array."""
        return self._entries[name][2]

    def length(self, name: str) -> int:
        """Return the length of an array, without making it."""
        made = self._made.get(name)
        return int(self._entries[name][1][0]) if made is None else len(made)

    def release(self) -> None:
        """Forget what can be read again."""

    def packed_pair(self, wholes: str, reals: str) -> tuple[list[Any], list[Any], int, int] | None:  # noqa: ARG002
        """Return the planes of an array of uint32 and of one of float32, their length, and the bits of real numbers.

        None if they are not stored in this way, or have been replaced.
        """
        return None

    def view(self, name: str, dtype: str) -> memoryview[Any] | None:
        """Return a vector of this type, without numpy; None if there is none, or if it has been replaced."""
        kind, shape, _ = self._entries.get(name, ("", (), b""))
        if kind != dtype or len(shape) != 1 or name in self._made.keys() - self._unchanged:
            return None
        data = self.data_of(name)
        return memoryview(data).cast(_FORMATS[dtype]) if data else memoryview(array(_FORMATS[dtype]))

    def __contains__(self, name: object) -> bool:
        return name in self._entries  # without making the array

    def __getitem__(self, name: str) -> npt.NDArray[Any]:
        found = self._made.get(name)  # once: another thread may release it at any time
        if found is None:
            dtype, shape, _ = self._entries[name]
            found = self._made[name] = np.frombuffer(self.data_of(name), dtype).reshape(shape)
            self._unchanged.add(name)
        return found

    def __setitem__(self, name: str, value: npt.NDArray[Any]) -> None:
        self._entries.setdefault(name, ("", (), b""))
        self._made[name] = value
        self._unchanged.discard(name)

    def __delitem__(self, name: str) -> None:
        del self._entries[name]
        self._made.pop(name, None)

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)


LARGEST = 1e30  # no learned number comes near it
HEAVIEST = 1e20  # no weight comes near it; the score of a sentence is a sum of many weights, and must be finite


def reals(arrays: AnyArrays, name: str, size: int | None = None) -> Floats:
    """Return a vector of finite numbers, of length `size` if that is given."""
    found = array_of(arrays, name, np.float64)
    if size is not None and len(found) != size:
        raise ModelError(f"array {name!r}: expected {size} numbers, found {len(found)}")
    check_size(found, name)
    copy: Floats = found.copy()
    return copy


def check_size(found: npt.NDArray[np.floating[Any]], name: str) -> None:
    """Refuse NaN, infinity, and numbers that would soon become infinite."""
    if not (np.abs(found) <= LARGEST).all():
        raise ModelError(f"array {name!r}: expected finite numbers up to {LARGEST:g}, found others")


def check_weights(found: npt.NDArray[np.floating[Any]], name: str) -> None:
    """Refuse weights so large that scores could overflow."""
    if not (np.abs(found) <= HEAVIEST).all():  # false for NaN
        raise heavy(name)


def heavy(name: str) -> ModelError:
    """Return the error about such weights."""
    return ModelError(f"array {name!r}: expected finite weights from {-HEAVIEST:g} to {HEAVIEST:g}, found others")


def wholes(arrays: AnyArrays, name: str) -> list[int]:
    """Return whole numbers from 0."""
    found: list[int] = array_of(arrays, name, np.int64).tolist()
    if min(found, default=0) < 0:
        raise ModelError(f"array {name!r}: expected numbers from 0, found {min(found)}")
    return found


def ticks(arrays: AnyArrays) -> float:
    """Return the clock of an average."""
    found = float(reals(arrays, "ticks", 1)[0])
    if found < 0:
        raise ModelError(f"array 'ticks': expected a number from 0, found {found}")
    return found


def flag(arrays: AnyArrays, name: str) -> bool:
    """Return one truth value."""
    found = array_of(arrays, name, np.bool_)
    if len(found) != 1:
        raise ModelError(f"array {name!r}: expected one value, found {len(found)}")
    return bool(found[0])


def part_of(arrays: AnyArrays, prefix: str) -> Arrays:
    """Return the arrays whose names begin with a prefix, without it."""
    return {name.removeprefix(prefix): a for name, a in arrays.items() if name.startswith(prefix)}

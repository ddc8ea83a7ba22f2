"""Check arrays of models and checkpoints before use: files may be damaged or malicious."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from perceptag.errors import ModelError
from perceptag.numeric.arrays import Floats
from perceptag.numeric.lazy import np
from perceptag.store.model import AnyArrays, array_of

if TYPE_CHECKING:
    import numpy.typing as npt

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

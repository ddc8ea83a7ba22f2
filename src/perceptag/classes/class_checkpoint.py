"""Checkpoints of a clustering: an interrupted one resumes and gives the same classes.

A checkpoint holds the classes after the last whole pass of each size, and what must stay the same: the counts of the
text and the settings. The text itself is counted again.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from perceptag._version import __version__
from perceptag.arrays import Ints
from perceptag.classes.clustering import ClassPass, Clustering, ClusteringProgress
from perceptag.errors import ModelError, SettingError, brief
from perceptag.models.model import AnyArrays, Arrays, array_of
from perceptag.models.model_file import json_array, json_in, read_file, seal, unseal
from perceptag.system.output_files import open_output

KIND = "checkpoint"


def write(clustering: Clustering, path: str) -> None:
    """Write the state of a clustering, whole or not at all."""
    passes = {str(size): [[p.moved, p.likelihood] for p in done.passes] for size, done in clustering.progress.items()}
    arrays: Arrays = {f"classes.{size}": done.classes for size, done in clustering.progress.items()}
    arrays["json"] = json_array({"run": identity(clustering), "passes": passes})
    data, _ = seal(arrays, KIND)
    with open_output(path) as stream:
        stream.write(data)


def restore(clustering: Clustering, path: str) -> None:
    """Set a clustering to the state of a checkpoint of the same run; any other checkpoint is refused."""
    try:
        arrays = unseal(read_file(path), KIND)
        about = json_in(arrays)
        _check_same_run(about.get("run"), identity(clustering))
        found = about.get("passes")
        if not isinstance(found, dict) or set(found) != {str(size) for size in clustering.sizes}:
            raise ModelError(f"passes: expected those of each size, found {brief(found)}")
        progress = {
            size: ClusteringProgress(_classes(arrays, size, clustering), _passes(found[str(size)], size, clustering))
            for size in clustering.sizes
        }
    except (ModelError, SettingError) as error:
        raise type(error)(f"{path}: {str(error).removeprefix(f'{path}: ')}") from error
    clustering.progress = progress


def identity(clustering: Clustering) -> dict[str, Any]:
    """Return the settings that must equal those of the checkpoint, as JSON. Threads and file names may differ."""
    counted = clustering.counted
    return {
        "perceptag": __version__,
        "text": f"{counted.counts.fingerprint:016x}",
        "folding": list(counted.folding),
        "min_count": counted.facts["min_count"],
        "sizes": list(clustering.sizes),
        "passes": clustering.most_passes,
    }


def _check_same_run(saved: object, here: dict[str, Any]) -> None:
    if not isinstance(saved, dict):
        raise ModelError(f"run: expected an object, found {brief(saved)}")
    names = [name for name in dict.fromkeys([*here, *saved]) if saved.get(name) != here.get(name)]
    if names:
        differences = (f"{n}: {brief(saved.get(n))} in the checkpoint, {brief(here.get(n))} here" for n in names)
        raise SettingError(
            f"this checkpoint is of another run ({'; '.join(differences)}); give the same text and settings, or start "
            "again from the beginning: --restart"
        )


def _classes(arrays: AnyArrays, size: int, clustering: Clustering) -> Ints:
    found = array_of(arrays, f"classes.{size}", np.int32)
    if len(found) != len(clustering.counted.counts) or found.min() < 0 or found.max() >= size:
        raise ModelError(f"array 'classes.{size}': expected a class below {size} for each word, found others")
    return found


def _passes(found: object, size: int, clustering: Clustering) -> tuple[ClassPass, ...]:
    passes: list[ClassPass] = []
    for entry in found if isinstance(found, list) else [found]:
        if not isinstance(entry, list) or [type(value) for value in entry] != [int, float]:
            raise ModelError(f"passes: expected words that moved and a likelihood, found {brief(entry)}")
        passes.append(clustering.report(size, len(passes) + 1, entry[0], entry[1]))
    return tuple(passes)

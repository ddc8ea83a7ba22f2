"""How versions are trained, written down in the project: the recipe, and the files that it needs.

A version names the setup that it was trained with. So it can be made again after the settings of the project changed.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

from perceptag.errors import ModelError, PerceptagError
from perceptag.pipeline.installed import path_of
from perceptag.project.project import Project
from perceptag.project.records import Version
from perceptag.recipe.recipe import Recipe
from perceptag.workbench.learning.messages import Setup

KIND = "setup"  # of event


def kept_setup(project: Project, setup: Setup) -> int:
    """Return the number of a setup in the project; one that is not there yet is written down."""
    about = _described(setup)
    for event in project.events(KIND):
        if event.data == about:
            return event.id
    return project.record(KIND, "", about).id


def setup_then(project: Project, version: Version, now: int) -> Setup | None:
    """Return how a version was trained; None if that is as it is now. Refuse one whose files are not there any more."""
    number = version.data.get("setup", now)
    if number == now:
        return None
    about = next((event.data for event in project.events(KIND) if event.id == number), None)
    if about is None:
        raise ModelError(f"version {version.id}: the project does not say how it was trained")
    for what, name, digest in (("model", *about["start"]), ("classes", *about["classes"])):
        if name and _digest(_file_of(name) if what == "model" else name) != digest:
            raise ModelError(
                f"version {version.id}: expected the file of --{what} {name} as it was then (sha256 {digest}), "
                "found another one or none"
            )
    recipe, columns = Recipe().replace(about["recipe"]), tuple(about["columns"])
    return Setup(about["kind"], recipe, seed=about["seed"], start=about["start"][0], columns=columns)


def _described(setup: Setup) -> Any:
    start, classes = setup.start, setup.recipe.classes
    about = {
        "kind": setup.kind,
        "seed": setup.seed,
        "recipe": setup.recipe.to_dict(),
        "columns": list(setup.columns),
        "start": [start, _digest(_file_of(start)) if start else ""],
        "classes": [classes, _digest(classes) if classes else ""],
    }
    return json.loads(json.dumps(about))  # as it comes back from the project


def _file_of(start: str) -> str:
    """Return the file of a model that may be named with a layer."""
    path, colon, _ = start.rpartition(":")
    name = path if colon and not Path(start).exists() else start
    try:
        return path_of(name)
    except PerceptagError:
        return ""


def _digest(path: str) -> str:
    """Return the digest of a file; none if it cannot be read."""
    try:
        return hashlib.sha256(Path(path).read_bytes()).hexdigest()
    except OSError:
        return ""

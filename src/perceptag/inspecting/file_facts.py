"""Facts about a model file that reveal nothing learned: digests, versions, sizes, names of recipes."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

from perceptag.classes import class_file as classfile
from perceptag.pipeline import pipeline_file as pipelinefile
from perceptag.store import model_file as modelfile
from perceptag.store.model import Model, number_of_features


def file_facts(path: str) -> dict[str, Any]:
    """The facts of a model, a pipeline or a class file, once its digest has been checked. The folder is left out."""
    data = modelfile.read_file(path)
    kind = modelfile.kind_of(data)
    facts = _layers(kind, data, Path(path).name)
    return {
        "file": Path(path).name,
        "bytes": len(data),
        "file_kind": kind,
        "format": modelfile.version_of(data),
        "sha256": modelfile.digest_in(data),
        "file_sha256": hashlib.sha256(data).hexdigest(),
        **facts,
    }


def _layers(kind: str, data: bytes, name: str) -> dict[str, Any]:
    """What depends on the kind of file; it is loaded, and so it is checked."""
    if kind == classfile.KIND:
        classfile.load_bytes(data, name)
        return {}
    if kind == pipelinefile.KIND:
        stored = pipelinefile.load_bytes(data, name)
        layers = [{"layer": layer, **_model(model)} for layer, model in stored.layers]
        return {"written_by": stored.manifest.get("perceptag"), "layers": layers}
    return _model(modelfile.load_bytes(data, name))


def _model(model: Model) -> dict[str, Any]:
    return {
        "kind": model.facts.get("kind"),
        "recipe": model.recipe.name,
        "learner": model.recipe.learner,
        "written_by": model.manifest.get("perceptag"),
        "labels": len(model.label_set.names),
        "features": number_of_features(model),
        "functions_of_the_user": bool(model.recipe.attributes or model.facts.get("functions")),
    }

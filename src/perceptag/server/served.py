"""The models of a server: a table made at start, each of which can be loaded again from its file."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from perceptag.errors import ModelError
from perceptag.labels.label_set import LabelSet
from perceptag.labels.schemes import Span, spans_to_labels
from perceptag.labels.tag_meanings import tag_meaning
from perceptag.models import model_file as modelfile
from perceptag.pipeline import pipeline_file as pipelinefile
from perceptag.pipeline.layers import Layer
from perceptag.pipeline.pipeline import Pipeline
from perceptag.server.limits import Limits
from perceptag.server.problems import HttpProblem
from perceptag.system.label_colours import colours_of, kind_of
from perceptag.system.platform.machine import return_memory


@dataclass(frozen=True, slots=True)
class Served:
    """A model as one version of its file has it. It never changes, so a request keeps the version it began with."""

    name: str
    digest: str
    pipelines: Mapping[str, Pipeline]  # by the layer that each ends with; the last is the whole
    about: dict[str, Any] = field(repr=False)
    plain: dict[str, Any] = field(default_factory=dict, repr=False, compare=False)  # by layer: see `plain_tagging.py`

    @property
    def usual(self) -> str:
        """The layer that answers a request that names none."""
        return self.ending_with("").usual.name

    def ending_with(self, layer: str) -> Pipeline:
        """Return the pipeline up to a layer; without a name, all of it."""
        if not layer:
            return self.pipelines[list(self.pipelines)[-1]]
        if layer not in self.pipelines:
            raise HttpProblem(422, f"layer: expected one of {', '.join(self.pipelines)}; found {layer[:60]!r}")
        return self.pipelines[layer]

    def to_dict(self) -> dict[str, str]:
        """Return what every reply says of its model."""
        return {"name": self.name, "digest": self.digest}


def load_served(name: str, path: str) -> Served:
    """Read a model or pipeline from its file. This runs no code: models that name code of a user are refused."""
    return served_of(name, modelfile.read_file(path), path)


def served_of(name: str, data: bytes, path: str = "") -> Served:
    """Make a model of the bytes of its file ready."""
    whole = Pipeline.from_bytes(data, path)
    digest = f"sha256:{modelfile.digest_in(data)}"  # which has just been checked
    if not whole.layers:
        raise ModelError(f"{path}: expected a model that tags, found a tokeniser")
    return serve_pipeline(name, digest, whole)


def _digest_of(data: bytes) -> str:
    is_pipeline = modelfile.kind_of(data) == pipelinefile.KIND
    return f"sha256:{modelfile.check_digest(data, pipelinefile.KIND if is_pipeline else 'model')}"


def serve_pipeline(name: str, digest: str, whole: Pipeline) -> Served:
    """Serve a pipeline under a name."""
    pipelines = {layer: whole.upto(layer) for layer in whole.names[:-1]} | {whole.top.name: whole}
    return Served(name, digest, pipelines, _about(name, digest, whole))


def loading() -> HttpProblem:
    """Return what a client is told before the first model is loaded."""
    detail = "the models are being loaded; try again"
    return HttpProblem(503, detail).because("loading").with_header(b"retry-after", b"1")


class ModelTable:
    """The models by name. Loading one again swaps one reference, so that no request sees half of it.

    Those that do not come from files are put in by the program (`put`), as often as it likes.
    """

    def __init__(self, paths: Mapping[str, str], is_elsewhere: bool = False) -> None:
        """Load models from their files, unless another process does."""
        self.paths = dict(paths)
        self._served: dict[str, Served] = {}
        self._loading = threading.Lock()
        if not is_elsewhere:
            self.load()

    def load(self, begin: Callable[[str], object] = str) -> None:
        """Load all models from their files, and tell which one begins."""
        served = {}
        for name, path in self.paths.items():
            begin(name)
            served[name] = load_served(name, path)
        self._served = served

    def __iter__(self) -> Any:
        return iter(list(self._served.values()))

    @property
    def names(self) -> list[str]:
        """The names of all models; the first is the default."""
        return list(self._served)

    def find(self, name: str) -> Served:
        """Return the model of this name; without a name, the first."""
        if not self._served:
            raise loading() if self.paths else HttpProblem(404, "model: there is no model yet")
        if name and name not in self._served:
            raise HttpProblem(404, f"model: expected one of {', '.join(self._served)}; found {name[:60]!r}")
        return self._served[name or self.names[0]]

    def put(self, served: Served) -> None:
        """Serve a model that is not in a file, in place of the one of the same name."""
        self._served = {**self._served, served.name: served}

    def take_out(self, name: str) -> None:
        """Serve a model no more."""
        self._served = {other: served for other, served in self._served.items() if other != name}

    def without_paths(self, text: str) -> str:
        """Return a message without the paths of files, which clients need not know."""
        for name, path in self.paths.items():
            text = text.replace(path, name)
        return text

    def told(self) -> list[dict[str, Any]]:
        """Return what another process needs to `show` these models."""
        return [served.about for served in self]

    def show(self, told: Sequence[Mapping[str, Any]]) -> None:
        """Show models that another process has loaded, by what it tells of them."""
        self._served = {about["name"]: Served(about["name"], about["digest"], {}, dict(about)) for about in told}

    def frozen(self) -> ModelTable:
        """Return the models of now: reloads do not change this table."""
        table = ModelTable({})
        table._served = dict(self._served)
        return table

    def reload(self, name: str) -> tuple[str, str]:
        """Read a model again; return its digest before and after. If that fails, the old one stays."""
        before = self.find(name).digest
        if name not in self.paths:
            raise HttpProblem(409, f"model {name!r} is not in a file, so it cannot be loaded again")
        with self._loading:
            data = modelfile.read_file(self.paths[name])
            after = _digest_of(data)
            if after != before:
                self._served[name] = served_of(name, data, self.paths[name])
                del data
                return_memory()  # that of the old model, which would else be kept for this thread
        return before, after


@dataclass(frozen=True, slots=True)
class ServedModels:
    """What work on text needs besides the text."""

    table: ModelTable
    limits: Limits
    encoding: str = ""  # of files whose request names none; empty: UTF-8, or UTF-16 by its mark


# --- what is said of a model ---


def _about(name: str, digest: str, whole: Pipeline) -> dict[str, Any]:
    layers = [_about_layer(layer) for layer in whole.layers]
    usual = whole.names.index(whole.usual.name)
    return {
        "name": name,
        "digest": digest,
        "has_tokenizer": whole.tokenizer is not None,
        "columns": whole.inputs,
        "layers": layers,
        **{key: value for key, value in layers[usual].items() if key not in ("name", "columns", "colours", "meanings")},
    }


def _about_layer(layer: Layer) -> dict[str, Any]:
    model = layer.ready.model
    labels = written_labels(model.label_set)
    return {
        "name": layer.name,
        "kind": str(model.facts.get("kind", "linear")),
        "learner": model.recipe.learner,
        "recipe": model.recipe.name,
        "labels": labels,
        "colours": {kind: colour.to_dict() for kind, colour in colours_of(labels).items()},
        "meanings": {kind: said for kind in dict.fromkeys(map(kind_of, labels)) if (said := tag_meaning(kind))},
        "columns": layer.needs(),
        "scheme": layer.scheme,
        "calibrated": layer.calibration() is not None,
        "looks_at_documents": layer.ready.looks_at_documents(),
        "can": abilities(layer),
    }


_ASKED = ("given", "nbest", "explain", "explain-given", "order")  # abilities that have an endpoint or a parameter


def abilities(layer: Layer) -> list[str]:
    """Return what can be asked of a layer."""
    found = ["margin"]
    found += ["spans"] if layer.scheme != "none" else []
    found += ["confidence"] if layer.calibration() is not None else []
    return found + [ability for ability in _ASKED if ability in layer.ready.offers]


def written_labels(label_set: LabelSet) -> list[str]:
    """Return the labels of a model as its training data writes them."""
    if label_set.is_open:  # scripts inside, and any lemma outside
        return []
    if label_set.outer in (label_set.inner, "none"):
        return list(label_set.names)
    kinds = dict.fromkeys(name[2:] for name in label_set.names if name != "O")
    found = {"O": None}
    for kind in kinds:
        some = [Span(0, 1, kind), Span(1, 2, kind), Span(2, 5, kind)]
        found |= dict.fromkeys(spans_to_labels(some, 5, label_set.outer))
    return list(found)

"""From a model to something that runs: the kinds of model, by name."""

from __future__ import annotations

from collections.abc import Callable

from perceptag.confidence.calibration import unpack as check_calibration
from perceptag.errors import ModelError
from perceptag.models.protocol import Attributes, Functions, ReadyModel
from perceptag.store.model import Model

# A kind is imported when a model of that kind comes, so that `import perceptag` stays quick.


def _linear(model: Model, attributes: Attributes, _functions: Functions) -> ReadyModel:
    from perceptag.models.linear.tagger import LinearTagger

    return LinearTagger(model, attributes)


def _nonlocal(model: Model, attributes: Attributes, functions: Functions) -> ReadyModel:
    from perceptag.models.document.tagger import NonLocalTagger

    return NonLocalTagger(model, attributes, functions)


def _guided(model: Model, attributes: Attributes, _functions: Functions) -> ReadyModel:
    from perceptag.models.guided.tagger import GuidedTagger

    return GuidedTagger(model, attributes)


def _chunker(model: Model, _attributes: Attributes, _functions: Functions) -> ReadyModel:
    from perceptag.models.chunker.tagger import ChunkTagger

    return ChunkTagger(model)


def _maxent(model: Model, attributes: Attributes, _functions: Functions) -> ReadyModel:
    from perceptag.models.maxent.tagger import MaxentTagger

    return MaxentTagger(model, attributes)


def _rerank(model: Model, attributes: Attributes, functions: Functions) -> ReadyModel:
    from perceptag.models.rerank.tagger import RerankTagger

    return RerankTagger(model, attributes, functions)


KINDS: dict[str, Callable[[Model, Attributes, Functions], ReadyModel]] = {
    "linear": _linear,
    "nonlocal": _nonlocal,
    "guided": _guided,
    "chunker": _chunker,
    "maxent": _maxent,
    "rerank": _rerank,
}


def make_ready(model: Model, attributes: Attributes | None = None, functions: Functions | None = None) -> ReadyModel:
    """Make a model ready to tag. `attributes` and `functions` hold the user's code that it names."""
    kind = model.facts.get("kind")
    if not isinstance(kind, str) or kind not in KINDS:
        raise ModelError(f"unknown kind of model {kind!r}; this version knows {', '.join(KINDS)}")
    check_calibration(model)
    return KINDS[kind](model, attributes or {}, functions or {})

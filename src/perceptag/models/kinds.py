"""From a model to something that runs: the kinds of model, by name."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence
from typing import Any, Protocol, runtime_checkable

from perceptag.confidence.calibration import unpack as check_calibration
from perceptag.confidence.margins import Margins
from perceptag.errors import ModelError, blaming_the_model
from perceptag.features.attributes import Attribute
from perceptag.features.user import UserFeature
from perceptag.store.model import Model
from perceptag.text.sentence import Sentence


class Compiled(Protocol):
    """A model made ready to tag: read-only, shared by any number of threads."""

    def tag(self, sentences: Sequence[Sentence], threads: int = 1) -> list[list[str]]:
        """The labels of each sentence, as the training data writes them."""

    def nbest(self, sentences: Sequence[Sentence], n: int, threads: int = 1) -> list[list[tuple[list[str], float]]]:
        """The n best labellings of each sequence with their scores, the best first.

        A sequence is a sentence, or a document where the model takes whole documents (`unit`).
        """

    def explain(self, sentence: Sentence) -> Any:
        """Why a sentence gets its labels."""

    def known_words(self) -> Container[str] | None:
        """The words of the training data, or None if the model does not know them."""


@runtime_checkable
class ExplainsDocuments(Protocol):
    """A compiled model that can explain a sentence where it stands."""

    def explain_document(self, document: Sequence[Sentence], number: int) -> Any:
        """Why sentence `number` of a document, counted from 0, gets its labels."""


@runtime_checkable
class HasMargins(Protocol):
    """A compiled model that knows by how much its labels win, better than its n-best lists can tell."""

    def margins(self, sentences: Sequence[Sentence], threads: int = 1) -> list[Margins]:
        """The labels that `tag` gives, and by how much they win, in the units of the model."""


Attributes = Mapping[str, Attribute]
Functions = Mapping[str, UserFeature]


# A kind is imported when a model of that kind comes, so that `import perceptag` stays quick.


def _linear(model: Model, attributes: Attributes, _functions: Functions) -> Compiled:
    from perceptag.models.linear.tagger import LinearTagger

    return LinearTagger(model, attributes)


def _nonlocal(model: Model, attributes: Attributes, functions: Functions) -> Compiled:
    from perceptag.models.document.tagger import NonLocalTagger

    return NonLocalTagger(model, attributes, functions)


def _guided(model: Model, attributes: Attributes, _functions: Functions) -> Compiled:
    from perceptag.models.guided.tagger import GuidedTagger

    return GuidedTagger(model, attributes)


def _chunker(model: Model, _attributes: Attributes, _functions: Functions) -> Compiled:
    from perceptag.models.chunker.tagger import ChunkTagger

    return ChunkTagger(model)


def _maxent(model: Model, attributes: Attributes, _functions: Functions) -> Compiled:
    from perceptag.models.maxent.tagger import MaxentTagger

    return MaxentTagger(model, attributes)


KINDS: dict[str, Callable[[Model, Attributes, Functions], Compiled]] = {
    "linear": _linear,
    "nonlocal": _nonlocal,
    "guided": _guided,
    "chunker": _chunker,
    "maxent": _maxent,
    "rerank": _nonlocal,
}


def compile_model(model: Model, attributes: Attributes | None = None, functions: Functions | None = None) -> Compiled:
    """Make a model ready to tag. `attributes` and `functions` hold the user's code that it names."""
    kind = model.facts.get("kind")
    if not isinstance(kind, str) or kind not in KINDS:
        raise ModelError(f"unknown kind of model {kind!r}; this version knows {', '.join(KINDS)}")
    with blaming_the_model():
        check_calibration(model)
        return KINDS[kind](model, attributes or {}, functions or {})


def explain_in_document(compiled: Compiled, document: Sequence[Sentence], number: int) -> Any:
    """Why sentence `number` of a document, counted from 0, gets its labels."""
    if isinstance(compiled, ExplainsDocuments):
        return compiled.explain_document(document, number)
    return compiled.explain(document[number])

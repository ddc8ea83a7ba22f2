"""The components of spaCy: `perceptag_tagger` and `perceptag_ner`.

A perceptron learns in several passes over all of its data, not batch by batch. So `initialize`, which spaCy calls with
all examples, trains the model. `update`, which spaCy calls with batches, leaves it as it is.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from spacy.language import Language
from spacy.scorer import Scorer
from spacy.tokens import Doc, Span, Token
from spacy.training import Example
from spacy.util import minibatch

from perceptag.errors import SettingError, brief
from perceptag.labels.schemes import type_name
from perceptag.models import model_file as modelfile
from perceptag.models.confident import Confident
from perceptag.models.explanation import Explained
from perceptag.pipeline import pipeline_file as pipelinefile
from perceptag.pipeline.loading import as_pipeline
from perceptag.pipeline.pipeline import Pipeline
from perceptag.spacy.docs import LABEL, NER, on_tokens, set_labels, to_sentences
from perceptag.tagger import Tagger
from perceptag.text.sentence import Sentence

CONFIDENCE = "perceptag_confidence"
_FILE = "perceptag.model"
_DEFAULT: dict[str, Any] = {
    "model": None,  # a file, or the name of an installed model such as en; None: `initialize` trains one
    "layer": None,  # of that model, such as xpos; None: the last
    "recipe": "auto",
    "settings": {},  # keys of the recipe, such as {"epochs": 5}
    "columns": {},  # what the model reads besides words: {"pos": "tag_"}
    "confidence": False,
}


class Component:
    """A component of spaCy around a pipeline of perceptag of one layer or more."""

    attribute = "tag_"

    def __init__(self, name: str, **config: Any) -> None:
        self.name = name
        self.cfg = {**_DEFAULT, **config}
        self._pipeline: Pipeline | None = None
        for kind in (Token, Span):
            if not kind.has_extension(CONFIDENCE):
                kind.set_extension(CONFIDENCE, default=None)
        if self.cfg["model"] is not None and not _is_loading():
            self._pipeline = self._named()  # a wrong model or layer is an error of `add_pipe`
            self._refuse_names(self._pipeline)

    @property
    def pipeline(self) -> Pipeline:
        """The model. One that the config of a saved pipeline names is loaded when it is first needed."""
        if self._pipeline is None:
            if self.cfg["model"] is None:
                raise SettingError(f"{self.name}: there is no model yet: nlp.initialize(lambda: examples) trains one")
            self._pipeline = self._named()
        return self._pipeline

    def _named(self) -> Pipeline:
        """Return the model that the config names, up to its layer."""
        whole = as_pipeline(self.cfg["model"])
        return self._checked(whole.upto(self.cfg["layer"] or self._usual_layer(whole)))

    def _usual_layer(self, whole: Pipeline) -> str:
        """Return the last layer of spans, of lemmas or of tags, as the attribute needs, or else the last one."""
        wanted = self.attribute == NER, self.attribute == "lemma_"
        kinds = {layer.name: (layer.scheme != "none", layer.ready.model.label_set.is_open) for layer in whole.layers}
        return next((name for name, kind in reversed(kinds.items()) if kind == wanted), whole.top.name)

    def _refuse_names(self, pipeline: Pipeline) -> None:
        """Refuse a model that finds names only, where tags are wanted, unless its layer is named."""
        if self.attribute != NER and not self.cfg["layer"] and pipeline.top.scheme != "none":
            found = f"found the layer {pipeline.top.name!r} with spans, which are for perceptag_ner"
            raise SettingError(f"{self.name}: model: expected tags of words, {found}; config has layer to name it")

    def _checked(self, pipeline: Pipeline) -> Pipeline:
        """Refuse a model that cannot find names, where names are to be found."""
        labels = pipeline.top.ready.model.label_set.names
        if self.attribute == NER and pipeline.top.scheme == "none":
            found = f"{pipeline.top.name!r} with {', '.join(labels[:5])}{', …' if len(labels) > 5 else ''}"
            raise SettingError(f"{self.name}: model: expected labels of spans, such as B-PER, found the layer {found}")
        return pipeline

    @property
    def labels(self) -> tuple[str, ...]:
        """The labels that it gives; none before there is a model, since spaCy asks at once."""
        names = self._pipeline.top.ready.model.label_set.names if self._pipeline else ()
        return tuple(names) if self.attribute != NER else tuple(sorted({y.partition("-")[2] for y in names} - {""}))

    # --- tagging ---

    def __call__(self, doc: Doc) -> Doc:
        """Label a document."""
        self._label([doc])
        return doc

    def pipe(self, stream: Iterable[Doc], *, batch_size: int = 128) -> Iterator[Doc]:
        """Label many documents, some at a time."""
        for docs in minibatch(stream, size=batch_size):
            self._label(docs)
            yield from docs

    def _label(self, docs: list[Doc]) -> None:
        parts = [to_sentences([doc], columns=self.cfg["columns"], spaces=False) for doc in docs]
        sentences = [sentence for part in parts for sentence in part]
        pipeline = self.pipeline
        pipeline.add_lower(sentences, pipeline.threads)
        sure = iter(self._confident(pipeline, sentences))
        for doc, part in zip(docs, parts, strict=True):
            set_labels(doc, on_tokens(doc, self._labels(pipeline, part), self.attribute), self.attribute)
            self._set_confidence(doc, [found for _, found in zip(part, sure, strict=False)])

    def _confident(self, pipeline: Pipeline, sentences: list[Sentence]) -> list[Confident]:
        """Label the sentences; return how sure the model is, if that is wanted."""
        if not self.cfg["confidence"]:
            pipeline.top.add(sentences, pipeline.threads)
            return []
        if pipeline.top.calibration() is None:
            raise SettingError(
                f"{self.name}: confidence: expected a model that is calibrated; nlp.initialize with dev examples "
                "calibrates one: [initialize.components] has dev"
            )
        return pipeline.top.confident(sentences, pipeline.threads)

    def _labels(self, pipeline: Pipeline, sentences: list[Sentence]) -> list[str]:
        """Return the labels of a document; those of names begin with B- wherever a name begins."""
        if self.attribute != NER:
            return [label for sentence in sentences for label in sentence.columns[pipeline.top.name]]
        found: list[str] = []
        for sentence in sentences:
            labels = ["O"] * len(sentence)
            for start, end, kind in pipeline.top.spans_of(sentence):
                labels[start:end] = [f"B-{kind}", *[f"I-{kind}"] * (end - start - 1)]
            found += labels
        return found

    def _set_confidence(self, doc: Doc, sure: list[Confident]) -> None:
        """Tell how sure the model is: of the tags of tokens, or of the names, which are spans."""
        first = 0
        places = [token.i for token in doc if not token.is_space]
        for found in sure:
            words = places[first : first + len(found.tokens)]
            for t, probability in zip(words, found.tokens, strict=True) if self.attribute != NER else ():
                doc[t]._.set(CONFIDENCE, probability)
            for span, probability in found.spans if self.attribute == NER else ():
                name = Span(doc, words[span.start], words[span.end - 1] + 1, label=type_name(span.label))
                name._.set(CONFIDENCE, probability)
            first += len(words)

    def explain(self, doc: Doc) -> list[Explained]:
        """Say why the sentences of a document get their labels; `Explained.render` makes a text of it."""
        sentences = to_sentences([doc], columns=self.cfg["columns"], spaces=False)
        pipeline = self.pipeline
        pipeline.add_lower(sentences, pipeline.threads)
        return list(pipeline.top.ready.explain(sentences))

    # --- training ---

    def initialize(self, get_examples: Callable[[], Iterable[Example]], *, nlp: Any = None, dev: Any = None) -> None:
        """Train on all examples. With `dev`, more of them or what reads them, the best pass is kept and calibrated.

        Where the examples have no labels for this component, a model that is there stays, and none is an error.
        """
        train = self._sentences(get_examples())
        if not train and (self._pipeline is not None or self.cfg["model"] is not None):
            return
        if not train:
            what = "entities" if self.attribute == NER else f"token.{self.attribute}"
            raise SettingError(f"{self.name}: examples: expected some with {what}, found none")
        held = self._sentences(dev(nlp) if callable(dev) else dev) if dev is not None else None
        tagger = Tagger(self.cfg["recipe"], labels_column=LABEL, **self.cfg["settings"])
        self._pipeline = Pipeline([tagger.fit(train, dev=held or None)])

    def _sentences(self, examples: Iterable[Example]) -> list[Sentence]:
        """Return the gold sentences of the examples that have labels for this component."""
        has = "ENT_IOB" if self.attribute == NER else self.attribute.rstrip("_").upper()
        docs = [example.reference for example in examples if example.reference.has_annotation(has)]
        return to_sentences(docs, self.attribute, self.cfg["columns"], spaces=False)

    def update(
        self, examples: Iterable[Example], *, losses: dict[str, float] | None = None, **arguments: Any
    ) -> dict[str, float]:
        """Do nothing: `initialize` has trained the model with all examples."""
        del examples, arguments
        found = losses if losses is not None else {}
        found.setdefault(self.name, 0.0)
        return found

    # --- files ---

    def to_bytes(self, *, exclude: Iterable[str] = ()) -> bytes:
        """Return the model as the bytes of its file; nothing if there is none."""
        del exclude
        if self._pipeline is None and self.cfg["model"] is None:
            return b""
        return pipelinefile.to_bytes([(layer.name, layer.ready.model) for layer in self.pipeline.layers])[0]

    def from_bytes(self, data: bytes, *, exclude: Iterable[str] = ()) -> Component:
        """Take a model from bytes."""
        del exclude
        self._pipeline = Pipeline.from_bytes(data, self.name) if data else None
        return self

    def to_disk(self, path: str | Path, *, exclude: Iterable[str] = ()) -> None:
        """Write the model to a folder."""
        data = self.to_bytes(exclude=exclude)
        folder = Path(path)
        folder.mkdir(parents=True, exist_ok=True)
        (folder / _FILE).write_bytes(data)

    def from_disk(self, path: str | Path, *, exclude: Iterable[str] = ()) -> Component:
        """Read the model from a folder."""
        return self.from_bytes(modelfile.read_file(str(Path(path) / _FILE)), exclude=exclude)


def _is_loading() -> bool:
    """Whether spaCy makes a pipeline from a config: models may then come from its folder, and their files be gone."""
    making, frame = Language.from_config.__func__.__code__, inspect.currentframe()
    while frame is not None and frame.f_code is not making:
        frame = frame.f_back
    return frame is not None


class PerceptagTagger(Component):
    """Sets ``token.tag_``, or another attribute of tokens."""

    def __init__(self, name: str, attribute: str = "tag_", **config: Any) -> None:
        if attribute not in ("tag_", "pos_", "lemma_"):
            raise SettingError(f"{name}: attribute: expected 'tag_', 'pos_' or 'lemma_', found {brief(attribute)}")
        self.attribute = attribute
        super().__init__(name, **config)

    def score(self, examples: Iterable[Example], **arguments: Any) -> dict[str, Any]:
        """Return the accuracy, as spaCy's tagger does."""
        del arguments
        return dict(Scorer.score_token_attr(examples, self.attribute.rstrip("_")))


class PerceptagNer(Component):
    """Sets ``doc.ents``."""

    attribute = NER

    def score(self, examples: Iterable[Example], **arguments: Any) -> dict[str, Any]:
        """Return precision, recall and F of entities, as spaCy's recogniser does."""
        from spacy.scorer import get_ner_prf

        return dict(get_ner_prf(examples, **arguments))


@Language.factory(
    "perceptag_tagger",
    assigns=["token.tag", "token.pos", "token.lemma"],
    default_config={**_DEFAULT, "attribute": "tag_"},
    default_score_weights={"tag_acc": 1.0},
)
def make_tagger(  # noqa: PLR0913 - the config is the arguments
    nlp: Any,
    name: str,
    attribute: str,
    model: str | None,
    layer: str | None,
    recipe: str,
    settings: Mapping[str, Any],
    columns: Mapping[str, str],
    confidence: bool,
) -> PerceptagTagger:
    """Make the component `perceptag_tagger`."""
    del nlp
    return PerceptagTagger(
        name,
        attribute,
        model=model,
        layer=layer,
        recipe=recipe,
        settings=settings,
        columns=columns,
        confidence=confidence,
    )


@Language.factory(
    "perceptag_ner",
    assigns=["doc.ents", "token.ent_iob", "token.ent_type"],
    default_config=_DEFAULT,
    default_score_weights={"ents_f": 1.0, "ents_p": 0.0, "ents_r": 0.0, "ents_per_type": None},
)
def make_ner(
    nlp: Any,
    name: str,
    model: str | None,
    layer: str | None,
    recipe: str,
    settings: Mapping[str, Any],
    columns: Mapping[str, str],
    confidence: bool,
) -> PerceptagNer:
    """Make the component `perceptag_ner`."""
    del nlp
    return PerceptagNer(
        name, model=model, layer=layer, recipe=recipe, settings=settings, columns=columns, confidence=confidence
    )

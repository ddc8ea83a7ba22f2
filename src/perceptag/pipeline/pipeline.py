"""The pipeline: several models as one, from running text to labels.

>>> from perceptag import Tagger
>>> pos = Tagger("collins-pos", epochs=3, labels_column="pos").fit([["the", "dog"], ["a", "cat"]], [["DT", "NN"]] * 2)
>>> Pipeline([pos]).tag([["the", "cat"]])[0].columns
{'form': ['the', 'cat'], 'pos': ['DT', 'NN']}
"""

from __future__ import annotations

import copy
import dataclasses
import os
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from perceptag.arrays import whole_number
from perceptag.errors import ModelError, SettingError, at_place, brief, nearest
from perceptag.models import model_file as modelfile
from perceptag.models.model import Model
from perceptag.models.protocol import ReadyModel
from perceptag.pipeline import pipeline_file as pipelinefile
from perceptag.pipeline.installed import path_of
from perceptag.pipeline.layers import (
    Layer,
    arrange,
    default_name,
    inputs_of,
    ready_of,
    usual_layer,
    with_joined_rules,
)
from perceptag.system.cores import cores, thread_map
from perceptag.system.file_kinds import MODEL
from perceptag.system.memory import loading
from perceptag.system.output_files import open_output
from perceptag.system.replacing import refuse_other_kind
from perceptag.text.lines import Source, checked_path
from perceptag.text.sentence import Sentence
from perceptag.text.text_layout import sentences_of
from perceptag.text.tokens import Passage, joined

if TYPE_CHECKING:  # what only some uses need is imported by them, so that `perceptag tag` starts quickly
    from perceptag.evaluation.tokens import TokenReport
    from perceptag.models.confident import Confident
    from perceptag.pipeline.document import Document
    from perceptag.pipeline.explaining import Why
    from perceptag.pipeline.text_documents import DocumentRule
    from perceptag.text.treebank import Treebank

MAX_THREADS = 1024
LOADING = 2  # threads: the largest layer alone takes about half of the time, so more would wait for it


class Pipeline:
    """Models in order, each of which reads the labels of the models before it.

    Parameters
    ----------
    models : taggers, at most one tokeniser, which comes first, rules, other pipelines, paths of files, or names of
        installed models; in a dictionary with their names. The name of a layer is the column that it gives: by default
        that of the labels in its training data. A pipeline gives all its layers, or the one of the name in the
        dictionary. Rules for the column of an earlier layer join the search of its model.
    allow_code : import the functions that models in files name as ``name=module:function``
    threads : how many threads tagging may use

    A pipeline is read-only and may be shared by any number of threads. `card` is its model card, if its file has one.
    """

    card = ""

    def __init__(
        self, models: Mapping[str, Any] | Iterable[Any], *, allow_code: bool = False, threads: int = 1
    ) -> None:
        listed = _listed(models, "models", "a list or a dictionary of models")
        named = models.items() if isinstance(models, Mapping) else (("", model) for model in listed)
        self._models = with_joined_rules([layer for name, model in named for layer in _layers(name, model, allow_code)])
        self.tokenizer, self.layers = arrange(self._models)
        self.threads = whole_number("threads", threads, 1, MAX_THREADS)

    @property
    def names(self) -> list[str]:
        """The names of the layers: the columns that the pipeline gives."""
        return [layer.name for layer in self.layers]

    @property
    def inputs(self) -> list[str]:
        """The columns that it needs."""
        return inputs_of(self.layers)

    @property
    def top(self) -> Layer:
        """The last layer."""
        if not self.layers:
            raise SettingError("this pipeline has no model that tags: it has a tokeniser and nothing else")
        return self.layers[-1]

    @property
    def usual(self) -> Layer:
        """The layer whose labels are shown by default: the last one, or, if that gives lemmas, entities or tags."""
        return usual_layer(self.layers) if self.layers else self.top

    @property
    def models(self) -> dict[str, ReadyModel]:
        """The models by their names, a tokeniser included."""
        return dict(self._models)

    def with_layers(
        self,
        *,
        replace: Mapping[str, Any] | None = None,
        add: Mapping[str, Any] | Iterable[Any] = (),
        drop: Iterable[str] = (),
    ) -> Pipeline:
        """Return a pipeline with some layers replaced by other models, some added at its end, and some left out.

        Models are those that `Pipeline` takes. This pipeline stays as it is.
        """
        if replace is not None and not isinstance(replace, Mapping):
            raise SettingError(f"replace: expected a dictionary of models, found {brief(replace)}")
        dropped = [drop] if isinstance(drop, str) else _listed(drop, "drop", "names of layers")
        models: dict[str, Any] = self.models
        for argument, names in (("replace", replace or {}), ("drop", dropped)):
            for name in names:
                _check_layer(name, models, argument)
                models[name] = (replace or {}).get(name)
        for name, model in Pipeline(add).models.items() if add else ():
            if models.get(name) is not None:
                raise SettingError(
                    f"add: expected a layer of another name than {name!r}, or replace={{{name!r}: model}}"
                )
            models[name] = model
        return Pipeline({name: model for name, model in models.items() if model is not None}, threads=self.threads)

    def with_rules(
        self, *, never_split: Iterable[str] = (), always_split: Iterable[str] = (), lines: str | None = None
    ) -> Pipeline:
        """Return a pipeline whose tokeniser has rules of your own: those of `perceptag.Tokenizer.with_rules`."""
        from perceptag.models.tokenizer.user_rules import changed_rules

        ready = self._tokenizer()
        changed = ready.with_rules(changed_rules(ready.rules, never_split, always_split, lines))
        models = {name: changed if model is ready else model for name, model in self._models}
        return Pipeline(models, threads=self.threads)

    def upto(self, name: str) -> Pipeline:
        """Return the pipeline that ends with a layer."""
        _check_layer(name, self.names, "layer")
        last = [layer for layer, _ in self._models].index(name)
        return Pipeline(dict(self._models[: last + 1]), threads=self.threads)

    def looks_at_documents(self) -> bool:
        """Whether the labels of a sentence may depend on other sentences of its document."""
        return any(layer.ready.looks_at_documents() for layer in self.layers)

    def __repr__(self) -> str:
        return f"Pipeline({', '.join(name for name, _ in self._models)})"

    def _repr_html_(self) -> str:
        """Return a table of the layers, for notebooks."""
        from perceptag.models.model_html import layers_html  # only notebooks ask for it

        return layers_html("Pipeline", [(name, ready.model, ready.input_columns()) for name, ready in self._models])

    # --- running text ---

    def __call__(self, text: str, *, confidence: bool | None = None) -> Document:
        """The sentences, tokens, labels and spans of a text.

        `confidence` takes time. By default layers that mark spans give it, if they are calibrated; with True all layers
        do, with False none.
        """
        from perceptag.pipeline.text_documents import checked_text

        return self.documents([checked_text(text)], confidence=confidence)[0]

    def explain(self, text: str, *, layer: str | None = None) -> Why:
        """Explain the labels of a text: what each feature contributes to them, and the margin to the best rivals.

        `layer` is by default that of entities, or of tags. ``nlp(text).explain(word)`` explains one word or span.
        """
        return self(text, confidence=False).explain(layer=layer)

    def pipe(
        self,
        texts: Iterable[Any],
        *,
        batch_size: int = 64,
        n_process: int = 1,
        as_tuples: bool = False,
        confidence: bool | None = None,
    ) -> Iterator[Any]:
        """Yield the documents of many texts, in order; each is the same as from a call with its text alone.

        `batch_size`: texts that are labelled at once. `n_process`: processes that share the work, each of which loads
        the models once; -1: one for each core. With `as_tuples` the texts come with something of your own, as
        ``(text, context)``, and the documents with the same: ``(document, context)``.
        """
        from perceptag.pipeline.many_texts import pipe

        self._tokenizer()
        return pipe(self, texts, batch_size, n_process, as_tuples, confidence)

    def documents(self, texts: Sequence[str], *, confidence: bool | None = None) -> list[Document]:
        """Return the documents of some texts, which are labelled at once and do not influence each other."""
        from perceptag.pipeline.text_documents import checked_text, listed_texts, passages

        tokenizer, listed = self._tokenizer(), enumerate(listed_texts(texts))
        read = [joined(list(passages(tokenizer, [checked_text(text, f"text {i}")]))) for i, text in listed]
        return self._documents(read, confidence)

    def stream(
        self, source: Source, *, confidence: bool | None = None, documents: str | int | None = None
    ) -> Iterator[Document]:
        """Yield the documents of a file or a stream of any length; only one part is in memory at a time.

        `documents` says what ends a document, for layers that look at whole ones: ``mark``, the default, is a blank
        line with a form feed, ``blank-line`` is every blank line, and a number counts sentences.
        """
        for passage in self.passages(source, documents):
            yield from self._documents([passage], confidence)

    def passages(self, source: Source, documents: str | int | DocumentRule | None = None) -> Iterator[Passage]:
        """The parts of a file or a stream; if a layer looks at documents, whole documents."""
        from perceptag.pipeline.text_documents import document_rule, read_passages, whole_documents

        found = read_passages(self._tokenizer(), source, document_rule(documents))
        return whole_documents(found) if self.looks_at_documents() else found

    def _documents(self, found: Sequence[Passage], confidence: bool | None) -> list[Document]:
        from perceptag.pipeline.annotating import LabelledText
        from perceptag.pipeline.typed_text import label_typed

        typed = label_typed(
            [sentence for passage in found for sentence in passage.sentences], self.layers, self.threads
        )
        sentences: list[Sentence] = []
        if typed is None:
            sentences = [sentence for passage in found for sentence in sentences_of(passage)]
            self._label(sentences)
        return LabelledText(found, self.layers, typed, sentences, partial(self._confidence, confidence)).documents()

    def _confidence(self, wanted: bool | None, sentences: Sequence[Sentence]) -> dict[str, list[Confident]]:
        """How sure the calibrated layers are of the labels of sentences, if users want to know it of them."""
        layers = [layer for layer in self.layers if (layer.scheme != "none" if wanted is None else wanted)]
        return {
            layer.name: layer.confident(sentences, self.threads) for layer in layers if layer.calibration() is not None
        }

    def _tokenizer(self) -> Any:
        if self.tokenizer is None:
            raise SettingError(
                "text: this pipeline has no tokeniser, so it takes sentences of tokens: pipeline.tag([['The', 'dog']])"
                "; Pipeline([perceptag.load('en').tokenizer, pipeline]) takes text"
            )
        return self.tokenizer

    # --- sentences ---

    def tag(self, X: Iterable[object]) -> list[Sentence]:
        """Sentences whose tokens are given, with a column for each layer: token lists, or sentences with columns."""
        from perceptag.text.inputs import as_sentences

        sentences = [dataclasses.replace(s, columns=dict(s.columns)) for s in as_sentences(X)]
        self._label(sentences)
        return sentences

    def add_lower(self, sentences: Sequence[Sentence], threads: int = 1) -> None:
        """Put the labels of all layers but the last into sentences: the columns that the last one reads."""
        for layer in self.layers[:-1]:
            layer.add(sentences, threads)

    def _label(self, sentences: Sequence[Sentence]) -> None:
        """Put the labels of all layers into sentences."""
        for layer in self.layers:
            layer.add(sentences, self.threads)

    # --- measuring ---

    def evaluate(self, gold: Source | Iterable[Sentence], *, shared_task: bool = False) -> TokenReport:
        """Run on the text of a treebank in CoNLL-U; score tokens, sentences, words, and layers named after its columns.

        Counts are those of the CoNLL 2018 shared task. With `shared_task`, so are the names of the scores (UPOS,
        UFeats, AllTags …) and what is compared: of features, say, only those that are universal.
        """
        from perceptag.evaluation.shared_task import compared
        from perceptag.evaluation.tokens import evaluate_tokens
        from perceptag.pipeline.text_documents import passages
        from perceptag.text.treebank import given_treebank

        bank = given_treebank(gold, "gold")
        wanted = bank.passage()
        found = joined(list(passages(self._tokenizer(), [wanted.text])))
        sentences = sentences_of(found)
        self._label(sentences)
        names = [name for name in self.names if _is_filled(bank, name)]
        expected = {name: _column(bank, name) for name in names}
        given = {name: _values(sentences, name) for name in names}
        if shared_task:
            expected, given = compared(expected), compared(given)
        layers = {name: (expected[name], given[name]) for name in expected}
        return evaluate_tokens(wanted, found, layers)

    # --- files ---

    def save(self, path: str | os.PathLike[str], *, compress: bool = False, overwrite: bool = False) -> str:
        """Write all models to one file, atomically and once it is sure to load again; return its SHA-256.

        A compressed file is about three times smaller. An existing model is replaced, and kept as PATH.bak. With
        `overwrite` any file is, and nothing is kept.
        """
        target = checked_path(path, "path")
        refuse_other_kind("path", target, MODEL, overwrite=overwrite)
        layers = [(name, ready.model) for name, ready in self._models]
        data, sha = pipelinefile.to_bytes(layers, compress=compress, card=self.card)
        pipelinefile.load_bytes(data, f"{target}: not written, because nothing could load it")
        with open_output(target, keeps_old=not overwrite) as stream:
            stream.write(data)
        return sha

    @classmethod
    def load(
        cls,
        path: str | os.PathLike[str],
        *,
        allow_code: bool = False,
        threads: int = 1,
    ) -> Pipeline:
        """Read a pipeline file, or a model file as a pipeline of one layer. This runs no code that is not allowed."""
        name = checked_path(path, "path")
        data = modelfile.read_file(name)
        return cls.from_bytes(data, name, allow_code=allow_code, threads=threads)

    @classmethod
    def from_bytes(
        cls, data: bytes, path: str, *, allow_code: bool = False, threads: int = 1, last: str = ""
    ) -> Pipeline:
        """Make a pipeline from the bytes of a file; if there is a layer `last`, without those behind it."""
        if not isinstance(data, (bytes, bytearray, memoryview)):
            raise SettingError(f"data: expected the bytes of a file, found {brief(data)}")
        with loading():
            return cls._from_bytes(data, path, allow_code=allow_code, threads=threads, last=last)

    @classmethod
    def _from_bytes(cls, data: bytes, path: str, *, allow_code: bool, threads: int, last: str) -> Pipeline:
        is_model = modelfile.kind_of(data) != pipelinefile.KIND
        stored, manifest = (
            ([("", modelfile.load_bytes(data, path))], {})
            if is_model
            else pipelinefile.load_bytes(data, path, last=last)
        )
        named = {layer or default_name(model): (layer, model) for layer, model in stored}
        ready = thread_map(partial(_blaming, path, allow_code=allow_code), named.values(), min(LOADING, cores()))
        try:
            made = cls(dict(zip(named, ready, strict=True)), threads=threads)
        except ModelError as error:
            raise ModelError(f"{path}: {error}") from error
        made.card = manifest.get("card", "")
        return made

    def __reduce__(self) -> tuple[Any, ...]:
        """A pickled pipeline holds the bytes of its file, which are checked when it is read."""
        data = pipelinefile.to_bytes([(name, ready.model) for name, ready in self._models], card=self.card)[0]
        return _restore, (data, self.threads)


def _restore(data: bytes, threads: int) -> Pipeline:
    return Pipeline.from_bytes(data, "pickled pipeline", threads=threads)


def _listed(values: object, argument: str, expected: str) -> Iterable[Any]:
    if isinstance(values, (str, os.PathLike)) or not isinstance(values, Iterable):
        raise SettingError(f"{argument}: expected {expected}, found {brief(values)}")
    return values


def _check_layer(name: object, known: Collection[str], argument: str) -> None:
    if not isinstance(name, str) or name not in known:
        expected = ", ".join(known)
        raise SettingError(f"{argument}: expected one of {expected}; found {brief(name)}{nearest(name, known)}")


def _layers(name: str, model: Any, allow_code: bool) -> list[tuple[str, ReadyModel]]:
    """The layers of a model: itself, or those of a pipeline; of several, a name chooses one."""
    if isinstance(model, (str, os.PathLike)):
        model = Pipeline.load(path_of(checked_path(model, "models")), allow_code=allow_code)
    found = model.models if isinstance(model, Pipeline) else {"": _ready(model)}
    if name and len(found) > 1:
        _check_layer(name, found, "models")
        return [(name, found[name])]
    return [(name or layer or default_name(ready.model), ready) for layer, ready in found.items()]


def _ready(model: Any) -> ReadyModel:
    """A model that is ready, or can be made so: that of a tagger or of a tokeniser."""
    found = getattr(model, "ready_model", model)
    if not isinstance(found, ReadyModel):
        from perceptag.models.rules.tagger import RulesTagger  # models start without it
        from perceptag.rules.rules import Rules

        if isinstance(model, Rules):
            return RulesTagger.of(model)
        raise SettingError(
            "models: expected taggers, tokenisers, rules, pipelines, paths of files or names of installed models, "
            f"found {brief(model)}"
        )
    newest = getattr(model, "model_", found.model)
    if newest is not found.model:  # the same model, calibrated since
        found = copy.copy(found)
        found.model = newest
    return found


def _blaming(path: str, stored: tuple[str, Model], *, allow_code: bool) -> ReadyModel:
    """A model made ready; if something is wrong with it, the message names the file, and its layer if it has any."""
    layer, model = stored
    try:
        return ready_of(model, allow_code=allow_code)
    except (ModelError, SettingError) as error:
        raise at_place(error, f"{path}: layer {layer!r}" if layer else path) from error


def _column(bank: Treebank, name: str) -> list[str]:
    return _values([gold.sentence for gold in bank.sentences], name)


def _values(sentences: Iterable[Sentence], name: str) -> list[str]:
    return [value for sentence in sentences for value in sentence.columns.get(name, ())]


def _is_filled(bank: Treebank, name: str) -> bool:
    """Whether a treebank has labels in this column: in CoNLL-U "_" means that there is none."""
    return any(value != "_" for value in _column(bank, name))

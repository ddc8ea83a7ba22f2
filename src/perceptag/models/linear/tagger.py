"""A linear model made ready to tag and to explain."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence
from itertools import chain

import numpy as np

from perceptag import _core
from perceptag.confidence.margins import Margins, MarginsOfScores
from perceptag.corpus.dataset import computed_columns, document_begins, make_dataset
from perceptag.encoding.tag_dictionary import ClosedWords
from perceptag.errors import ModelError, SettingError, brief
from perceptag.features import gazetteer
from perceptag.features.attributes import Attribute, is_known
from perceptag.features.document_columns import COLUMNS as DOCUMENT_COLUMNS
from perceptag.features.template import Template, parse_all
from perceptag.labels.writer import LabelWriter
from perceptag.models.explanation import Explanation
from perceptag.models.linear.explain import explain
from perceptag.models.linear.packing import unpack
from perceptag.models.list_memory import require_lists
from perceptag.numeric.arrays import offsets
from perceptag.recipe.checks import MAX_SNAPSHOTS, UNITS
from perceptag.store.model import Model
from perceptag.text.documents import split_documents
from perceptag.text.sentence import Sentence


class LinearTagger:
    """Tags sentences with a linear model; a `perceptag.models.protocol.Compiled`."""

    def __init__(self, model: Model, attributes: Mapping[str, Attribute] | None = None) -> None:
        self.model = model
        self.templates = model_templates(model)
        check_attributes(self.templates, model.recipe.attributes, attributes or {})
        labels = len(model.label_set.names)
        closed = ClosedWords.checked(model.facts["closed"], labels) if "closed" in model.facts else None
        self.linear = unpack(
            model.arrays,
            self.templates,
            model.label_set,
            model.recipe.constrain,
            _snapshots(model),
            closed,
            attributes,
        )
        self.computed = computed_columns(model_gazetteer(model))
        self.label_writer = LabelWriter(model.label_set)
        self.to_margins = MarginsOfScores(model.label_set)
        self.whole_documents = _takes_whole_documents(model)
        self.columns = [*self.linear.encoder.columns, *(["form"] if closed else [])]

    def tag(self, sentences: Sequence[Sentence], threads: int = 1) -> list[list[str]]:
        """The labels of each sentence, as the training data writes them."""
        data = make_dataset(sentences, self.columns, computed=self.computed)
        units = document_begins(sentences) if self.whole_documents else data.begin
        return self.label_writer(self.linear.tag(data.columns, units, threads), data.begin)

    def margins(self, sentences: Sequence[Sentence], threads: int = 1) -> list[Margins]:
        """The labels of each sentence, and by how much they win; where weight vectors vote, on average."""
        data = make_dataset(sentences, self.columns, computed=self.computed)
        units = document_begins(sentences) if self.whole_documents else data.begin
        corpus = self.linear.encode(data.columns, units)
        ids, L = self.linear.tag(data.columns, units, threads), len(self.model.label_set.names)
        scores = [
            _core.max_marginals(w, corpus, self.linear.dictionary, threads).reshape(-1, L) for w in self.linear.vectors
        ]
        mean = scores[0] if len(scores) == 1 else np.mean(scores, axis=0)
        return self.to_margins(mean, ids, data.begin, self.label_writer(ids, data.begin))

    def nbest(self, sentences: Sequence[Sentence], n: int, threads: int = 1) -> list[list[tuple[list[str], float]]]:
        """The n best labellings of each sequence with their scores, the best first."""
        if len(self.linear.vectors) > 1:
            raise SettingError("a model whose weight vectors vote cannot rank labellings; train with weights=averaged")
        weights, dictionary = self.linear.vectors[0], self.linear.dictionary
        return self.with_scores(sentences, n, lambda corpus: _core.nbest_batch(weights, corpus, n, dictionary, threads))

    def with_scores(
        self, sentences: Sequence[Sentence], n: int, search: Callable[[_core.Corpus], list[_core.NBest]]
    ) -> list[list[tuple[list[str], float]]]:
        """The lists of n that a search finds for each sequence, as labels with scores."""
        data = make_dataset(sentences, self.columns, computed=self.computed)
        units = document_begins(sentences) if self.whole_documents else data.begin
        self.linear.require_lattice(units)
        require_lists(n, self.linear.vectors[0].labels, units)
        lists = search(self.linear.encode(data.columns, units))
        sequences = split_documents(sentences) if self.whole_documents else [[s] for s in sentences]
        return [self._with_scores(sequence, best) for sequence, best in zip(sequences, lists, strict=True)]

    def _with_scores(self, sequence: Sequence[Sentence], best: _core.NBest) -> list[tuple[list[str], float]]:
        begin = offsets([len(s) for s in sequence])
        labellings = (list(chain(*self.label_writer(ids, begin))) for ids in best.labels)
        return list(zip(labellings, best.scores.tolist(), strict=True))

    def explain(self, sentence: Sentence) -> Explanation:
        """What each feature contributes to the labels of a sentence, and the margin to the best rival."""
        return self.explain_document([sentence], 0)

    def explain_document(self, document: Sequence[Sentence], number: int) -> Explanation:
        """The same for one sentence of a document, counted from 0."""
        return explain(self, document, number)

    def known_words(self) -> Container[str] | None:
        """The words of the training data, or None if the model does not look at whole words."""
        encoder = self.linear.encoder
        slot = encoder.slots.get("form", {}).get(())
        return None if slot is None else encoder.vocabularies["form"][slot]


def _takes_whole_documents(model: Model) -> bool:
    unit = model.facts.get("unit", "sentence")
    if unit not in UNITS:
        raise ModelError(f"unknown unit {brief(unit)}; expected {' or '.join(UNITS)}")
    return bool(unit == "document")


def _snapshots(model: Model) -> int:
    number = model.facts.get("snapshots", 1)
    if not isinstance(number, int) or not 1 <= number <= MAX_SNAPSHOTS:
        raise ModelError(f"the model claims {brief(number)} weight vectors")
    return number


def model_templates(model: Model) -> list[Template]:
    """The templates of a model, read again."""
    if "templates" not in model.facts:
        raise ModelError("facts.templates: expected a list of strings, found nothing")
    try:
        return parse_all(model.facts["templates"], [*model.columns, *DOCUMENT_COLUMNS, gazetteer.COLUMN])
    except SettingError as error:
        raise ModelError(str(error)) from error


def model_gazetteer(model: Model) -> gazetteer.Gazetteer | None:
    """The phrases of a model, if it has any use for them."""
    lists = model.facts.get("gazetteer")
    return None if lists is None else gazetteer.Gazetteer.from_dict(lists)


def check_attributes(
    templates: Sequence[Template], entries: Sequence[str], attributes: Mapping[str, Attribute]
) -> None:
    """Refuse a model that needs functions of the user which are not there."""
    wanted = [entry.partition("=")[0] for entry in entries]
    wanted += [name for t in templates for f in t.fields for name in f.attributes if not is_known(name)]
    for name in wanted:
        if name not in attributes:
            raise SettingError(
                f"the model uses the attribute {name!r}, which is code of your own: give it as "
                f"attributes={{{name!r}: function}}, or allow perceptag to import it (--allow-code)"
            )

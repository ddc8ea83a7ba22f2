"""perceptag for NLTK: a tagger with its interface, and sentences from its corpus readers.

from nltk.corpus import treebank
from perceptag.nltk import PerceptagTagger

tagger = PerceptagTagger(train=treebank.tagged_sents()[:3000])
tagger.tag("The dog barks .".split())
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import Any

from nltk.chunk import tree2conlltags
from nltk.tag.api import TaggerI
from nltk.tree import Tree

from perceptag.errors import DataError, SettingError, brief, nearest
from perceptag.pipeline.layers import tag_layer
from perceptag.pipeline.loading import as_pipeline
from perceptag.pipeline.pipeline import Pipeline
from perceptag.recipe import auto
from perceptag.tagger import Tagger
from perceptag.text.inputs import as_list
from perceptag.text.sentence import Sentence

__all__ = ["PerceptagTagger", "to_sentences"]

LABEL = "label"
Tagged = list[tuple[str, str]]


def to_sentences(corpus: Iterable[Any]) -> list[Sentence]:
    """Return the sentences of `tagged_sents`, `chunked_sents`, `iob_sents` or `sents` of a corpus reader of NLTK.

    A sentence of NLTK is a list of words, of pairs (word, tag), of triples (word, tag, chunk), or a tree of chunks,
    which has the triples. The last one of each becomes the column ``label``; with triples the tag is ``pos``.

    >>> to_sentences([[("The", "DT"), ("dog", "NN")]])[0].columns
    {'form': ['The', 'dog'], 'label': ['DT', 'NN']}
    """
    return [_sentence(one, f"sentence {i}") for i, one in enumerate(as_list(corpus, "a list of sentences"))]


def _sentence(given: Any, where: str) -> Sentence:
    tokens = _triples(given, where) if isinstance(given, Tree) else as_list(given, "a list of tokens", where)
    rows = [tuple(token) if isinstance(token, (tuple, list)) else (token,) for token in tokens]
    names = _NAMES.get(len(rows[0]) if rows else 1)
    for t, row in enumerate(rows):
        if names is None or len(row) != len(names) or not all(isinstance(value, str) for value in row):
            expected = "a word, or a word with its tag, or with its tag and chunk"
            raise DataError(
                f"expected {expected}, as the first token is; found {brief(tokens[t])}", f"{where}, token {t}"
            )
    assert names
    return Sentence({name: [row[i] for row in rows] for i, name in enumerate(names)}, where)


def _triples(tree: Tree, where: str) -> list[tuple[str, str, str]]:
    try:
        return list(tree2conlltags(tree))
    except (ValueError, IndexError, TypeError):  # deeper trees, and leaves that are not pairs
        expected = "a tree of chunks, whose leaves are words with their tags"
        raise DataError(f"expected {expected}, found {brief(tree)}", where) from None


_NAMES = {1: ("form",), 2: ("form", LABEL), 3: ("form", "pos", LABEL)}


class PerceptagTagger(TaggerI):
    """A tagger with the interface of NLTK: `tag`, `tag_sents`, `accuracy` and the rest of `nltk.tag.api.TaggerI`.

    `train`: tagged sentences or trees of a corpus reader; or `model`: a `perceptag.Tagger`, a pipeline, a file, or the
    name of an installed model. `layer` chooses the layer that gives the labels: by default ``upos``, ``xpos``, the last
    one that gives tags, or the last one. `recipe` and keys of recipes, for training, are those of `Tagger`.
    """

    def __init__(
        self,
        train: Iterable[Any] | None = None,
        model: Tagger | Pipeline | str | os.PathLike[str] | None = None,
        *,
        layer: str | None = None,
        recipe: str = auto.NAME,
        **settings: Any,
    ) -> None:
        if train is not None and model is not None:
            raise SettingError("model: expected train= or model=, found both")
        self.recipe, self.settings = recipe, settings
        self.pipeline = None
        if model is not None:
            self._check_no_settings()
            pipeline = as_pipeline(model)
            self.pipeline = pipeline.upto(tag_layer(pipeline.layers or [pipeline.top]).name if layer is None else layer)
        elif layer is not None:
            raise SettingError(
                f"layer: expected model=, whose layers it chooses from, found layer={brief(layer)} alone"
            )
        else:
            self._untrained()
        if train is not None:
            self.train(train)

    def _check_no_settings(self) -> None:
        """Refuse settings beside a model, which is trained already."""
        given = self.settings if self.recipe == auto.NAME else {"recipe": self.recipe, **self.settings}
        for name, value in given.items():
            expected = "expected only layer= beside model=, which is trained already"
            raise SettingError(f"{name}: {expected}; found {name}={brief(value)}{nearest(name, ['layer'])}")

    def _untrained(self) -> Tagger:
        if "labels_column" in self.settings:
            raise SettingError(f"labels_column: the labels of sentences of NLTK have no other name than {LABEL!r}")
        return Tagger(self.recipe, labels_column=LABEL, **self.settings)

    def train(self, sentences: Iterable[Any]) -> None:
        """Train on tagged sentences or trees; a model that was there is replaced."""
        self.pipeline = Pipeline([self._untrained().fit(to_sentences(sentences))])

    def tag(self, tokens: Sequence[Any]) -> Tagged:
        """Return pairs of a token and its label. A model of chunks takes pairs (word, tag) as tokens."""
        return self.tag_sents([tokens])[0]

    def tag_sents(self, sentences: Iterable[Sequence[Any]]) -> list[Tagged]:
        """Do the same for many sentences, which is faster."""
        if self.pipeline is None:
            raise DataError("this tagger has no model yet: give train= or model=, or call train()")
        name, inputs = self.pipeline.top.name, self.pipeline.inputs
        lists = enumerate(as_list(sentences, "a list of sentences"))
        given = [as_list(tokens, "a list of tokens", f"sentence {i}") for i, tokens in lists]
        tagged = self.pipeline.tag([_untagged(one, inputs, f"sentence {i}") for i, one in enumerate(given)])
        return [list(zip(tokens, s.columns[name], strict=True)) for tokens, s in zip(given, tagged, strict=True)]

    def __repr__(self) -> str:
        return f"<PerceptagTagger: {self.pipeline or 'no model yet'}>"


def _untagged(tokens: list[Any], inputs: Sequence[str], where: str) -> Sentence:
    """Return the sentence of words, or of words with their tags, which a model of chunks reads."""
    if not tokens:
        return Sentence({name: [] for name in inputs}, where)
    for t, token in enumerate(tokens):
        if isinstance(token, list):
            expected = "a word, or a pair (word, tag)"
            raise DataError(
                f"expected {expected}, found {brief(token)}; tag_sents takes several sentences", f"{where}, token {t}"
            )
    found = _sentence(tokens, where).columns
    if "pos" not in found and LABEL in found:
        found["pos"] = found[LABEL]  # of a pair the second one is the tag
    return Sentence({name: values for name, values in found.items() if name != LABEL}, where)

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

from perceptag.corpus.lists import as_list
from perceptag.errors import DataError, brief
from perceptag.pipeline.installed import as_pipeline
from perceptag.pipeline.pipeline import Pipeline
from perceptag.tagger import Tagger
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
    return [_sentence(one, f"sentence {i}") for i, one in enumerate(corpus)]


def _sentence(given: Any, where: str) -> Sentence:
    tokens = tree2conlltags(given) if isinstance(given, Tree) else as_list(given, "a list of tokens", where)
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


_NAMES = {1: ("form",), 2: ("form", LABEL), 3: ("form", "pos", LABEL)}


class PerceptagTagger(TaggerI):
    """A tagger with the interface of NLTK: `tag`, `tag_sents`, `accuracy` and the rest of `nltk.tag.api.TaggerI`.

    `train`: tagged sentences or trees of a corpus reader; or `model`: a `perceptag.Tagger`, a pipeline, a file, or the
    name of an installed model, whose last layer gives the labels. `recipe` and keys of recipes are those of `Tagger`.
    """

    def __init__(
        self,
        train: Iterable[Any] | None = None,
        model: Tagger | Pipeline | str | os.PathLike[str] | None = None,
        *,
        recipe: str = "auto",
        **settings: Any,
    ) -> None:
        self.recipe, self.settings = recipe, settings
        self.pipeline = None if model is None else as_pipeline(model)
        if train is not None:
            self.train(train)

    def train(self, sentences: Iterable[Any]) -> None:
        """Train on tagged sentences or trees; a model that was there is replaced."""
        tagger = Tagger(self.recipe, labels_column=LABEL, **self.settings)
        self.pipeline = Pipeline([tagger.fit(to_sentences(sentences))])

    def tag(self, tokens: Sequence[Any]) -> Tagged:
        """Return pairs of a token and its label. A model of chunks takes pairs (word, tag) as tokens."""
        return self.tag_sents([tokens])[0]

    def tag_sents(self, sentences: Iterable[Sequence[Any]]) -> list[Tagged]:
        """Do the same for many sentences, which is faster."""
        if self.pipeline is None:
            raise DataError("this tagger has no model yet: give train= or model=, or call train()")
        given = [list(tokens) for tokens in sentences]
        tagged = self.pipeline.tag([_untagged(one, f"sentence {i}") for i, one in enumerate(given)])
        name = self.pipeline.top.name
        return [list(zip(tokens, s.columns[name], strict=True)) for tokens, s in zip(given, tagged, strict=True)]

    def __repr__(self) -> str:
        return f"<PerceptagTagger: {self.pipeline or 'no model yet'}>"


def _untagged(tokens: list[Any], where: str) -> Sentence:
    """Return the sentence of words, or of words with their tags, which a model of chunks reads."""
    found = _sentence(tokens, where).columns
    return Sentence({"pos" if name == LABEL else name: values for name, values in found.items()}, where)

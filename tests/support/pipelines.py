"""Small pipelines from the shipped corpus: a tokeniser, parts of speech, and names that look at them."""

from __future__ import annotations

from functools import cache

from command_line import CORPUS
from perceptag import Pipeline, Sentence, Tagger
from perceptag.text import read_columns
from text_toys import shipped_tokenizer

TEXT = "Angela Merkel didn't visit Harwick. She stayed in London.\n\nThe council met at 10."


def corpus(split: str, *columns: str) -> list[Sentence]:
    """Sentences of the shipped corpus with some of its columns."""
    read = read_columns(CORPUS / f"{split}.txt", ["form", "pos", "chunk", "ner"])
    return [Sentence({c: s.columns[c] for c in columns}, starts_document=s.starts_document) for s in read]


@cache
def pos_tagger() -> Tagger:
    """Reads words, gives the column pos, and is calibrated."""
    dev = corpus("dev", "form", "pos")
    return Tagger("collins-pos", epochs=2, labels_column="pos").fit(corpus("train", "form", "pos"), dev=dev)


@cache
def ner_tagger(recipe: str = "basic-ner") -> Tagger:
    """Reads words and pos, gives the column ner, and is calibrated."""
    templates = ("form[0]", "form[-1]", "pos[0]", "shape[0]", "bias * y-1 y0")
    columns = ("form", "pos", "ner")
    tagger = Tagger(recipe, epochs=2, labels_column="ner", templates=templates)
    return tagger.fit(corpus("train", *columns), dev=corpus("dev", *columns))


@cache
def document_tagger() -> Tagger:
    """Reads words, gives the column ner, and looks at whole documents."""
    templates = ("form[0]", "shape[0]", "doc_lower[0]", "doc_recurs[0]", "bias * y-1 y0")
    return Tagger("basic-ner", epochs=2, labels_column="ner", templates=templates).fit(corpus("train", "form", "ner"))


@cache
def whole() -> Pipeline:
    """All three layers."""
    return Pipeline([shipped_tokenizer(), pos_tagger(), ner_tagger()])


@cache
def over_documents() -> Pipeline:
    """A tokeniser and a layer that looks at documents."""
    return Pipeline([shipped_tokenizer(), document_tagger()])

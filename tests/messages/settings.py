"""What is said of settings that do not go together, or not with the data or with the kind of model."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from class_files import toy_class_file
from document_toys import corpus, document_recipe
from message_calls import Row, checked, fit, train
from perceptag import Sentence, Tokenizer
from perceptag.training.jackknife import LowerLayer, with_predicted
from pipelines import corpus as columns_of
from pipelines import pos_tagger
from text_toys import HELD_OUT, shipped_tokenizer
from toys import make_recipe, random_corpus

EDGES = ("form[0]", "bias * y-1 y0")
HOLES = [Sentence({**s.columns, "label": ["_", *s.columns["label"][1:]]}) for s in random_corpus(1)]
CHUNKS = [Sentence({"form": ["a"], "pos": ["X"], "ner": ["B-Y"]})]
LEMMAS = [Sentence({"form": ["dogs"], "lemma": ["dog"]})] * 3
X, Y = [["the", "dog"], ["a", "cat"]], [["D", "N"], ["D", "N"]]
PARTIAL = {"templates": ("form[0]",), "support": "all", "labels.missing": "_"}
SPANS = {
    **{"learner": "margin", "templates": EDGES, "spans.longest": 3, "spans.templates": ("length",)},
    **{"labels.scheme": "IOBES", "constrain": True},
}


def orders(message: str, **settings: object) -> Row:
    """Return a row about several orders."""
    return train(random_corpus(1), **{"templates": EDGES, "shuffle": True, "orders": 2} | settings), message


def partial(message: str, data: list[Sentence] = HOLES, **settings: object) -> Row:
    """Return a row about tokens without labels."""
    return train(data, **PARTIAL | settings), message


def spans(message: str, **settings: object) -> Row:
    """Return a row about features of whole spans."""
    return train(corpus(1), **SPANS | settings), message


def chunker(message: str, **settings: object) -> Row:
    """Return a row about a chunker."""
    return fit("carreras-ner", CHUNKS, **{"cutoff": 0} | settings), message


def tokeniser(message: str, **settings: object) -> Row:
    """Return a row about a tokeniser."""
    return lambda: Tokenizer(**settings).fit(HELD_OUT), message


def lemmatiser(message: str, **settings: object) -> Row:
    """Return a row about a lemmatiser."""
    return fit("lemma", LEMMAS, **settings), message


def layer(message: str, model: Callable[[], Any], *columns: str, few: int = 99) -> Row:
    """Return a row about a layer below."""
    return lambda: with_predicted([LowerLayer(model().model_)], columns_of("train", *columns)[:few]), message


def labelled(*labels: str) -> list[Sentence]:
    return [Sentence({"form": ["w"] * len(labels), "label": list(labels)})]


BROKEN = [*labelled("O", "I-X", "_"), *labelled("B-X", "I-X", "O"), *labelled("B-X", "B-X", "O")]
ROWS = checked(
    [
        orders("shuffle = false", shuffle=False),
        orders("voted", weights="voted"),
        orders("bpm", learner="margin", bpm=2),
        orders("shards: expected 1 with several orders", shards=2),
        (fit("collins-pos", random_corpus(1), dropout=1.0), "dropout"),
        (fit("collins-pos", random_corpus(1), learner="pa", dropout=0.1), "dropout"),
        # missing labels
        partial("labels.missing: learner 'crf' needs the labels of all tokens", learner="crf", weights="last"),
        partial("labels.missing: expected support = 'all'", support="gold"),
        partial("labels.missing: tag_dictionary needs the labels of all tokens", tag_dictionary=2),
        partial("expected labels in column 'label', found only '_'", labelled("_")),
        partial("I-X follows O, which breaks IOB2", BROKEN),
        partial("found IOB1, with IOB2", labelled("O", "I-X")),
        partial("found IOBES, with IOB2 inside the model", labelled("S-X", "_"), **{"labels.scheme": "IOB2"}),
        (
            fit(make_recipe(**PARTIAL), random_corpus(1), dev=labelled("_")),
            "expected a label, as on every token of dev data, found '_'",
        ),
        # features of whole spans
        spans("spans.longest: expected learner = 'perceptron' or 'margin' or 'ascent', found 'pa'", learner="pa"),
        spans("spans.longest: expected labels.scheme = 'IOBES', found 'IOB2'", **{"labels.scheme": "IOB2"}),
        spans("spans.longest: expected constrain = true, since every labelling must have spans", constrain=False),
        spans("expected other weights than 'voted'", learner="perceptron", weights="voted"),
        spans("spans.longest: expected orders = 1, found 3", orders=3),
        spans("spans.longest: expected shards = 1, found 2", shards=2),
        spans("spans.longest: expected no labels.parts", **{"labels.parts": "-"}),
        spans("no other transitions", templates=(*EDGES, "bias * y-2 y-1 y0")),
        spans("no other transitions", templates=(*EDGES, "form[0] * y-1 y0")),
        spans("expected a column of the data", **{"spans.templates": ["pos[all]"]}),
        # kinds of models with features of their own
        chunker("weights", weights="voted"),
        chunker("templates", templates=["form[0]"]),
        chunker("constrain", constrain=True),
        chunker("chunker.columns: there is no column 'tag'", chunker_columns=["tag"]),
        chunker("chunker.word: there is no column 'lemma'", chunker_word="lemma"),
        chunker("learner: the chunker learns chunks", labels_column="pos"),
        chunker("classes: the chunker has features of its own and does not use this setting", classes=toy_class_file()),
        tokeniser("learner 'crf': unit = 'text' needs a learner of linear models", learner="crf", weights="last"),
        tokeniser("learner 'guided': unit = 'text' needs a learner", learner="guided"),
        tokeniser("weights: unit = 'text': expected averaged, last or best", learner="perceptron", weights="voted"),
        tokeniser("templates: a tokeniser (unit = 'text') does not use it", templates=["form[0]"]),
        tokeniser("tag_dictionary: a tokeniser", tag_dictionary=3),
        tokeniser("constrain: a tokeniser", constrain=True),
        tokeniser("margins: a tokeniser", margins=3),
        tokeniser("inner_folds: a tokeniser", inner_folds=3),
        tokeniser("recall: a tokeniser", recall=1.0),
        tokeniser("outside_score: there is no label 'O' in column 'label'", outside_score=1.0),
        tokeniser("classes: a tokeniser (unit = 'text') does not use it", classes=toy_class_file()),
        lemmatiser("template 'form[-1]': a lemmatizer", add=["form[-1]"]),
        lemmatiser("tag_dictionary: a lemmatizer", tag_dictionary=3),
        lemmatiser("found 'voted'", weights="voted"),
        lemmatiser("learner 'crf': labels.scheme = 'edits' needs a learner", learner="crf", weights="last"),
        lemmatiser("labels.keep: labels.scheme = 'edits' does not use it", labels_keep=["NP"]),
        (fit("basic-ner", X, [["O", "O"]] * 2, augment_strings=0.5), "augment.strings: only a tokeniser"),
        (fit("basic-ner", X, [["O", "O"]] * 2, tokens_patterns=True), "tokens.patterns: only a tokeniser"),
        (fit("rerank-1", X, Y, folds=1), "folds: expected a number from 2 to 2147483647, found 1"),
        (fit(document_recipe("ascent"), corpus(1), shards=2, bpm=3), "shards: expected 1 with bpm"),
        # word classes
        (fit("collins-pos", X, Y, add=["classN[0]"]), "template 'classN[0]': expected a file of word classes"),
        (fit("collins-pos", X, Y, classes=toy_class_file(), add=["class9[0]"]), "found 'class9'"),
        (fit("collins-pos", X, Y, classes=toy_class_file(), add=["class08[0]"]), "found 'class08'"),
        (fit("collins-pos", X, Y, classes="/does/not/exist", add=["classN[0]"]), "/does/not/exist: cannot read"),
        (fit("collins-pos", X, Y, classes=__file__, add=["classN[0]"]), "this is not a perceptag class file"),
        # layers below
        layer("layer 'pos': expected its gold labels in column 'pos'", pos_tagger, "form", "ner"),
        layer("expected 2 sentences or more to cut into folds, found 1", pos_tagger, "form", "pos", "ner", few=1),
        layer("layer 'label': expected a model that tags, found a tokeniser", shipped_tokenizer, "form", "pos", "ner"),
    ]
)

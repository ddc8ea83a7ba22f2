"""Settings for small models of every learner, in every way of learning, for tests that all of them must pass.

Every recipe of the package is included automatically; only variants that no recipe covers are listed.
"""

from __future__ import annotations

from typing import Any

from class_files import toy_class_file
from perceptag import Recipe, Sentence
from perceptag.recipe.recipe import load
from perceptag.recipe.recipe_files import shipped
from toys import TEMPLATE_SETS, make_recipe

DOCUMENTS = {  # the columns form and pos, and those computed from documents and from the training chunks
    "templates": ("form[0]", "pos[-1..1]", "gazetteer[0]", "doc_before[0]", "doc_lower[0]", "bias * y-1 y0"),
    "gazetteer": ["train"],
    "epochs": 3,
    "margin": 20,
    "nbest": 5,
    "nbest_tagging": 8,
    "support": "all",
}
GUIDED = {  # features that say little about a sentence without its document
    "learner": "guided",
    "templates": ("suffix1[0]", "doc_before[0]", "doc_lower[0]", "doc_recurs[0]", "bias * y-1 y0", "form[0] * y+1 y0"),
    "epochs": 3,
    "beam": 2,
}
NONLOCAL = DOCUMENTS | {"nonlocal.features": ["phrase", "majority", "subphrase", "conjunction", "unlabelled"]}
RERANK = NONLOCAL | {"folds": 3, "first_epochs": 2, "first_margin": 20}
GIS = {"maxent.optimizer": "gis", "weights": "last", "epochs": 3, "maxent.beam": 0}

# Word classes, for every kind of model whose features are templates.
CLASSES = {"classes": toy_class_file(), "epochs": 2, "add": ["classN[-1] classN[0]", "form[0] class8[1]"]}

# name: the arguments of Tagger. Every learner sees the columns form and pos and the label column.
VARIANTS = {
    "ner, choices on folds": {
        "recipe": "ner",
        "epochs": 2,
        "inner_folds": 2,
        "margins": 2,
        "optional": ["pos", "chunk"],
    },
    "support=all": {"recipe": "collins-np", "epochs": 3, "support": "all"},
    "cutoff": {"recipe": "collins-np", "epochs": 3, "cutoff": 3},
    "shuffled": {"recipe": "collins-pos", "epochs": 3, "shuffle": True, "seed": 4},
    "last": {"recipe": "collins-np", "epochs": 3, "weights": "last"},
    "voted": {"recipe": "collins-np", "epochs": 3, "weights": "voted"},
    "tag dictionary": {"recipe": "collins-pos", "epochs": 3, "tag_dictionary": 3},
    "constrained": {"recipe": "collins-np", "epochs": 3, "constrain": True},
    "IOBES": {"recipe": "collins-np", "epochs": 3, "labels_scheme": "IOBES", "constrain": True},
    "pa, constrained": {"recipe": "pa", "features": "collins-np", "epochs": 3, "online_cost": "hamming"}
    | {"weights": "last", "support": "all", "constrain": True},
    "mira, tag dictionary": {"recipe": "mira", "epochs": 3, "tag_dictionary": 3},
    "arow of documents": {"recipe": make_recipe(**DOCUMENTS, learner="arow", unit="document")},
    "guided, one state": {"recipe": "shen-pos-c", "epochs": 3, "beam": 1, "weights": "last", "cutoff": 2},
    "guided, from left to right": {"recipe": "shen-pos-b", "epochs": 3, "direction": "left-to-right", "tau": 0},
    "guided, from right to left": {"recipe": "shen-pos-b", "epochs": 3, "direction": "right-to-left", "tau": 0},
    "early update": {"recipe": "shen-pos-e", "epochs": 3, "direction": "left-to-right", "aggressive": False},
    "guided, IOBES": {"recipe": "shen-pos", "epochs": 3, "labels_scheme": "IOBES", "tag_dictionary": 3},
    "guided of documents": {"recipe": make_recipe(**GUIDED, unit="document")},
    "guided, document columns": {"recipe": make_recipe(**GUIDED, tag_dictionary=3)},
    "observed edges": {"recipe": make_recipe(templates=TEMPLATE_SETS["all at once"], epochs=3)},
    "margin": {"recipe": make_recipe(**DOCUMENTS, learner="margin")},
    "margin of documents": {"recipe": make_recipe(**DOCUMENTS, learner="margin", unit="document", bpm=3)},
    "margin, several runs": {"recipe": make_recipe(**DOCUMENTS, learner="margin", bpm=2, shuffle=True, constrain=True)},
    "candidate": {"recipe": make_recipe(**NONLOCAL, learner="candidate", unit="document", weights="last")},
    "candidate of sentences": {"recipe": make_recipe(**NONLOCAL, learner="candidate", tag_dictionary=3)},
    "nonlocal": {"recipe": make_recipe(**NONLOCAL, learner="nonlocal", unit="document", bpm=2, weights="last")},
    "nonlocal, conservative": {
        "recipe": make_recipe(**NONLOCAL, learner="nonlocal", unit="document", conservative=True, local_first=True)
    },
    "nonlocal, shuffled": {"recipe": make_recipe(**NONLOCAL, learner="nonlocal", unit="document", shuffle=True)},
    "nonlocal of sentences": {"recipe": make_recipe(**NONLOCAL, learner="nonlocal", margin_local=5)},
    "ascent": {
        "recipe": make_recipe(
            **{**NONLOCAL, "nonlocal.view": "sentence"}, learner="ascent", shuffle=True, constrain=True
        ),
        "labels_scheme": "IOBES",
    },
    "ascent, several runs": {"recipe": make_recipe(**NONLOCAL, learner="ascent", bpm=2)},
    "ascent-document": {"recipe": make_recipe(**NONLOCAL, learner="ascent-document", bpm=2)},
    "crf, second order": {"recipe": "crf", "features": "collins-np", "epochs": 4, "support": "all"},
    "crf, L1": {"recipe": "crf", "epochs": 4, "crf_l1": 0.5, "crf_sigma2": 0, "tag_dictionary": 3},
    "crf of documents": {
        "recipe": make_recipe(**DOCUMENTS, learner="crf", unit="document", weights="last", constrain=True),
        "labels_scheme": "IOBES",
    },
    "rerank-1, shuffled": {"recipe": make_recipe(**RERANK, learner="rerank-1", shuffle=True)},
    "rerank-1 of documents": {"recipe": make_recipe(**RERANK, learner="rerank-1", unit="document", weights="last")},
    "rerank-2, constrained": {"recipe": make_recipe(**RERANK, learner="rerank-2", constrain=True, tag_dictionary=3)},
    "rerank-2 of documents": {"recipe": make_recipe(**RERANK, learner="rerank-2", unit="document", bpm=2)},
    "maxent, all labels": {"recipe": "maxent", "epochs": 3, "features": "collins-np", "support": "all", "cutoff": 2},
    "maxent, gis": {"recipe": "maxent", "epochs": 3, "maxent_optimizer": "gis", "maxent_sigma2": 0},
    "maxent, exact": {
        "recipe": make_recipe(templates=TEMPLATE_SETS["all at once"], learner="maxent", **GIS),
        "labels_scheme": "IOBES",
        "constrain": True,
        "cutoff": 2,
        "tag_dictionary": 3,
    },
    "maxent of documents": {
        "recipe": make_recipe(**{**DOCUMENTS, "support": "gold"}, learner="maxent", unit="document", weights="last")
    },
}
VARIANTS |= {
    "shards": {"recipe": "collins-np", "epochs": 3, "shards": 3, "shuffle": True},
    "margin, shards of documents": {"recipe": make_recipe(**DOCUMENTS, learner="margin", shards=2)},
    "pa, shards": {"recipe": "pa", "features": "collins-np", "epochs": 3, "shards": 3, "weights": "last"},
    "mira, shards": {"recipe": "mira", "epochs": 2, "shards": 2},
    "orders and dropout": {"recipe": "collins-np", "epochs": 3, "learner": "margin", "margin": 5, "shuffle": True}
    | {"orders": 3, "dropout": 0.2},
    "classes": {"recipe": "pos", "classes": toy_class_file(), "epochs": 2, "inner_folds": 0},
    "classes, crf": {"recipe": "crf", **CLASSES},
    "classes, guided": {"recipe": "shen-pos-c", **CLASSES, "add": [*CLASSES["add"], "class8[0] * y+1 y0"]},
    "classes, maxent": {"recipe": "maxent", **CLASSES},
    "classes, ascent": {"recipe": make_recipe(**NONLOCAL, learner="ascent"), **CLASSES},
    "classes, rerank-2": {"recipe": make_recipe(**RERANK, learner="rerank-2"), **CLASSES},
}
# Those that learn only chunks.
CHUNKER_VARIANTS = {
    "chunker, no cut-off": {"recipe": "carreras-ner", "epochs": 3, "cutoff": 0},
    "chunker, exact": {
        "recipe": "carreras-ner",
        "epochs": 3,
        "cutoff": 0,
        "chunker_context": "exact",
        "chunker_phrase_window": 1,
    },
    "chunker, linear": {"recipe": "carreras-ner", "epochs": 3, "cutoff": 0, "chunker_degree": 1},
}


def _shipped(chunkers: bool) -> dict[str, dict[str, Any]]:
    """Return every recipe of the package that labels tokens by its name, with a few passes."""
    recipes = {name: load(name) for name in shipped() if name not in ("auto", "tokenize", "lemma")}
    return {
        name: {"recipe": name, "epochs": 3, **_short(recipe)}
        for name, recipe in recipes.items()
        if (recipe.declaration.kind == "chunker") == chunkers
    }


def _short(recipe: Recipe) -> dict[str, Any]:
    """Return settings with which a recipe suits small data without a column of chunks."""
    fewer = {"first_epochs": 2, "folds": 2} if recipe.declaration.kind == "rerank" else {}
    fewer |= {"inner_folds": 0} if recipe.inner_folds else {}
    has_chunks = any("chunk[" in template for template in recipe.templates)
    return fewer | ({"optional": [*recipe.optional, "chunk"]} if has_chunks else {})


LEARNERS: dict[str, dict[str, Any]] = _shipped(chunkers=False) | VARIANTS
EVERY = LEARNERS | _shipped(chunkers=True) | CHUNKER_VARIANTS

# One or two of every kind of model, and of every way to search, for tests that would take long with all of them.
SOME = (
    *("collins-np", "voted", "tag dictionary", "IOBES", "observed edges", "margin of documents", "arow", "mira"),
    *("guided, IOBES", "guided of documents", "candidate", "nonlocal of sentences", "ascent", "ner"),
    *("crf, second order", "crf of documents", "rerank-1", "rerank-2, constrained", "maxent, exact", "maxent"),
    *("carreras-ner", "chunker, exact", "chunker, linear", "basic-ner", "chunk", "shards", "orders and dropout"),
)

# Variants that only `make test-all` tries; `make test` tries recipes of the package too, if the test is short.
RARE = frozenset({*VARIANTS, *CHUNKER_VARIANTS} - {*SOME})


def without_labels(sentences):
    return [Sentence({"form": s.columns["form"], "pos": s.columns["pos"]}) for s in sentences]

"""Manipulated model files: changed content, right digest."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import numpy as np

from document_toys import corpus, document_recipe
from perceptag import Tagger
from perceptag.models import model_file as modelfile
from perceptag.models.model_file import seal, unseal
from toys import make_recipe, random_corpus

Edit = Callable[[dict[str, Any], dict[str, Any]], None]  # of the arrays and of the JSON part


def forge(data: bytes, edit: Edit) -> bytes:
    """Change arrays and JSON of a model, and seal it again."""
    arrays = dict(unseal(data, "model"))
    about = json.loads(arrays["json"].tobytes())
    arrays = {name: array.copy() for name, array in arrays.items()}
    edit(arrays, about)
    if "json" in arrays:
        arrays["json"] = np.frombuffer(json.dumps(about).encode(), np.uint8)
    return seal(arrays, "model")[0]


def forge_json(data: bytes, text: bytes) -> bytes:
    """Replace the JSON part by any bytes."""
    arrays = dict(unseal(data, "model"))
    arrays["json"] = np.frombuffer(text, np.uint8)
    return seal(arrays, "model")[0]


RICH = ("form[0]", "form[-1] form[0]", "pos[0] * y-1 y0", "bias * y-1 y0", "bias * y-2 y-1 y0")


def model_bytes(sentences: int = 2, **settings: object) -> bytes:
    """Return a model trained on a few sentences."""
    recipe = make_recipe(**{"templates": RICH, "epochs": 1} | settings)
    return modelfile.to_bytes(Tagger(recipe).fit(random_corpus(0, sentences)).model_)[0]


def nonlocal_bytes(**settings: object) -> bytes:
    """Return a model with non-local features, a gazetteer and columns computed from documents."""
    templates = ["form[0]", "gazetteer[0]", "doc_before[0]", "bias * y-1 y0"]
    recipe = document_recipe("ascent", **{"templates": templates, "gazetteer": ["train"]} | settings)
    return modelfile.to_bytes(Tagger(recipe).fit(corpus(1, 10)).model_)[0]


def put(name: str, value: object) -> Edit:
    def edit(arrays, _):
        arrays[name] = np.array(value)

    return edit


def at(name: str, index: int, value: float) -> Edit:
    def edit(arrays, _):
        arrays[name][index] = value

    return edit


def changed(name: str, change: Callable[[Any], Any]) -> Edit:
    def edit(arrays, _):
        arrays[name] = change(arrays[name])

    return edit


def without(name: str) -> Edit:
    return lambda arrays, _: arrays.pop(name)


def say(value: object, *path: str) -> Edit:
    def edit(_, about):
        for key in path[:-1]:
            about = about[key]
        about[path[-1]] = value

    return edit


def forget(*path: str) -> Edit:
    def edit(_, about):
        for key in path[:-1]:
            about = about[key]
        del about[path[-1]]

    return edit


ARRAYS = [
    *(f"{name}.{i}" for name in ("begin", "codes", "weights") for i in range(3)),
    *(f"{name}.{i}" for name in ("values", "rows") for i in range(3)),
    "weights.3",
    "weights.4",
    "vocabulary.0.0",
    "vocabulary.1.0",
]
EMPTY = ("codes.2", "weights.2", "begin.2")  # the model has no observed trigrams

# What an attacker may write into a model made with the templates RICH, a tag dictionary and three vectors.
FORGERIES: dict[str, Edit] = {
    **{f"no {name}": without(name) for name in ARRAYS},
    **{f"{name} as int64": changed(name, lambda a: a.astype(np.int64)) for name in ARRAYS},
    **{f"{name} as float16": changed(name, lambda a: a.astype(np.float16)) for name in ARRAYS},
    **{f"{name} as a matrix": changed(name, lambda a: a.reshape(1, -1)) for name in ARRAYS},
    **{f"{name} cut": changed(name, lambda a: a[:-1]) for name in ARRAYS if name not in EMPTY},
    **{f"{name} longer": changed(name, lambda a: np.append(a, np.zeros(2, a.dtype))) for name in ARRAYS},
    "no JSON": without("json"),
    "negative row": at("rows.0", 0, -1),
    "the largest row": at("rows.0", 0, 2**31 - 1),
    "a row far out": at("rows.0", 0, 2**31 - 2),
    "two features with one row": lambda arrays, _: arrays["rows.0"].__setitem__(0, arrays["rows.0"][1]),
    "a feature twice": lambda arrays, _: arrays["values.1"].__setitem__(slice(0, 2), arrays["values.1"][2:4]),
    "negative value": at("values.0", 0, -1),
    "value that is a bag": at("values.0", 0, -2),
    "value out of range": at("values.0", 0, 2**31 - 1),
    "code out of range": at("codes.0", 0, 3),
    "huge code": at("codes.1", 0, 2**32 - 1),
    "codes not sorted": lambda arrays, _: arrays["codes.1"].__setitem__(slice(None), arrays["codes.1"][::-1].copy()),
    "begin does not start at 0": at("begin.0", 0, 1),
    "begin too large": at("begin.0", -1, 2**32 - 1),
    "begin goes back": at("begin.0", 1, 2**31),
    "begin of nothing": put("begin.0", np.zeros(0, np.uint32)),
    "a row without weights": lambda arrays, _: arrays["begin.0"].__setitem__(1, 0),
    "NaN": at("weights.0", 0, np.nan),
    "infinity": at("weights.3", 0, np.inf),
    "a weight that is nearly infinite": at("weights.0", 0, -3e38),
    "vocabulary is not UTF-8": at("vocabulary.0.0", 0, 0xFF),
    "vocabulary lists a value twice": put("vocabulary.0.0", np.frombuffer(b"a\0a\0", np.uint8)),
    "vocabulary without its end": put("vocabulary.0.0", np.frombuffer(b"a\0b", np.uint8)),
    "no labels": say([], "labelling", "names"),
    "labels are a string": say("DNV", "labelling", "names"),
    "a label twice": say(["D", "N", "N"], "labelling", "names"),
    "an empty label": say(["", "N", "V"], "labelling", "names"),
    "fewer labels": say(["D", "N"], "labelling", "names"),
    "more labels": say(["D", "N", "V", "X"], "labelling", "names"),
    "very many labels": say([f"L{i}" for i in range(70_000)], "labelling", "names"),
    "labels without end": say([f"L{i}" for i in range(2000)], "labelling", "names"),
    "more labels than constraints can have": lambda arrays, about: (
        about["recipe"].__setitem__("constrain", True),
        about["labelling"].__setitem__("names", [f"L{i}" for i in range(3000)]),
    ),
    "a label with a lone surrogate": say(["D", "N", "V\ud800"], "labelling", "names"),
    "a lone surrogate in the manifest": say("\ud800", "manifest", "perceptag"),
    "a lone surrogate in a key": say(1, "manifest", "\udfff"),
    "NaN in the manifest": say(np.nan, "manifest", "best_epoch"),
    "infinity in the facts": say([-np.inf], "facts", "more"),
    "unknown scheme": say("IOB9", "labelling", "inner"),
    "scheme is a list": say([], "labelling", "outer"),
    "repair is a word": say("yes", "labelling", "repair"),
    "labelling has more": say(1, "labelling", "more"),
    "no labelling": forget("labelling"),
    "no recipe": forget("recipe"),
    "no facts": forget("facts"),
    "no manifest": forget("manifest"),
    "facts are a list": say([], "facts"),
    "recipe is a list": say([], "recipe"),
    "manifest is text": say("x", "manifest"),
    "columns are a string": say("form", "columns"),
    "columns without the labels": say(["form", "pos"], "columns"),
    "labels in a column that does not exist": say("lab", "labelling", "column"),
    "recipe value of another type": say({"a": 1}, "recipe", "epochs"),
    "recipe number beyond floats": say(10**400, "recipe", "epochs"),
    "unknown kind": say("pickle", "facts", "kind"),
    "no kind": forget("facts", "kind"),
    "templates is empty": say([], "facts", "templates"),
    "a template that cannot be read": say(["form[0"], "facts", "templates"),
    "templates without number": say([" ".join(["form[-20..20]"] * 5)], "facts", "templates"),
    "a template without end": say(["form[0] " * 10**6], "facts", "templates"),
    "a template of another order": say([*RICH[:2], "pos[0] * y-2 y-1 y0", *RICH[3:]], "facts", "templates"),
    "a template more": say([*RICH, "form[1]"], "facts", "templates"),
    "fewer templates": say(RICH[:-1], "facts", "templates"),
    "zero vectors": say(0, "facts", "snapshots"),
    "more vectors": say(4, "facts", "snapshots"),
    "more vectors than tagging can hold": lambda _, about: (
        about["facts"].__setitem__("snapshots", 10_000),
        about["labelling"].__setitem__("names", [f"L{i}" for i in range(60_000)]),
    ),
    "a million vectors": say(10**6, "facts", "snapshots"),
    "vectors are a word": say("3", "facts", "snapshots"),
    "closed word without entry": say({"entries": [[0]], "words": {"a": 1}}, "facts", "closed"),
    "closed word with a negative entry": say({"entries": [[0]], "words": {"a": -7}}, "facts", "closed"),
    "closed label out of range": say({"entries": [[3]], "words": {"a": 0}}, "facts", "closed"),
    "closed label negative": say({"entries": [[-1]], "words": {"a": 0}}, "facts", "closed"),
    "closed words are a list": say({"entries": [[0]], "words": [0]}, "facts", "closed"),
    "closed entries are missing": say({"words": {}}, "facts", "closed"),
    "gazetteer is a number": say(1, "facts", "gazetteer"),
}


def name_first(name: object) -> Edit:
    def edit(_, about):
        about["facts"]["nonlocal"][0] = name

    return edit


def relabel(change: Callable[[str], str]) -> Edit:
    def edit(_, about):
        about["labelling"]["names"] = [change(name) for name in about["labelling"]["names"]]

    return edit


# What an attacker may write into a model with non-local features.
NONLOCAL_FORGERIES: dict[str, Edit] = {
    "no weights": without("nonlocal.weights"),
    "no names": forget("facts", "nonlocal"),
    "weights cut": changed("nonlocal.weights", lambda a: a[:-1]),
    "weights longer": changed("nonlocal.weights", lambda a: np.append(a, 1.0)),
    "no weight at all": changed("nonlocal.weights", lambda a: a[:0]),
    "weights as float32": changed("nonlocal.weights", lambda a: a.astype(np.float32)),
    "infinity": at("nonlocal.weights", -1, -np.inf),
    "names are text": say("phrase[LOC,LOC]", "facts", "nonlocal"),
    "a name is a number": name_first(7),
    "an empty name": name_first(""),
    "a name twice": lambda _, about: about["facts"]["nonlocal"].__setitem__(0, about["facts"]["nonlocal"][1]),
    "a family that is unknown": name_first("sentence[LOC,LOC]"),
    "a class that is unknown": name_first("phrase[LOC,XYZ]"),
    "half a name": name_first("phrase[LOC"),
    "a function that does not exist": name_first("f:value"),
    "functions are a number": say(7, "facts", "functions"),
    "an unknown family in the recipe": say(["phrases"], "recipe", "nonlocal.features"),
    "families are a number": say(7, "recipe", "nonlocal.features"),
    "an unknown view": say("corpus", "recipe", "nonlocal.view"),
    "a list of no candidates": say(0, "recipe", "nbest_tagging"),
    "a scale that is not a number": say("NaN", "recipe", "nonlocal.scale"),
    "other classes": relabel(lambda name: name.replace("PER", "PERSON")),
    "labels that are not chunks": relabel(lambda name: name.replace("B-", "X-")),
    "labels without a scheme": say("none", "labelling", "inner"),
    "a class less": relabel(lambda name: name.replace("PER", "LOCA").replace("LOCA", "LOC", 1)),
    "two weight vectors": lambda arrays, about: (
        about["facts"].__setitem__("snapshots", 2),
        arrays.update({f"weights.{i}": np.tile(arrays[f"weights.{i}"], 2) for i in range(5)}),
    ),
    "an unknown unit": say("paragraph", "facts", "unit"),
    "a gazetteer that is a list": say([["LOC", "Kent"]], "facts", "gazetteer"),
    "a phrase without words": say({"LOC": [[]]}, "facts", "gazetteer"),
    "a phrase that is text": say({"LOC": ["Kent"]}, "facts", "gazetteer"),
    "a phrase of lists": say({"LOC": [[["Kent"]]]}, "facts", "gazetteer"),
}

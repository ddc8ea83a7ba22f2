"""Writes docs/guide/api-reference.md from the docstrings of the public names: `make generate`."""

from __future__ import annotations

import dataclasses
import importlib
import importlib.util
import inspect
import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from perceptag.training.estimator import RecipeEstimator

HEAD = """# API reference

Every public name of `perceptag`, and the objects that its functions return. `make generate` writes this page from the
docstrings; [Python](python-api.md) is the guide. A class is followed by its methods and properties.

Wrong input raises a `PerceptagError`, which is a `ValueError`: a `DataError` for sentences, labels and files of data, a
`SettingError` for any other argument or setting, a `ModelError` for model files. A tagger without a model raises a
`SettingError` when it is asked for labels.

`perceptag.__version__` is the version, a string.
"""

# Every public name, and what users meet without importing it: results, and the objects of longer work.
SECTIONS = {
    "Models": {"perceptag": ("Tagger", "Pipeline", "load", "Tokenizer", "Rules", "WordClasses", "GlobalLinearModel")},
    "Documents and sentences": {
        "perceptag": ("Document", "Sentence", "Span"),
        "perceptag.pipeline.document": ("DocumentSentence", "DocumentToken", "DocumentWord", "DocumentSpan"),
        "perceptag.text": ("read", "write"),
        "perceptag.text.tokens": ("Token", "TextSentence", "Passage"),
    },
    "Scores": {
        "perceptag": ("evaluate", "compare"),
        "perceptag.evaluation": ("Report", "Counts", "Comparison"),
        "perceptag.evaluation.reliability": ("Reliability", "Bin"),
        "perceptag.evaluation.tokens": ("TokenReport",),
    },
    "Explanations": {
        "perceptag.pipeline.explaining": ("Why",),
        "perceptag.models.explanation": (
            "Explained", "Explanation", "TokenExplanation", "Contribution", "NonLocalContribution",
        ),
        "perceptag.models.chunker.explain": ("ChunkExplanation",),
        "perceptag.models.inference_order": ("InferenceOrder",),
    },
    "Recipes, learners, training": {
        "perceptag": ("Recipe", "Learner", "Setting"),
        "perceptag.training.train": ("Training", "PassReport"),
        "perceptag.training.jackknife": ("LowerLayer", "with_predicted"),
    },
    "Other libraries": {
        "perceptag.tables": ("tag", "to_sentences", "from_sentences"),
        "perceptag.arrow": ("tag",),
        "perceptag.spark": ("tag",),
        "perceptag.ray": ("fit", "tag_files", "TagBatch"),
        "perceptag.sklearn": ("PerceptagTagger", "NotTrainedError"),
    },
    "A server's client": {"perceptag.client": ("Client", "ServerError")},
    "Errors": {
        "perceptag": ("PerceptagError", "DataError", "SettingError", "ModelError"),
        "perceptag.errors": ("NotOfferedError", "CodeNotAllowedError"),
    },
}  # fmt: skip

# Modules that cannot be imported without the library that they are for. The site has them if it was there.
OF_LIBRARIES = {
    "spacy": {"perceptag.spacy": ("PerceptagTagger", "PerceptagNer", "to_sentences", "to_doc")},
    "nltk": {"perceptag.nltk": ("PerceptagTagger", "to_sentences")},
}
_BY_MODULE = ("tables", "arrow", "spark", "ray", "sklearn", "spacy", "nltk")  # their names occur in others, too

# Names of types that signatures use, and what they stand for.
TYPES = {
    ("perceptag.text.lines", "Source"): "What is read: a path, or a file that is open.",
    ("perceptag.system.output_files", "Target"): "What is written: a path, or a file that is open.",
    ("perceptag.text.format", "FormatLike"): "A format or its name; None: the file name extension decides.",
    ("perceptag.text.format", "Names"): "The names of the columns of a file, or a function from their number to them.",
    ("perceptag.evaluation.chunks", "Corpus"): "Labels: a list for each sentence.",
    ("perceptag.training.jackknife", "Sentences"): "Sentences, in their order.",
    ("perceptag.training.pass_table", "Callback"): "A function that is called after each pass.",
    (
        "perceptag.features.attributes",
        "Attribute",
    ): "An attribute of your own: from a word to a value, several, or none.",
    (
        "perceptag.features.user_functions",
        "UserFeature",
    ): "A feature of your own, of all sentences of a document and their labels.",
    ("perceptag.learn.learner", "Value"): "The value of a setting.",
}

_X, _SET, _NOT = "`DataError`", "`SettingError`", "`NotOfferedError`"
_LABELS = f"{_X}; {_SET} without a model"
_CONFIDENCE = f"{_X}; {_SET} without a model, or if it is not calibrated"
_SPANS = f"{_X}; {_SET} without a model, or if its labels are not spans"
_TEXT = f"{_X}; {_SET} without a tokeniser, or if a text is not a string"
_SOME = f"{_X}; {_SET} without a model; {_NOT} if the model cannot do it"

# What each function raises, so that a new one cannot be forgotten: the page is not made without its entry.
RAISES = {
    "evaluate": f"{_X}, {_SET}",
    "compare": f"{_X}, {_SET}",
    "read": f"{_X}, {_SET}; `OSError` is not raised: a file that cannot be read is a {_X}",
    "write": f"{_X}, {_SET}",
    "load": "`ModelError`; `SettingError` for code that is not allowed",
    "with_predicted": f"{_X}, {_SET}, `ModelError`",
    "LowerLayer.facts": "",
    "LowerLayer.predict": _X,
    "LowerLayer.predict_without": f"{_X}, {_SET}",
    "Document.to_dict": "",
    "Document.explain": f"{_SET} for a word or a layer that is not there; {_NOT} if the layer cannot do it",
    "DocumentSpan.to_dict": "",
    "Why.render": _SET,
    "Document.to_json": "",
    "DocumentSentence.to_dict": "",
    "Pipeline.with_rules": _SET,
    "Tokenizer.with_rules": _SET,
    "Pipeline.with_layers": f"{_SET}, `ModelError`",
    "Pipeline.upto": _SET,
    "Pipeline.looks_at_documents": "",
    "Pipeline.__call__": _TEXT,
    "Pipeline.explain": f"{_TEXT}, or for a layer that is not there; {_NOT} if the layer cannot do it",
    "Pipeline.pipe": f"{_TEXT}, and for wrong arguments",
    "Pipeline.documents": _TEXT,
    "Pipeline.stream": f"{_X}; {_SET} without a tokeniser",
    "Pipeline.passages": f"{_X}; {_SET} without a tokeniser",
    "Pipeline.tag": _X,
    "Pipeline.add_lower": _X,
    "Pipeline.evaluate": f"{_X}; {_SET} without a tokeniser",
    "Pipeline.save": f"{_X} if the file cannot be written; `ModelError`",
    "Pipeline.load": f"`ModelError`; {_SET} for code that is not allowed",
    "Pipeline.from_bytes": f"`ModelError`; {_SET} for code that is not allowed",
    "Tokenizer.from_model": "`ModelError`",
    "Rules.load": f"{_X} if a rule cannot be read or compiled",
    "Rules.parse": f"{_X} if a rule cannot be read or compiled; {_SET} if a rule names a file",
    "Rules.labelled": f"{_X} if a column is missing",
    "Rules.constraints": f"{_X} if a column is missing",
    "Rules.tag": f"{_X} if a column is missing",
    "Rules.matches": f"{_X} if a column is missing",
    "Rules.spans_of_words": f"{_X} if rules contradict each other",
    "Rules.__call__": f"{_X} if a column is missing",
    "GlobalLinearModel.fit": f"{_X}, {_SET}",
    "GlobalLinearModel.predict": f"{_X}, {_SET}",
    "GlobalLinearModel.score": f"{_X}, {_SET}",
    "GlobalLinearModel.rank": _SET,
    "WordClasses.learn": f"{_X}, {_SET}",
    "WordClasses.load": "`ModelError`",
    "WordClasses.save": f"{_X} if the file cannot be written",
    "Learner.arguments": "",
    "Recipe.replace": _SET,
    "Recipe.resolved": _SET,
    "Recipe.to_dict": "",
    "Sentence.where": "",
    "Setting.parameter": "",
    "Tagger.get_params": "",
    "Tagger.set_params": f"{_SET}, and then nothing is changed",
    "Tagger.resolved_recipe": _SET,
    "Tagger.fit": f"{_X}; {_SET}; `ModelError` with `warm_start` and another kind of model; `KeyboardInterrupt`",
    "Tagger.calibrate": _LABELS,
    "Tagger.predict": _LABELS,
    "Tagger.with_rules": _SOME,
    "Tagger.predict_nbest": _SOME,
    "Tagger.predict_spans": _SPANS,
    "Tagger.predict_confidence": _CONFIDENCE,
    "Tagger.predict_confident_spans": f"{_CONFIDENCE}, or if its labels are not spans",
    "Tagger.reliability": _CONFIDENCE,
    "Tagger.predict_marginals": _SOME,
    "Tagger.predict_parts": _SOME,
    "Tagger.predict_span_marginals": _SOME,
    "Tagger.evaluate": _LABELS,
    "Tagger.score": _LABELS,
    "Tagger.explain": _SOME,
    "Tagger.explain_document": _SOME,
    "Tagger.inference_order": _SOME,
    "Tagger.inference_orders": _SOME,
    "Tagger.save": f"{_X} if the file cannot be written; {_SET} without a model",
    "Tagger.load": f"`ModelError`; {_SET} if the model needs code of yours",
    "Tokenizer.resolved_recipe": _SET,
    "Tokenizer.fit": f"{_X}; {_SET}",
    "Tokenizer.__call__": f"{_SET} without a model, or if the text is not a string",
    "Tokenizer.tokenize": f"{_SET} without a model, or if the text is not a string",
    "Tokenizer.stream": f"{_X} if the text cannot be read; {_SET} without a model",
    "Tokenizer.evaluate": _LABELS,
    "Tokenizer.save": f"{_X} if the file cannot be written; {_SET} without a model",
    "Tokenizer.load": "`ModelError`",
    "Passage.between": "",
    "Passage.gaps": "",
    "Training.run": _SET,
    "Training.run_all": _SET,
    "Training.run_ahead": _SET,
    "Training.catch_up": "",
    "Training.forget_ahead": "",
    "Training.dev_labels": "",
    "Training.model": "",
    "Training.finish": "",
    "Training.leave_out_choices": "",
    "Training.chooses_outside_score": "",
    "Training.outside_scores": "",
    "NotOfferedError.by": "",
    "tables.tag": f"{_X}, {_SET}, `ModelError`",
    "tables.to_sentences": f"{_X}, {_SET}",
    "tables.from_sentences": f"{_X}, {_SET}",
    "arrow.tag": f"{_X}, {_SET}, `ModelError`",
    "spark.tag": f"{_SET}, `ModelError`; {_X} when the table is computed",
    "ray.fit": f"{_X}, {_SET}",
    "ray.TagBatch.__call__": f"{_X}, {_SET}",
    "ray.tag_files": f"{_X}, {_SET}, `ModelError`",
    "sklearn.PerceptagTagger.fit": f"{_X}, {_SET}",
    "sklearn.PerceptagTagger.partial_fit": f"{_X}, {_SET}",
    "spacy.to_sentences": f"{_X}, {_SET}",
    "spacy.to_doc": _X,
    "nltk.to_sentences": _X,
    "nltk.PerceptagTagger.train": f"{_X}, {_SET}",
    "nltk.PerceptagTagger.tag": _X,
    "nltk.PerceptagTagger.tag_sents": _X,
    "spacy.PerceptagTagger.score": "",
    "spacy.PerceptagNer.score": "",
    "Client.close": "",
    **{f"Client.{name}": "`ServerError`, `OSError`" for name in ("models", "limits", "reload")},
    **{f"Client.{name}": "`ServerError`, `OSError`" for name in ("guidelines", "write_guidelines")},
    **{
        f"Client.{name}": "`ServerError`, `OSError`; `TypeError`"
        for name in ("tag", "stream", "tag_file", "explain", "order")
    },
    "CodeNotAllowedError.by": "",
    **{f"{c}.to_dict": "" for c in ("Report", "TokenReport", "Comparison", "Reliability", "Explained", "Explanation")},
    **{f"{c}.render": "" for c in ("Report", "TokenReport", "Comparison", "Reliability", "InferenceOrder")},
    "Report.render_for_terminal": "",
    **{f"{c}.{name}": _SET for c in ("Explained", "Explanation", "ChunkExplanation") for name in ("render", "html")},
    **{f"{c}.to_dict": "" for c in ("ChunkExplanation", "InferenceOrder")},
}


@dataclass(frozen=True)
class Entry:
    """A public name and what a page says of it."""

    name: str  # as headings show it: "Tagger.fit"
    path: str  # as signatures show it: "perceptag.Tagger"
    kind: str  # class, protocol, exception, function, method, classmethod, property or type
    parameters: tuple[str, ...]  # with types and defaults
    result: str  # the type of what is returned or of a property; the bases of an exception; what a type stands for
    text: str
    raises: str
    members: tuple[Entry, ...] = ()

    @property
    def signature(self) -> str:
        """The name with its parameters, on one line."""
        return f"{self.path}({', '.join(self.parameters)})" if self.is_called else self.path

    @property
    def is_called(self) -> bool:
        return self.kind in ("class", "function", "method", "classmethod")


def sections() -> dict[str, list[Entry]]:
    """All names, by the heading that they stand under."""
    found = {title: _entries(homes) for title, homes in SECTIONS.items()}
    return {**found, "Types": [_type_entry(module, name, text) for (module, name), text in TYPES.items()]}


def of_library(name: str) -> list[Entry]:
    """What perceptag has for a library, if it is installed."""
    return _entries(OF_LIBRARIES[name]) if importlib.util.find_spec(name) else []


def _entries(homes: Mapping[str, tuple[str, ...]]) -> list[Entry]:
    return [_entry(module, name) for module, names in homes.items() for name in names]


def page() -> str:
    """The whole page."""
    parts = [HEAD]
    for title, entries in sections().items():
        parts += [f"## {title}\n", *(part for entry in entries for part in _shown(entry, "###"))]
    return "\n".join(parts)


def _shown(entry: Entry, level: str) -> Iterator[str]:
    """A heading, the signature, the docstring and the errors; for a class also what it offers."""
    yield f"{level} {entry.name}\n"
    yield f"```\n{_signature(entry)}\n```\n"
    yield f"{entry.text}\n"
    if entry.raises:
        yield f"Raises {entry.raises}.\n"
    for member in entry.members:
        yield from _shown(member, f"{level}#")


def _signature(entry: Entry) -> str:
    """The call with types and defaults, broken into lines where it is long."""
    if entry.kind == "exception":
        return f"{entry.path}({entry.result})"
    if entry.kind == "property":
        return f"{entry.path}: {entry.result}"
    if entry.kind == "type":
        return f"{entry.path} = {entry.result}"
    result = f" -> {entry.result}" if entry.result else ""
    if len(entry.signature + result) <= 100:
        return entry.signature + result
    return f"{entry.path}(\n" + "".join(f"    {one},\n" for one in entry.parameters) + f"){result}"


def _entry(module: str, name: str) -> Entry:
    """A function or a class."""
    value, path = getattr(importlib.import_module(module), name), f"{module}.{name}"
    home = module.removeprefix("perceptag.")
    name = f"{home}.{name}" if home in _BY_MODULE else name
    if not inspect.isclass(value):
        return Entry(name, path, "function", _parameters(value), _result(value), _text(value), RAISES[name])
    members = tuple(_member(f"{name}.{member}", found) for member, found in _members(value))
    if issubclass(value, BaseException):
        return Entry(
            name, path, "exception", (), ", ".join(c.__name__ for c in value.__bases__), _text(value), "", members
        )
    is_protocol = getattr(value, "_is_protocol", False)
    kind, parameters = ("protocol", ()) if is_protocol else ("class", _parameters(value))
    return Entry(name, path, kind, parameters, "", _text(value), "", members)


def _type_entry(module: str, name: str, text: str) -> Entry:
    stands_for = str(getattr(importlib.import_module(module), name))
    return Entry(name, name, "type", (), re.sub(r"\b[a-z]\w*\.(?=[\w.]*[A-Z]\w+\[?)", "", stands_for), text, "")


def _member(path: str, found: object) -> Entry:
    if isinstance(found, property):
        return Entry(path, path, "property", (), _result(found.fget), _text(found), "")
    value = found.__func__ if isinstance(found, (classmethod, staticmethod)) else found
    kind = "classmethod" if isinstance(found, classmethod) else "method"
    return Entry(path, path, kind, _parameters(value), _result(value), _text(value), RAISES[path])


def _members(cls: type) -> Iterator[tuple[str, object]]:
    """Public methods and properties of a class, in the order of its source, that have a docstring."""
    inherited = vars(RecipeEstimator) if RecipeEstimator in cls.__bases__ else {}
    for name, found in [*inherited.items(), *vars(cls).items()]:
        value = found.__func__ if isinstance(found, (classmethod, staticmethod)) else found
        is_offered = isinstance(value, property) or inspect.isfunction(value)
        is_public = not name.startswith("_") or name == "__call__"
        if is_public and is_offered and inspect.getdoc(value):
            yield name, found


def _parameters(value: object) -> tuple[str, ...]:
    called = inspect.signature(value)  # type: ignore[arg-type]
    outer = [p for p in called.parameters.values() if p.name not in ("self", "cls")]
    shown = [_parameter(p, value) for p in outer]
    first = next((i for i, p in enumerate(outer) if p.kind is p.KEYWORD_ONLY), None)
    if first is not None:
        shown.insert(first, "*")
    return tuple(shown)


def _result(value: object) -> str:
    after = inspect.signature(value).return_annotation  # type: ignore[arg-type]
    return "" if after is inspect.Signature.empty else _type(after)


def _parameter(parameter: inspect.Parameter, owner: object) -> str:
    stars = {inspect.Parameter.VAR_POSITIONAL: "*", inspect.Parameter.VAR_KEYWORD: "**"}.get(parameter.kind, "")
    annotated = "" if parameter.annotation is parameter.empty else f": {_type(parameter.annotation)}"
    if parameter.default is parameter.empty:
        return f"{stars}{parameter.name}{annotated}"
    made = {f.name: "…" for f in _fields(owner) if f.default_factory is not dataclasses.MISSING}
    default = made.get(parameter.name) or _default(parameter.default)
    return f"{stars}{parameter.name}{annotated} = {default}"


def _fields(owner: object) -> tuple[dataclasses.Field[object], ...]:
    return dataclasses.fields(owner) if dataclasses.is_dataclass(owner) and inspect.isclass(owner) else ()


def _default(value: object) -> str:
    """A default as it is written; sets in the same order every time."""
    if isinstance(value, frozenset):
        return f"frozenset({sorted(value)})"
    return repr(value)


def _type(annotation: object) -> str:
    return annotation if isinstance(annotation, str) else getattr(annotation, "__name__", str(annotation))


def _text(value: object) -> str:
    """The docstring without its examples, double backticks written as single ones."""
    text = (inspect.getdoc(value) or "").partition("\n>>> ")[0].rstrip().replace("``", "`")
    lines = text.split("\n")
    kept, parameters = [], False
    for line in lines:
        if set(line) == {"-"}:
            parameters = True
            kept[-1] = f"{kept[-1]}:\n"
            continue
        name, colon, rest = line.partition(" : ")
        kept.append(f"- `{name}`: {rest}" if parameters and colon and not line.startswith(" ") else line)
        parameters = parameters and bool(line)
    return "\n".join(kept)


if __name__ == "__main__":
    sys.stdout.write(page())

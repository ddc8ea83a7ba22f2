"""Writes docs/guide/api-reference.md from the docstrings of the public names: `make api`."""

from __future__ import annotations

import dataclasses
import importlib
import inspect
import sys
from collections.abc import Iterator

import perceptag
from perceptag.errors import PerceptagError

HEAD = """# API reference

Every public name of `perceptag`, and the objects that its functions return. `make api` writes this page from the
docstrings; [Python](python-api.md) is the guide. A class is followed by its methods and properties.

Wrong input raises a `PerceptagError`, which is a `ValueError`: a `DataError` for sentences, labels and files of data, a
`SettingError` for any other argument or setting, a `ModelError` for model files. A tagger without a model raises a
`SettingError` when it is asked for labels.
"""

# What users meet without importing it: results, and the objects of longer work.
RESULTS = (
    ("perceptag.evaluation", "Report"),
    ("perceptag.evaluation", "Counts"),
    ("perceptag.evaluation", "Comparison"),
    ("perceptag.evaluation.reliability", "Reliability"),
    ("perceptag.evaluation.reliability", "Bin"),
    ("perceptag.evaluation.tokens", "TokenReport"),
    ("perceptag.pipeline.document", "DocumentSentence"),
    ("perceptag.pipeline.document", "DocumentToken"),
    ("perceptag.pipeline.document", "DocumentWord"),
    ("perceptag.pipeline.document", "DocumentSpan"),
    ("perceptag.training.jackknife", "LowerLayer"),
    ("perceptag.training.jackknife", "with_predicted"),
    ("perceptag.text.tokens", "Token"),
    ("perceptag.text.tokens", "TextSentence"),
    ("perceptag.text.tokens", "Passage"),
    ("perceptag.models.explanation", "Explained"),
    ("perceptag.models.explanation", "Explanation"),
    ("perceptag.models.explanation", "TokenExplanation"),
    ("perceptag.models.explanation", "Contribution"),
    ("perceptag.models.explanation", "NonLocalContribution"),
    ("perceptag.models.chunker.explain", "ChunkExplanation"),
    ("perceptag.models.inference_order", "InferenceOrder"),
    ("perceptag.training.train", "Training"),
    ("perceptag.training.train", "PassReport"),
    ("perceptag.errors", "NotOfferedError"),
    ("perceptag.errors", "CodeNotAllowedError"),
    ("perceptag.text", "read"),
    ("perceptag.text", "write"),
)

_X, _SET, _NOT = "`DataError`", "`SettingError`", "`NotOfferedError`"
_LABELS = f"{_X}; {_SET} without a model"
_CONFIDENCE = f"{_X}; {_SET} without a model, or if it is not calibrated"
_SPANS = f"{_X}; {_SET} without a model, or if its labels are not spans"
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
    "DocumentSentence.to_dict": "",
    "Pipeline.upto": _SET,
    "Pipeline.looks_at_documents": "",
    "Pipeline.stream": f"{_X}; {_SET} without a tokeniser",
    "Pipeline.passages": f"{_X}; {_SET} without a tokeniser",
    "Pipeline.tag": _X,
    "Pipeline.add_lower": _X,
    "Pipeline.evaluate": f"{_X}; {_SET} without a tokeniser",
    "Pipeline.save": f"{_X} if the file cannot be written; `ModelError`",
    "Pipeline.load": f"`ModelError`; {_SET} for code that is not allowed",
    "Pipeline.from_bytes": f"`ModelError`; {_SET} for code that is not allowed",
    "Tokenizer.from_model": "`ModelError`",
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
    "Tagger.predict_nbest": _SOME,
    "Tagger.predict_spans": _SPANS,
    "Tagger.predict_confidence": _CONFIDENCE,
    "Tagger.predict_confident_spans": f"{_CONFIDENCE}, or if its labels are not spans",
    "Tagger.reliability": _CONFIDENCE,
    "Tagger.predict_marginals": _SOME,
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
    "Tokenizer.tokenize": f"{_SET} without a model, or if the text is not a string",
    "Tokenizer.stream": f"{_X} if the text cannot be read; {_SET} without a model",
    "Tokenizer.evaluate": _LABELS,
    "Tokenizer.save": f"{_X} if the file cannot be written; {_SET} without a model",
    "Tokenizer.load": "`ModelError`",
    "Passage.between": "",
    "Passage.gaps": "",
    "Training.run": _SET,
    "Training.run_ahead": _SET,
    "Training.dev_labels": "",
    "Training.model": "",
    "Training.finish": "",
    "Training.leave_out_choices": "",
    "Training.chooses_outside_score": "",
    "Training.outside_scores": "",
    "NotOfferedError.by": "",
    "CodeNotAllowedError.by": "",
    **{f"{c}.to_dict": "" for c in ("Report", "TokenReport", "Comparison", "Reliability", "Explained", "Explanation")},
    **{f"{c}.render": "" for c in ("Report", "TokenReport", "Comparison", "Reliability", "InferenceOrder")},
    **{f"{c}.render": _SET for c in ("Explained", "Explanation", "ChunkExplanation")},
    **{f"{c}.to_dict": "" for c in ("ChunkExplanation", "InferenceOrder")},
}


def page() -> str:
    """The whole page."""
    public = [name for name in perceptag.__all__ if name != "__version__"]
    names = [(getattr(perceptag, name), f"perceptag.{name}") for name in public]
    results = [(getattr(importlib.import_module(module), name), f"{module}.{name}") for module, name in RESULTS]
    parts = [HEAD, "## Public names\n", "`perceptag.__version__`: the version, a string.\n"]
    parts += [part for value, path in names for part in _described(value, path)]
    parts += ["## Other objects\n"]
    parts += [part for value, path in results for part in _described(value, path)]
    return "\n".join(parts)


def _described(value: object, path: str) -> Iterator[str]:
    """A heading, the signature, the docstring and the errors; for a class also what it offers."""
    name = path.rpartition(".")[2]
    yield f"### {name}\n"
    yield _signature(value, path)
    yield f"{_text(value)}\n"
    if not inspect.isclass(value):
        yield from _errors(name)
        return
    for member, found in _members(value):
        is_property = isinstance(found, property)
        shown = f"{name}.{member}" if is_property else _signature(found, f"{name}.{member}")
        yield f"#### {name}.{member}\n"
        yield f"```\n{shown}\n```\n" if is_property else shown
        yield f"{_text(found)}\n"
        if not is_property:
            yield from _errors(f"{name}.{member}")


def _members(cls: type) -> Iterator[tuple[str, object]]:
    """Public methods and properties of a class, in the order of its source, that have a docstring."""
    for name, found in vars(cls).items():
        value = found.__func__ if isinstance(found, (classmethod, staticmethod)) else found
        is_offered = isinstance(value, property) or inspect.isfunction(value)
        if not name.startswith("_") and is_offered and inspect.getdoc(value):
            yield name, value


def _signature(value: object, path: str) -> str:
    """The call with types and defaults, broken into lines where it is long."""
    if inspect.isclass(value) and issubclass(value, PerceptagError):
        return f"```\n{path}({', '.join(c.__name__ for c in value.__bases__)})\n```\n"
    if inspect.isclass(value) and getattr(value, "_is_protocol", False):
        return f"```\n{path}\n```\n"
    called = inspect.signature(value)  # type: ignore[arg-type]
    shown = [_parameter(p, value) for p in called.parameters.values() if p.name not in ("self", "cls")]
    after = called.return_annotation
    result = "" if inspect.isclass(value) or after is inspect.Signature.empty else f" -> {_type(after)}"
    if any(p.kind is p.KEYWORD_ONLY for p in called.parameters.values()):
        first = next(i for i, p in enumerate(_outer(called)) if p.kind is p.KEYWORD_ONLY)
        shown.insert(first, "*")
    line = f"{path}({', '.join(shown)}){result}"
    long = f"{path}(\n" + "".join(f"    {one},\n" for one in shown) + f"){result}"
    return f"```\n{line if len(line) <= 100 else long}\n```\n"


def _outer(called: inspect.Signature) -> list[inspect.Parameter]:
    return [p for p in called.parameters.values() if p.name not in ("self", "cls")]


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


def _errors(name: str) -> Iterator[str]:
    if RAISES[name]:
        yield f"Raises {RAISES[name]}.\n"


if __name__ == "__main__":
    sys.stdout.write(page())

"""perceptag: sequence labelling with perceptrons."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from perceptag._version import __version__

if TYPE_CHECKING:
    from perceptag.errors import DataError, ModelError, PerceptagError, SettingError
    from perceptag.evaluation import compare, evaluate
    from perceptag.global_linear_model import GlobalLinearModel
    from perceptag.labels.schemes import Span
    from perceptag.learn.learner import Learner, Setting
    from perceptag.pipeline.document import Document
    from perceptag.pipeline.loading import load
    from perceptag.pipeline.pipeline import Pipeline
    from perceptag.recipe.recipe import Recipe
    from perceptag.rules.rules import Rules
    from perceptag.tagger import Tagger
    from perceptag.text.sentence import Sentence
    from perceptag.tokenizer import Tokenizer
    from perceptag.word_classes import WordClasses

__all__ = [
    "DataError",
    "Document",
    "GlobalLinearModel",
    "Learner",
    "ModelError",
    "PerceptagError",
    "Pipeline",
    "Recipe",
    "Rules",
    "Sentence",
    "Setting",
    "SettingError",
    "Span",
    "Tagger",
    "Tokenizer",
    "WordClasses",
    "__version__",
    "compare",
    "evaluate",
    "load",
]

# Names are imported when they are first used. So the command line can handle Ctrl-C before anything slow is imported,
# and a user of one name does not wait for the others.
_HOMES = {
    **dict.fromkeys(("DataError", "ModelError", "PerceptagError", "SettingError"), "errors"),
    **dict.fromkeys(("compare", "evaluate"), "evaluation"),
    "GlobalLinearModel": "global_linear_model",
    "Span": "labels.schemes",
    **dict.fromkeys(("Learner", "Setting"), "learn.learner"),
    "Document": "pipeline.document",
    "load": "pipeline.loading",
    "Pipeline": "pipeline.pipeline",
    "Recipe": "recipe.recipe",
    "Rules": "rules.rules",
    "Tagger": "tagger",
    "Sentence": "text.sentence",
    "Tokenizer": "tokenizer",
    "WordClasses": "word_classes",
}


_ROOMS = ("labels", "tables", "text")  # modules that the documentation names in full


def __getattr__(name: str) -> Any:
    if name in _ROOMS:
        import_module("perceptag.labels.schemes")
        return import_module(f"perceptag.{name}")
    if name not in _HOMES:
        raise AttributeError(f"module 'perceptag' has no attribute {name!r}")
    value = getattr(import_module(f"perceptag.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})

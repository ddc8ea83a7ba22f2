"""perceptag: sequence labelling with perceptrons."""

from perceptag._version import __version__
from perceptag.errors import DataError, ModelError, PerceptagError, SettingError
from perceptag.evaluate import compare, evaluate
from perceptag.labels import Span
from perceptag.recipe import Recipe
from perceptag.tagger import Tagger
from perceptag.text.sentence import Sentence

__all__ = [
    "DataError",
    "ModelError",
    "PerceptagError",
    "Recipe",
    "Sentence",
    "SettingError",
    "Span",
    "Tagger",
    "__version__",
    "compare",
    "evaluate",
]

"""Opens the user's models: if something is wrong with one, the message names its file."""

from __future__ import annotations

from perceptag.errors import ModelError
from perceptag.models.kinds import TOKENIZER, make_ready
from perceptag.models.protocol import Attributes, Functions, ReadyModel
from perceptag.recipe.usercode import attributes_of, functions_of
from perceptag.store import file as modelfile
from perceptag.store.model import Model


def open_model(path: str, *, allow_code: bool) -> ReadyModel:
    """Read a model and make it ready to tag. A tokeniser does not tag."""
    model = modelfile.load(path)
    if model.facts.get("kind") == TOKENIZER:
        raise ModelError(f"{path}: expected a model that tags, found a tokeniser; 'perceptag tokenize' uses it")
    return make_ready_from(path, model, *code_of(model, allow_code=allow_code))


def code_of(model: Model, *, allow_code: bool) -> tuple[Attributes, Functions]:
    """The user's code that a model names, imported if that is allowed."""
    attributes = attributes_of(model.recipe, allow_code=allow_code)
    return attributes, functions_of(model.recipe, allow_code=allow_code)


def make_ready_from(path: str, model: Model, attributes: Attributes, functions: Functions) -> ReadyModel:
    """Make a model that was read from the file `path` ready to tag."""
    try:
        return make_ready(model, attributes, functions)
    except ModelError as error:
        raise ModelError(f"{path}: {error}") from error

"""Models of the user on their way into a verb: whatever is wrong with one, the message names its file."""

from __future__ import annotations

from perceptag.errors import ModelError
from perceptag.models.kinds import compile_model
from perceptag.models.protocol import Attributes, Compiled, Functions
from perceptag.recipe.usercode import attributes_of, functions_of
from perceptag.store import file as modelfile
from perceptag.store.model import Model


def open_model(path: str, *, allow_code: bool) -> tuple[Model, Compiled]:
    """Read a model and make it ready to tag."""
    model = modelfile.load(path)
    attributes = attributes_of(model.recipe, allow_code=allow_code)
    functions = functions_of(model.recipe, allow_code=allow_code)
    return model, make_ready(model, path, attributes, functions)


def make_ready(model: Model, path: str, attributes: Attributes, functions: Functions) -> Compiled:
    """Compile a model that was read from `path`."""
    try:
        return compile_model(model, attributes, functions)
    except ModelError as error:
        raise ModelError(f"{path}: {error}") from error

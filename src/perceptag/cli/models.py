"""Models of the user on their way into a verb: whatever is wrong with one, the message names its file."""

from __future__ import annotations

from collections.abc import Mapping

from perceptag import modelfile
from perceptag.compiled import Compiled, compile_model
from perceptag.errors import ModelError
from perceptag.features.attributes import Attribute
from perceptag.model import Model
from perceptag.usercode import attributes_of


def open_model(path: str, *, allow_code: bool) -> tuple[Model, Compiled]:
    """Read a model and make it ready to tag."""
    model = modelfile.load(path)
    return model, make_ready(model, path, attributes_of(model.recipe, allow_code=allow_code))


def make_ready(model: Model, path: str, attributes: Mapping[str, Attribute]) -> Compiled:
    """Compile a model that was read from `path`."""
    try:
        return compile_model(model, attributes)
    except ModelError as error:
        raise ModelError(f"{path}: {error}") from error

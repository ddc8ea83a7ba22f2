"""Save a model after checking that it loads again."""

from __future__ import annotations

from perceptag.errors import ModelError
from perceptag.models.kinds import make_ready
from perceptag.models.protocol import Attributes, Functions
from perceptag.store import model_file as modelfile
from perceptag.store.model import Model
from perceptag.system.output_files import open_output


def save(model: Model, path: str, attributes: Attributes, functions: Functions) -> str:
    """Write a model that was loaded from its own bytes first, in one step or not at all; return its SHA-256.

    `attributes` and `functions` hold the user's code that the model names.
    """
    data, sha = modelfile.to_bytes(model)
    try:
        make_ready(modelfile.load_bytes(data), attributes, functions)
    except ModelError as error:
        raise ModelError(f"{path}: not written, because nothing could load it: {error}") from error
    with open_output(path) as stream:
        stream.write(data)
    return sha

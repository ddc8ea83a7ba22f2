"""Open tokenisers by their files."""

from __future__ import annotations

from perceptag.models import model_file as modelfile
from perceptag.pipeline import pipeline_file as pipelinefile
from perceptag.tokenizer import Tokenizer


def open_tokenizer(path: str) -> Tokenizer:
    """Read a tokeniser, or that of a pipeline."""
    data = modelfile.read_file(path)
    if modelfile.kind_of(data) != pipelinefile.KIND:
        return Tokenizer.from_model(modelfile.load_bytes(data, path), path)
    name, model = pipelinefile.load_bytes(data, path).layers[0]
    return Tokenizer.from_model(model, f"{path}: layer {name!r}")

"""``perceptag pipeline``: put several models into one file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Annotated

from perceptag.cli.declare import Argument, Option
from perceptag.cli.input_files import refuse_same_file
from perceptag.cli.lower_layers import name_and_path
from perceptag.cli.options import AllowCode, Json, Quiet
from perceptag.cli.streams import refuse_json_behind, write_json, write_stderr
from perceptag.errors import ModelError, SettingError
from perceptag.pipeline import pipeline_file as pipelinefile
from perceptag.pipeline.installed import path_of
from perceptag.pipeline.layers import default_name
from perceptag.pipeline.pipeline import Pipeline
from perceptag.store import model_file as modelfile


@dataclass(frozen=True, slots=True)
class Made:
    """A pipeline file that was written."""

    pipeline: str
    sha256: str
    layers: list[str]
    inputs: list[str]


def pipeline_cli(
    models: Annotated[
        list[str], Argument("[NAME=]MODEL ...", "Models in order, a tokeniser first; NAME: the column it adds.")
    ],
    output: Annotated[str, Option("--output -o OUT", "Where to write the pipeline.")],
    compress: Annotated[
        bool, Option("--compress", "Compress the file: about five times smaller, slower to load.")
    ] = False,
    allow_code: AllowCode = False,
    quiet: Quiet = False,
    json_: Json = False,
) -> None:
    """Put several models into one file.

    Each model reads the words and the columns that earlier models add. A model adds the column that held the labels in
    its training data, or the one called NAME. With a tokeniser the pipeline takes running text.
    """
    if json_:
        refuse_json_behind("--output", output)
    made = pipeline(models, output, compress=compress, allow_code=allow_code)
    if json_:
        write_json(asdict(made))
    elif not quiet:
        write_stderr(f"saved {output} ({', '.join(made.layers)}), sha256 {made.sha256[:16]}")


def pipeline(models: Sequence[str], output: str, *, compress: bool = False, allow_code: bool = False) -> Made:
    """Put the models in these files, each perhaps as ``name=file``, into one file."""
    named = [(name, path_of(path)) for name, path in map(name_and_path, models)]
    refuse_same_file("--output", output, [path for _, path in named])
    layers: dict[str, str] = {}
    for name, path in named:
        layer = name or _name_in(path)
        if layer in layers:
            raise SettingError(f"{path}: expected a layer of another name than {layer!r}; NAME={path} gives it one")
        layers[layer] = path
    made = Pipeline(layers, allow_code=allow_code)
    sha = made.save(output, compress=compress)
    return Made(output, sha, list(layers), made.inputs if made.tokenizer is None else ["text"])


def _name_in(path: str) -> str:
    data = modelfile.read_file(path)
    if modelfile.kind_of(data) == pipelinefile.KIND:
        raise ModelError(f"{path}: expected a model, found a pipeline, which cannot be a layer of another")
    return default_name(modelfile.load_bytes(data, path))

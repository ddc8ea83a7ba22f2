"""``perceptag pipeline``: put several models into one file, or change the layers of a pipeline."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from perceptag.cli.declare import Argument, Option
from perceptag.cli.lower_layers import name_and_path
from perceptag.cli.options import AllowCode, Json, Overwrite, Quiet, RuleOptions, RulesIn
from perceptag.cli.streams import refuse_json_behind, write_json, write_stderr
from perceptag.errors import SettingError
from perceptag.models.protocol import ReadyModel
from perceptag.pipeline.installed import path_of
from perceptag.pipeline.loading import load
from perceptag.pipeline.pipeline import Pipeline
from perceptag.pipeline.pipeline_file import is_compressed
from perceptag.pipeline.rule_layers import before_readers, is_read_by, with_rule_layer
from perceptag.rules.rules import Rules
from perceptag.system.file_kinds import MODEL
from perceptag.system.replacing import check_output, kept_note


@dataclass(eq=False, repr=False)
class LayerOptions:
    """Changes of the layers of a pipeline."""

    rule_file: RulesIn = ""
    replace: Annotated[
        list[str] | None, Option("[NAME=]MODEL", "Use this model instead of the layer NAME; repeatable.")
    ] = None
    drop: Annotated[list[str] | None, Option("NAME", "Leave out this layer; repeatable.")] = None


def pipeline_cli(
    models: Annotated[
        list[str], Argument("[NAME=]MODEL ...", "Models in order, a tokeniser first; NAME: the column it adds.")
    ],
    output: Annotated[str, Option("--output -o OUT", "Where to write the pipeline.")],
    rules: RuleOptions,
    changes: LayerOptions,
    compress: Annotated[
        bool, Option("--compress", "Compress the file: about three times smaller; default if a MODEL is compressed.")
    ] = False,
    overwrite: Overwrite = False,
    allow_code: AllowCode = False,
    quiet: Quiet = False,
    json_: Json = False,
) -> None:
    """Combine several models in one file.

    Each model reads the words and the columns that earlier models add. A model adds the column that held the labels in
    its training data, or the one called NAME. With a tokeniser the pipeline takes running text.

    A MODEL that is a pipeline, such as the installed 'en', gives all its layers, and NAME=PIPELINE gives the layer NAME
    of it. --replace and --drop change its layers: 'perceptag pipeline en --replace ner=mine.model -o
    mine.pipeline' finds entities with a model of your own and keeps the rest of 'en'. --rules adds the rules of a file
    as a layer, before those that may use its column; rules for the column of a layer join the search of its model.

    --never-split, --always-split and --lines give its tokeniser rules of your own, which the file keeps.
    """
    if json_:
        refuse_json_behind("--output", output)
    named = (*models, *(changes.replace or ()))
    inputs = [*(path_of(name_and_path(word)[1]) for word in named), changes.rule_file, *rules.files]
    check_output("--output", output, MODEL, inputs, overwrite=overwrite)
    found = Rules.load(changes.rule_file) if changes.rule_file else None
    made = make_pipeline(models, changes, allow_code, found)
    if rules.is_given:
        made = rules.put_into(made)
    compress = compress or any(is_compressed(path_of(name_and_path(word)[1])) for word in named)
    told = "" if overwrite else kept_note(output)
    sha = made.save(output, compress=compress, overwrite=overwrite)
    if told and not quiet:
        write_stderr(told)
    takes = made.inputs if made.tokenizer is None else ["text"]
    if json_:
        write_json({"pipeline": output, "sha256": sha, "layers": list(made.models), "inputs": takes})
    elif not quiet:
        write_stderr(f"saved {output} ({', '.join(made.models)}), sha256 {sha[:16]}")


def make_pipeline(
    models: Sequence[str], changes: LayerOptions, allow_code: bool, rules: Rules | None = None
) -> Pipeline:
    """Put models, each given as ``file`` or ``name=file``, and rules into a pipeline."""
    replace = _named(changes.replace or (), allow_code)
    found: dict[str, Any] = _named(models, allow_code)
    is_read = rules is not None and is_read_by(rules, [*found.values(), *replace.values()])
    if rules and is_read and rules.column not in found:
        found = before_readers(rules, found)
    made = Pipeline(found)
    try:
        made = made.with_layers(replace=replace, drop=changes.drop or ())
    except SettingError as error:
        raise SettingError(f"--{error}") from None
    return with_rule_layer(made, rules) if rules and rules is not found.get(rules.column) else made


def _named(words: Sequence[str], allow_code: bool) -> dict[str, ReadyModel]:
    """The models of words such as ``file`` and ``name=file`` by the names of their layers."""
    found: dict[str, ReadyModel] = {}
    for word in words:
        name, path = name_and_path(word)
        if path.endswith(".toml"):
            raise SettingError(f"expected models, found {path!r}; --rules {path} adds rules")
        opened = load(path, allow_code=allow_code)
        for layer, ready in (Pipeline({name: opened}) if name else opened).models.items():
            if layer in found:
                raise SettingError(
                    f"{path}: expected a layer of another name than {layer!r}; NAME={path} gives it one, and "
                    f"--replace {layer}={path} uses it instead of the other"
                )
            found[layer] = ready
    return found

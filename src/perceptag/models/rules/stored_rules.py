"""The text of a rule file, and of the files that it names, as arrays and facts of a model; and the rules compiled."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from perceptag import _core
from perceptag.arrays import np
from perceptag.errors import DataError, ModelError, reading_model
from perceptag.models.json_room import MOST_BYTES, MOST_VALUES
from perceptag.models.model import COMPILED, AnyArrays, Arrays, view_of
from perceptag.models.model_file import json_array, json_value, strings_of
from perceptag.rules.compiled_rules import CompiledRules, compile_rules, from_data, to_data
from perceptag.rules.rule_file import RuleFile, parse_rule_file
from perceptag.rules.rules import Rules

_TEXT, _FILE = "rules.text", "rules.file."  # arrays: the rule file, and the files that it names
_NODES = "rules.nodes"  # the rules compiled: the nodes of programs, beside the JSON of `COMPILED`


def rule_arrays(rules: Rules) -> Arrays:
    """Return the texts of rules as arrays."""
    texts = {_TEXT: rules.file.text} | {f"{_FILE}{i}": text for i, text in enumerate(rules.file.files.values())}
    return {name: np.frombuffer(text.encode(), np.uint8) for name, text in texts.items()}


def rule_facts(rules: Rules) -> dict[str, Any]:
    """Return the names of the files. Folders are left out, so that the bytes of a model do not depend on them."""
    return {"path": Path(rules.file.path).name, "files": list(rules.file.files)}


def unpack_rules(arrays: AnyArrays, facts: Mapping[str, Any], derived: AnyArrays) -> Rules:
    """Make the rules that a model file holds, which may hold anything; they are compiled if it has not done that."""
    file = _rule_file(arrays, facts)
    stored = _compiled(file, derived) if COMPILED in derived else None
    try:
        with reading_model("rules"):
            return Rules(file, stored)
    except DataError as error:
        raise ModelError(f"rules: {error}") from error


def compiled_arrays(arrays: AnyArrays, facts: Mapping[str, Any]) -> Arrays:
    """Compile the rules of a model, and return them as arrays; none if they are too large for a file."""
    file = _rule_file(arrays, facts)
    about, nodes = to_data(compile_rules(file), file)
    compiled = json_array(about)
    values, _ = _core.json_extent(compiled.tobytes())
    is_large = values > MOST_VALUES // 2 or len(compiled) > MOST_BYTES // 2  # other layers need room, too
    return {} if is_large else {COMPILED: compiled, _NODES: np.array(nodes, np.int32)}


def _compiled(file: RuleFile, derived: AnyArrays) -> CompiledRules | None:
    about = json_value(view_of(derived, COMPILED, "uint8").tobytes(), "the compiled rules")
    return from_data(about, view_of(derived, _NODES, "int32"), file)


def _rule_file(arrays: AnyArrays, facts: Mapping[str, Any]) -> RuleFile:
    names = strings_of("facts.files", facts.get("files"))
    texts = [_text(arrays, _TEXT), *(_text(arrays, f"{_FILE}{i}") for i in range(len(names)))]
    files = dict(zip(names, texts[1:], strict=True))

    def read(name: str) -> str:
        if name not in files:
            raise ModelError(f"rules: expected the file {name!r} inside the model file, found none")
        return files[name]

    path = facts.get("path")
    try:
        return parse_rule_file(texts[0], path if isinstance(path, str) else "rules", read)
    except DataError as error:
        raise ModelError(f"rules: {error}") from error


def _text(arrays: AnyArrays, name: str) -> str:
    with reading_model(name):
        data: bytes = view_of(arrays, name, "uint8").tobytes()
        return data.decode()

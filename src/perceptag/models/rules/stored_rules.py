"""The text of a rule file, and of the files that it names, as arrays and facts of a model."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from perceptag.arrays import np
from perceptag.errors import DataError, ModelError, reading_model
from perceptag.models.model import AnyArrays, Arrays, view_of
from perceptag.models.model_file import strings_of
from perceptag.rules.rule_file import parse_rule_file
from perceptag.rules.rules import Rules

_TEXT, _FILE = "rules.text", "rules.file."  # arrays: the rule file, and the files that it names


def rule_arrays(rules: Rules) -> Arrays:
    """Return the texts of rules as arrays."""
    texts = {_TEXT: rules.file.text} | {f"{_FILE}{i}": text for i, text in enumerate(rules.file.files.values())}
    return {name: np.frombuffer(text.encode(), np.uint8) for name, text in texts.items()}


def rule_facts(rules: Rules) -> dict[str, Any]:
    """Return the names of the files."""
    return {"path": rules.file.path, "files": list(rules.file.files)}


def unpack_rules(arrays: AnyArrays, facts: Mapping[str, Any]) -> Rules:
    """Compile the rules that a model file holds; it may hold anything."""
    names = strings_of("facts.files", facts.get("files"))
    texts = [_text(arrays, _TEXT), *(_text(arrays, f"{_FILE}{i}") for i in range(len(names)))]
    files = dict(zip(names, texts[1:], strict=True))

    def read(name: str) -> str:
        if name not in files:
            raise ModelError(f"rules: expected the file {name!r} inside the model file, found none")
        return files[name]

    path = facts.get("path")
    try:
        return Rules(parse_rule_file(texts[0], path if isinstance(path, str) else "rules", read))
    except DataError as error:
        raise ModelError(f"rules: {error}") from error


def _text(arrays: AnyArrays, name: str) -> str:
    with reading_model(name):
        data: bytes = view_of(arrays, name, "uint8").tobytes()
        return data.decode()

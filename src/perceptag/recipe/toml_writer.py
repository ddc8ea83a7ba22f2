"""Write recipes as TOML: only what differs from the defaults, tables last, with comments."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence

from perceptag.features.groups import split
from perceptag.recipe.common_settings import SETTINGS
from perceptag.recipe.learner_settings import NOTHING
from perceptag.recipe.recipe import Recipe, uses

WIDTH = 118
_NOT_WRITTEN = ("name", "features", "templates", "groups")  # the name is that of the file; the others are written apart


def to_toml(recipe: Recipe, comments: Mapping[str, str] | None = None, head: Iterable[str] = ()) -> str:
    """Return the text of a recipe file. `comments` are put after the lines of keys, `head` before the first line.

    Reading the file gives the same recipe, except that its name is that of the file, features of another recipe are
    written out, and settings that its learner does not use are left out.

    >>> print(to_toml(Recipe(epochs=5, labels_keep=("NP",)), {"epochs": "was 10"}))
    epochs = 5  # was 10
    <BLANKLINE>
    [labels]
    keep = ["NP"]
    <BLANKLINE>
    """
    notes = comments or {}
    tables: dict[str, list[str]] = {"": []}
    for key, value in _changed(recipe).items():
        table, _, rest = key.rpartition(".")
        note = f"  # {notes[key]}" if key in notes else ""
        tables.setdefault(table, []).append(_line(rest, value, note))
    parts = split(recipe.templates, recipe.groups)
    if parts and "" not in parts:
        tables["templates"] = [_line(_bare(name), group) for name, group in parts.items()]
    elif recipe.templates:
        tables[""].append(_line("templates", recipe.templates))
        tables[""] += [_line("groups", recipe.groups)] if recipe.groups else []
    blocks = ["\n".join(([f"[{name}]"] if name else []) + lines) for name, lines in tables.items() if lines]
    top = "".join(f"# {line}\n" for line in head)
    return (f"{top}\n" if top else "") + "\n\n".join(blocks) + "\n"


def _changed(recipe: Recipe) -> dict[str, object]:
    """Return the keys that differ from the defaults and are used by the learner; reading would refuse others."""
    common = {setting.key: getattr(recipe, name) for name, setting in SETTINGS.items() if name not in _NOT_WRITTEN}
    defaults = {setting.key: setting.default for setting in SETTINGS.values()} | dict(NOTHING)
    return {
        key: value
        for key, value in (common | dict(recipe.own)).items()
        if uses(recipe, key) and value != defaults.get(key)
    }


def _line(key: str, value: object, note: str = "") -> str:
    """Return a key and its value; a long list goes over several lines."""
    line = f"{key} = {_value(value)}{note}"
    if len(line) <= WIDTH or not isinstance(value, tuple):
        return line
    return f"{key} = [{note}\n{_wrapped([_value(v) for v in value])}\n]"


def _wrapped(items: Sequence[str]) -> str:
    lines = [" "]
    for item in items:
        if len(lines[-1]) + len(item) + 2 > WIDTH and lines[-1].strip():
            lines.append(" ")
        lines[-1] += f" {item},"
    return "\n".join(lines)


def _value(value: object) -> str:
    if isinstance(value, tuple):
        return f"[{', '.join(map(_value, value))}]"
    if isinstance(value, float):
        return str(int(value)) if value == int(value) else repr(value)
    # TOML can read what JSON escapes. This is the only control character that JSON does not escape.
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def _bare(name: str) -> str:
    """Return a key, in quotes if it has characters that a bare key must not have."""
    plain = name.isascii() and name.replace("-", "").replace("_", "").isalnum()
    return name if plain else _value(name)

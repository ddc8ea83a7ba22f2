"""Named groups of templates, for ablation and for measuring.

A recipe file writes them as a table. A `Recipe` holds all templates in one list, and in a second list how many of
them belong to each name, in order:

    [templates]                                      templates = ("form[0]", "form[1]", "suffix3[0]")
    words = ["form[0]", "form[1]"]          ──▶      groups = ("words=2", "affixes=1")
    affixes = ["suffix3[0]"]
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from perceptag.errors import SettingError, brief, nearest

Strings = tuple[str, ...]


def gather(table: Mapping[str, object]) -> tuple[list[str], list[str]]:
    """Return the templates of a table of groups, and the names with their counts.

    >>> gather({"words": ["form[0]", "form[1]"], "affixes": ["suffix3[0]"]})
    (['form[0]', 'form[1]', 'suffix3[0]'], ['words=2', 'affixes=1'])
    """
    templates: list[str] = []
    groups: list[str] = []
    for name, group in table.items():
        if not isinstance(group, list) or not all(isinstance(t, str) for t in group):
            raise SettingError(f"templates.{name}: expected a list of templates, found {brief(group)}")
        if "=" in name or "," in name:
            raise SettingError(f"templates.{name}: expected the name of a group without '=' and ',', found {name!r}")
        templates += group
        groups.append(f"{name}={len(group)}")
    return templates, groups


def split(templates: Sequence[str], groups: Sequence[str]) -> dict[str, Strings]:
    """Return the templates of each group. Those after the last group, or of a recipe without groups, have the name "".

    >>> split(("form[0]", "form[1]", "suffix3[0]"), ("words=2",))
    {'words': ('form[0]', 'form[1]'), '': ('suffix3[0]',)}
    """
    found: dict[str, Strings] = {}
    start = 0
    for entry in groups:
        name, _, count = entry.rpartition("=")
        if not name or not count.isdecimal() or len(count) > 9 or name in found or start + int(count) > len(templates):
            raise SettingError(
                f"groups: expected different names, each with the number of its templates, such as 'words=9', of "
                f"{len(templates)} in all; found {brief(entry)}"
            )
        found[name] = tuple(templates[start : start + int(count)])
        start += int(count)
    rest = tuple(templates[start:])
    return found | ({"": rest} if rest else {})


def join(parts: Mapping[str, Sequence[str]]) -> tuple[Strings, Strings]:
    """The inverse of `split`; groups without templates are dropped."""
    templates, groups = gather({name: list(group) for name, group in parts.items() if group})
    return tuple(templates), tuple(entry for entry in groups if not entry.startswith("="))


def add(templates: Strings, groups: Strings, new: Sequence[str], name: str) -> tuple[Strings, Strings]:
    """Add new templates, in the group `name` if the others have groups.

    >>> add(("form[0]",), ("words=1",), ["form[0]", "pos[0]"], "added")
    (('form[0]', 'pos[0]'), ('words=1', 'added=1'))
    """
    unknown = tuple(template for template in dict.fromkeys(new) if template not in templates)
    if not unknown or not groups:
        return (*templates, *unknown), groups
    parts = split(templates, groups)
    rest = parts.pop("", ())
    return join({**parts, name: (*parts.get(name, ()), *unknown), "": rest})


def leave_out(templates: Strings, groups: Strings, names: Collection[str]) -> tuple[Strings, Strings]:
    """Return templates and groups without the groups of these names.

    >>> leave_out(("form[0]", "form[1]", "suffix3[0]"), ("words=2", "affixes=1"), ["words"])
    (('suffix3[0]',), ('affixes=1',))
    """
    parts = split(templates, groups)
    for name in names:
        if not name or name not in parts:
            known = [group for group in parts if group]
            expected = f"one of {', '.join(known)}" if known else "nothing, since the templates have no groups"
            raise SettingError(f"without: expected {expected}; found {name!r}{nearest(name, known)}")
    return join({name: group for name, group in parts.items() if name not in names}) if names else (templates, groups)

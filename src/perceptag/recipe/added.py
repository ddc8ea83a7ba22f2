"""Templates that settings add to a recipe or take away: word classes and lists bring some of their own."""

from __future__ import annotations

from perceptag.features import gazetteer
from perceptag.features.groups import Strings, add, leave_out

ADDED = "added"  # the group of templates that were added
WITH_CLASSES = "classes"  # the group of templates that were added because there are word classes


def with_classes(templates: Strings, groups: Strings, further: Strings) -> tuple[Strings, Strings]:
    """Return templates and groups with those for word classes."""
    return add(templates, groups, further, WITH_CLASSES)


def with_lists(templates: Strings, groups: Strings) -> tuple[Strings, Strings]:
    """Return templates and groups with those for lists of phrases, if no template looks at lists."""
    if any(map(gazetteer.is_looked_at, templates)):
        return templates, groups
    return add(templates, groups, gazetteer.TEMPLATES, gazetteer.COLUMN)


def with_changes(templates: Strings, groups: Strings, left_out: Strings, added: Strings) -> tuple[Strings, Strings]:
    """Return templates and groups without some groups, and with templates of the user."""
    return add(*leave_out(templates, groups, left_out), added, ADDED)

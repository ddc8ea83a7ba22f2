"""Word classes of a task or a model: their source, and their part of the model file.

A model holds the words of the class file and their classes of the sizes that its templates look at, so it needs no
other file. Its facts say which class file that was.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from perceptag.errors import ModelError, SettingError, brief
from perceptag.features.attributes import Attribute
from perceptag.features.class_attributes import class_attributes, used_sizes, uses_endings
from perceptag.features.class_table import TYPES, WordClassTable
from perceptag.features.template import Template
from perceptag.features.word_endings import NAME as ENDINGS
from perceptag.features.word_endings import Change, checked_changes, frequent_changes
from perceptag.models.class_file import load
from perceptag.models.model import Model, view_of
from perceptag.recipe.recipe import Recipe

FACTS = "classes"


@dataclass(frozen=True, slots=True)
class KnownClasses:
    """Classes, with the digest of their file."""

    classes: WordClassTable
    sha256: str
    changes: tuple[Change, ...] = ()  # of endings, if templates look at them

    def used_by(self, templates: Sequence[Template]) -> KnownClasses | None:
        """Return the part that templates use: classes of some sizes, and endings; None if they use neither."""
        sizes, has_endings = used_sizes(templates, self.classes), uses_endings(templates)
        if not sizes and not has_endings:
            return None
        changes = (self.changes or frequent_changes(self.classes.words)) if has_endings else ()
        return KnownClasses(self.classes.only(sizes or self.classes.sizes[:1]), self.sha256, changes)

    def attributes(self) -> dict[str, Attribute]:
        """Return the attributes of all sizes, and that of endings."""
        return class_attributes(self.classes, self.changes)

    def facts(self) -> dict[str, Any]:
        """Return the facts for a model file, besides the arrays."""
        endings = {ENDINGS: [list(change) for change in self.changes]} if self.changes else {}
        return {**self.classes.to_arrays()[1], "sha256": self.sha256, **endings}


def model_classes(model: Model) -> KnownClasses | None:
    """Return the classes of a model, checked, if it has any."""
    facts = model.facts.get(FACTS)
    if facts is None:
        return None
    if not isinstance(facts, Mapping) or not isinstance(facts.get("sha256"), str):
        raise ModelError(f"facts.{FACTS}: expected sizes, folding and sha256, found {brief(facts)}")
    views = {name: view_of(model.arrays, name, dtype) for name, dtype in TYPES.items() if name in model.arrays}
    classes, changes = WordClassTable.from_arrays(views, facts), checked_changes(facts.get(ENDINGS, []))
    return KnownClasses(classes, facts["sha256"], changes)


def classes_of(recipe: Recipe, start: Model | None) -> KnownClasses | None:
    """Return the classes of a recipe, or those of the model to continue from."""
    earlier = model_classes(start) if start is not None else None
    if earlier is None or start is None:
        return read_known(recipe.classes) if recipe.classes else None
    if recipe.classes in ("", start.recipe.classes):
        return earlier  # its file may be gone
    return same_classes(earlier, recipe.classes)


def check_continued(start: Model, path: str) -> None:
    """Refuse a class file other than that of the model to continue from, if the model has classes."""
    earlier = model_classes(start)
    if earlier is not None:
        same_classes(earlier, path)


def same_classes(earlier: KnownClasses, path: str) -> KnownClasses:
    """Read the classes of a file; refuse one other than the file of the earlier model."""
    found = read_known(path)
    if found.sha256 != earlier.sha256:
        raise SettingError(
            f"classes: expected the class file of the model to continue from (sha256 {earlier.sha256[:16]}), found "
            f"{path} (sha256 {found.sha256[:16]}); without `classes`, those of the model are used"
        )
    return found


def read_known(path: str) -> KnownClasses:
    """Return the classes of a file, and its digest."""
    found = load(path)
    return KnownClasses(found.classes, found.sha256)

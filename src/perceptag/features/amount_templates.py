"""Which templates may look at features that are numbers (`perceptag.features.amounts`)."""

from __future__ import annotations

from collections.abc import Iterable

from perceptag.errors import SettingError
from perceptag.features.template import Field, Template

NAMES = ("valued", "amount")  # the attributes whose values have amounts


def numbers_of(template: Template) -> list[Field]:
    """Return the fields of a template that are numbers."""
    return [field for field in template.fields if not {*field.attributes}.isdisjoint(NAMES)]


def check_amounts(templates: Iterable[Template], learner: str, kind: str) -> None:
    """Refuse templates with numbers that a model of this kind cannot have, or that would multiply two of them."""
    for template in templates:
        numbers = numbers_of(template)
        if not numbers:
            continue
        if kind != "linear":
            expected = "expected a learner of linear models, which are perceptron, margin, pa, mira, arow and crf"
            raise SettingError(f"template '{template}': numbers as features: {expected}; found {learner!r}")
        if len(numbers) > 1:
            raise SettingError(f"template '{template}': expected at most one number in a template, found two")
        if len(numbers[0].attributes) > 1:
            name, found = next(name for name in numbers[0].attributes if name in NAMES), numbers[0].path
            raise SettingError(f"template '{template}': expected {name!r} as the only attribute, found {found!r}")

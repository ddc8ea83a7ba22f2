"""Apply templates to strings: which features fire at each token of a sentence.

A feature is a template with the values that its fields have at a token. Collins (2002) [W02-1001], section 2.2,
writes it as an indicator phi_s(h, t). The labels that it is crossed with are added later, in
`reference.perceptron`.

    words w-1 w0 w+1 = "the dog barks", template "form[-1] suffix1[0]"   ->   form[-1]=the suffix1[0]=g

Outside the sentence each distance has its own symbol. If a field has no value, its template does not fire; if a
field has several values (a bag), the template fires once for every combination.

A feature may be a number. It then counts as often as its amount says, which is a multiple of 1/64 and need not be
positive: its weight times the amount is added to a score, and an update adds the amount times the step to the weight.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import prod

from perceptag.features.attributes import Amounts, Attribute, as_values, compose
from perceptag.features.template import CROSSINGS, Field, Template

Columns = Mapping[str, Sequence[str | tuple[str, ...]]]  # a tuple: the values of a computed column


@dataclass(frozen=True, slots=True)
class Padding:
    """The symbol for a position before (distance < 0) or after a sentence; no word is equal to it."""

    distance: int

    def __str__(self) -> str:
        return f"<s{-self.distance}>" if self.distance < 0 else f"</s{self.distance}>"


@dataclass(frozen=True, slots=True)
class Feature:
    """A template and the values of its fields. What it counts at a token does not make it another feature."""

    template: Template
    values: tuple[str | Padding, ...] = ()
    amount: int | Fraction = dataclasses.field(default=1, compare=False)

    @property
    def order(self) -> int:
        """The number of labels before the current one that it is crossed with."""
        return self.template.order

    def __str__(self) -> str:
        parts = [f"{field}={value}" for field, value in zip(self.template.fields, self.values, strict=True)]
        crossing = f" * {CROSSINGS[self.order]}" if self.order else ""
        return (" ".join(parts) or "bias") + crossing


def sentence_features(
    templates: Sequence[Template], columns: Columns, attributes: Mapping[str, Attribute] | None = None
) -> list[list[Feature]]:
    """Return the features of every token, in the order of the templates.

    >>> from perceptag.features.template import parse
    >>> [[str(f) for f in token] for token in sentence_features([parse("form[-1] form[0]")], {"form": ["a", "b"]})]
    [['form[-1]=<s1> form[0]=a'], ['form[-1]=a form[0]=b']]
    """
    length = len(next(iter(columns.values()), ()))
    return [
        [
            Feature(template, tuple(value for value, _ in chosen), prod(amount for _, amount in chosen))
            for template in templates
            for chosen in product(*(field_values(field, columns, t, attributes) for field in template.fields))
        ]
        for t in range(length)
    ]


def field_values(
    field: Field, columns: Columns, t: int, attributes: Mapping[str, Attribute] | None = None
) -> Sequence[tuple[str | Padding, int | Fraction]]:
    """Return the values of one field at token t: none, one or several, each once, and what each counts."""
    column = columns[field.column]
    position = t + field.offset
    if position < 0:
        return [(Padding(position), 1)]
    if position >= len(column):
        return [(Padding(position - len(column) + 1), 1)]
    given = column[position]
    parts = given if isinstance(given, tuple) else (given,)
    attribute = compose(field.attributes, attributes)
    found = [attribute(part) for part in parts]
    if len(found) == 1 and isinstance(found[0], Amounts):
        return [(value, Fraction(amount)) for value, amount in found[0].items()]
    return [(value, 1) for value in as_values([value for one in found for value in as_values(one)])]

"""Apply templates of whole spans to strings: which features a span of a sentence has.

Sarawagi and Cohen (2004) write a feature as g(y, x, t, u), a function of the words t … u of a segment, of the words
around them, and of the label. Here it is a template with the values that its fields have; its weights belong to the
types of spans.

    words "in New York City .", the span "New York City":

    lower[first-1]     lower[first-1]=in
    shortshape[all]    shortshape[all]=Xx Xx Xx
    lower[any]         lower[any]=new  lower[any]=york  lower[any]=city
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from perceptag.features.attributes import Attribute
from perceptag.features.span_template import SpanField, SpanTemplate
from reference.features import Columns, field_values


def span_features(
    templates: Sequence[SpanTemplate],
    columns: Columns,
    start: int,
    end: int,
    attributes: Mapping[str, Attribute] | None = None,
) -> list[str]:
    """Return the features of the words start … end - 1, in the order of the templates.

    >>> from perceptag.features.span_template import parse_span
    >>> span_features([parse_span("lower[first-1] length")], {"form": ["In", "New", "York"]}, 1, 3)
    ['lower[first-1]=in length=2']
    """
    found = []
    for template in templates:
        if template[0].place == "any":
            words = [_value(template[0], columns, t, attributes) for t in range(start, end)]
            found += [f"{template[0]}={word}" for word in words if word is not None]
            continue
        values = [_field(one, columns, start, end, attributes) for one in template]
        if None not in values:
            found.append(" ".join(f"{one}={value}" for one, value in zip(template, values, strict=True)))
    return found


def _field(
    one: SpanField, columns: Columns, start: int, end: int, attributes: Mapping[str, Attribute] | None
) -> str | None:
    if one.place == "length":
        return str(end - start)
    if one.place == "all":
        values = [_value(one, columns, t, attributes) for t in range(start, end)]
        return None if None in values else " ".join(filter(None, values))
    return _value(one, columns, start if one.place == "first" else end - 1, attributes)


def _value(one: SpanField, columns: Columns, t: int, attributes: Mapping[str, Attribute] | None) -> str | None:
    """Return the value of a field at a word, or None if it has none or several."""
    assert one.field is not None
    values = field_values(one.field, columns, t, attributes)
    return str(values[0][0]) if len(values) == 1 else None

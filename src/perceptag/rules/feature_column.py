"""What rules find as a column of the data, from which models learn what it is worth."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from perceptag.rules.rules import Rules
from perceptag.text.sentence import Sentence


def with_rule_column(rules: Rules, sentences: Sequence[Sentence], label: str) -> list[Sentence]:
    """Return sentences with the column of some rules, before the column `label`."""
    return [
        replace(sentence, columns=_inserted(sentence.columns, rules.column, found, label))
        for sentence, found in zip(sentences, rules.tag(sentences), strict=True)
    ]


def template_of(rules: Rules) -> str:
    """Return the template by which models look at the column."""
    return f"{rules.column}[-1..1]"


def _inserted(columns: dict[str, list[str]], name: str, values: list[str], before: str) -> dict[str, list[str]]:
    rest = {key: column for key, column in columns.items() if key != name}
    first = {key: column for key, column in rest.items() if key != before}
    return first | {name: values} | ({before: rest[before]} if before in rest else {})

"""A span that a rule matched, and what the rule says about it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class RuleSpan:
    """What a rule says about the tokens from `start` to before `end` of a sentence.

    `say` is "force" (the span has this label), "suggest" (`weight` is added to the score of exactly this span),
    "forbid" (the span does not have this label) or "feature" (a column for training). `weight` is 0 except for
    "suggest". `value` is the normalised value of the words, such as an ISO date, if the rule has one.
    """

    start: int
    end: int
    label: str
    say: str
    weight: float
    rule: str
    value: str | None = None

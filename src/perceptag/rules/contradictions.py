"""What users should know of rules: those that contradict each other on a span, and phrases that are parts of tokens.

Rules contradict each other that force A and force B, or force A and forbid A.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from perceptag.rules.overlaps import Match
from perceptag.rules.rule_file import Rule


def contradictions(matches: Sequence[Match], rules: Sequence[Rule]) -> Iterator[tuple[Match, Match]]:
    """Yield pairs of matches of one span that cannot both be obeyed and between which priority does not decide."""
    by_span: dict[tuple[int, int], list[Match]] = {}
    for match in matches:
        if rules[match[2]].say in ("force", "forbid"):
            by_span.setdefault(match[:2], []).append(match)
    for found in by_span.values():
        for place, one in enumerate(found):
            for other in found[place + 1 :]:
                if contradict(rules[one[2]], rules[other[2]]):
                    yield one, other


def contradict(one: Rule, other: Rule) -> bool:
    """Return whether two rules contradict each other on a span that both match."""
    if {one.say, other.say} == {"force", "forbid"}:
        return one.label == other.label
    is_forced_twice = one.say == other.say == "force" and one.label != other.label
    return is_forced_twice and one.priority == other.priority


def told(one: Rule, other: Rule, text: str) -> str:
    """Return a contradiction in words, with an example.

    >>> from perceptag.rules.rule_file import RulePlace
    >>> a, b = Rule("a", "ORG", RulePlace("my.toml", 3)), Rule("b", "LOC", RulePlace("my.toml", 9))
    >>> print(told(a, b, "Paris"))  # doctest: +NORMALIZE_WHITESPACE
    my.toml:3: rule 'a' and rule 'b' (line 9) contradict each other on 'Paris': force ORG, force LOC;
    one of them needs a higher priority
    """
    advice = "one of them needs a higher priority" if one.say == other.say else "the forced span wins"
    return (
        f"{one.where.path}:{one.where.line}: rule {one.name!r} and rule {other.name!r} (line {other.where.line}) "
        f"contradict each other on {text!r}: {one.say} {one.label}, {other.say} {other.label}; {advice}"
    )


def inside_token(rule: Rule, text: str) -> str:
    """Return in words that a phrase of a rule begins or ends inside a token; `text` are the tokens that it touches."""
    return (
        f"{rule.where.line_of('phrases')}: rule {rule.name!r}: a phrase is only a part of the token {text!r}, which "
        'does not match; align = "expand" takes whole tokens'
    )

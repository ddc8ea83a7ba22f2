"""Count what rules do on a corpus: how often each fires, where, and how often the gold labels or a model agree."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from perceptag.labels.schemes import spans
from perceptag.rules.contradictions import contradictions, told
from perceptag.rules.rules import Rules
from perceptag.rules.spans import RuleSpan
from perceptag.text.sentence import Sentence
from perceptag.text.word_spacing import text_of

EXAMPLES = 3

Place = tuple[int, int, str]  # start, end and label of a span


@dataclass(slots=True)
class RuleFigures:
    """How often a rule fires, and how often its spans are those of the gold labels or of a model."""

    rule: str
    label: str
    line: int
    fires: int = 0  # spans that it matches
    chosen: int = 0  # of these, spans that no other rule took
    right: int = 0  # of these, spans with this label in the gold labels
    repeats: int = 0  # of these, spans that the model finds by itself
    examples: list[str] = field(default_factory=list)


@dataclass(slots=True)
class RuleReport:
    """The figures of all rules; `gold` and `model` say what the figures were compared with."""

    rules: list[RuleFigures]
    sentences: int
    gold: bool
    model: bool
    contradictions: list[str] = field(default_factory=list)  # one example of each pair of rules

    @property
    def never(self) -> list[RuleFigures]:
        """The rules that match nothing."""
        return [figures for figures in self.rules if not figures.fires]

    def to_dict(self) -> dict[str, Any]:
        """Return everything as JSON values."""
        return asdict(self)


def check_rules(
    rules: Rules,
    sentences: Sequence[Sentence],
    gold: Iterable[Sequence[str]] | None = None,
    model: Iterable[Sequence[str]] | None = None,
) -> RuleReport:
    """Match rules on a corpus. `gold` and `model`: the right labels of each sentence, and those of a model."""
    figures = {rule.name: RuleFigures(rule.name, rule.label, rule.where.line) for rule in rules.rules}
    report = RuleReport(list(figures.values()), len(sentences), gold is not None, model is not None)
    seen: set[tuple[int, int]] = set()
    matched = zip(rules.matches(sentences), rules.labelled(sentences), strict=True)
    found = zip(sentences, matched, _places(gold, len(sentences)), _places(model, len(sentences)), strict=True)
    for sentence, (matches, chosen), right, known in found:
        for start, end, number in matches:
            one = figures[rules.rules[number].name]
            one.fires += 1
            if len(one.examples) < EXAMPLES and (text := text_of(sentence, start, end)) not in one.examples:
                one.examples.append(text)
        for span in chosen:
            _count(figures[span.rule], span, right, known)
        for a, b in contradictions(matches, rules.rules):
            if (a[2], b[2]) not in seen:
                seen.add((a[2], b[2]))
                words = text_of(sentence, a[0], a[1])
                report.contradictions.append(told(rules.rules[a[2]], rules.rules[b[2]], words))
    return report


def _count(one: RuleFigures, span: RuleSpan, right: set[Place], known: set[Place]) -> None:
    place = span.start, span.end, span.label
    one.chosen += 1
    one.right += place in right
    one.repeats += place in known


def _places(labels: Iterable[Sequence[str]] | None, size: int) -> list[set[Place]]:
    """Return the spans of each sentence; without labels, none."""
    if labels is None:
        return [set() for _ in range(size)]
    return [{(span.start, span.end, span.label) for span in spans(one)} for one in labels]

"""What rules say about the phrases of a chunking.

A forced phrase is there whatever the filters of words say, and nothing else covers its words. A forbidden phrase is
not a candidate. A suggested phrase scores more, but must pass the filters as any other.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from perceptag.learn.chunker import Phrase
from perceptag.text.sentence import Sentence


@dataclass(frozen=True, slots=True)
class PhraseRules:
    """Phrases that are forced, those that are forbidden, and what suggested ones score more."""

    forced: frozenset[Phrase] = frozenset()
    forbidden: frozenset[Phrase] = frozenset()
    more: Mapping[Phrase, float] = field(default_factory=dict)
    names: Mapping[Phrase, list[tuple[str, float]]] = field(default_factory=dict)  # what rules say, and their weights

    def __bool__(self) -> bool:
        return bool(self.forced or self.forbidden or self.more)

    def forces(self, t: int) -> bool:
        """Whether a forced phrase covers word t."""
        return any(s <= t <= e for s, e, _ in self.forced)

    def starts(self, e: int) -> Iterator[int]:
        """Where forced phrases begin that end at word e."""
        return (s for s, last, _ in self.forced if last == e)

    def adjusted(self, s: int, e: int, scores: Sequence[float]) -> list[float]:
        """The scores of all categories of a phrase under the rules; minus infinity where they do not allow it."""
        touched = any(s <= last and first <= e for first, last, _ in self.forced)
        return [self._score((s, e, k), score, touched) for k, score in enumerate(scores)]

    def _score(self, phrase: Phrase, score: float, touched: bool) -> float:
        if phrase in self.forbidden or (touched and phrase not in self.forced):
            return float("-inf")
        return score + self.more.get(phrase, 0.0)


NO_RULES = PhraseRules()


def phrase_rules(sentence: Sentence, categories: Sequence[str], unit: float) -> PhraseRules:
    """Return what the rules of a sentence say; `unit`: of the scores of phrases."""
    said: dict[str, set[Phrase]] = {"force": set(), "forbid": set()}
    more: dict[Phrase, float] = {}
    names: dict[Phrase, list[tuple[str, float]]] = {}
    for rule in sentence.rules:
        phrase = rule.start, rule.end - 1, categories.index(rule.label)
        names.setdefault(phrase, []).append((f"rule {rule.rule} {rule.say}s {rule.label}", rule.weight))
        if rule.say == "suggest":
            more[phrase] = more.get(phrase, 0.0) + rule.weight * unit
        else:
            said[rule.say].add(phrase)
    return PhraseRules(frozenset(said["force"]), frozenset(said["forbid"]), more, names)

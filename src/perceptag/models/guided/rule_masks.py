"""Bidirectional search under rules: the labels that each token may have.

A forced span leaves each of its tokens one label, and keeps the token after it from continuing the span. If the search
finds a forbidden span, one of the tokens at which a labelling without it differs loses its label: each is tried, and
the search with the highest score is kept. So rules are always kept to, but the labelling is one that a beam has found:
constrained, not exact.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from perceptag.labels.given import Mask, changed_masks
from perceptag.labels.label_set import LabelSet
from perceptag.labels.pairs import chunk_pairs
from perceptag.labels.schemes import Span, join_label, spans_to_labels
from perceptag.models.span_rules import holds, unsatisfiable
from perceptag.rules.spans import RuleSpan
from perceptag.text.sentence import Sentence

Masks = list[list[Mask]]
Found = tuple[float, list[list[int]]]  # the score and the label ids of each sentence; of whole sequences
Search = Callable[[Masks], Found | None]  # None: there is no labelling within the masks


class RuleMasks:
    """Finds the labels that tokens may have under rules."""

    def __init__(self, label_set: LabelSet) -> None:
        self.every: Mask = frozenset(range(len(label_set.names)))
        self._labels = label_set
        self._numbers = {name: y for y, name in enumerate(label_set.names)}
        self._pairs = chunk_pairs(label_set.names, label_set.inner) if label_set.inner != "none" else None

    def settle(self, sentences: Sequence[Sentence], search: Search) -> Masks:
        """Return masks of sentences that are searched together, within which the search satisfies all rules."""
        masks = [self._forced(sentence) for sentence in sentences]
        found = search(masks)
        while found is not None:
            broken = next(self._broken(sentences, found[1]), None)
            if broken is None:
                return masks
            number, rule = broken
            tried = [
                (other, search(other))
                for own in self._without(rule, masks[number], found[1][number])
                for other in [[*masks[:number], own, *masks[number + 1 :]]]
            ]
            possible = [(result, other) for other, result in tried if result is not None]
            if not possible:
                break
            found, masks = max(possible, key=lambda pair: pair[0][0])
        raise unsatisfiable(next(s for s in sentences if s.rules))

    def _forced(self, sentence: Sentence) -> list[Mask]:
        masks = [self.every] * len(sentence)
        for rule in sentence.rules:
            if rule.say != "force":
                continue
            for t, name in enumerate(self._written(rule), rule.start):
                masks[t] = frozenset({self._numbers[name]} if name in self._numbers else ())
            if rule.end < len(sentence) and self._pairs is not None:
                last = next(iter(masks[rule.end - 1]), None)
                masks[rule.end] -= self._joined(last) if last is not None else frozenset()
        return masks

    def _written(self, rule: RuleSpan) -> list[str]:
        """Return the labels of a span."""
        length, scheme = rule.end - rule.start, self._labels.inner
        if scheme == "none":
            return [rule.label] * length
        labels = spans_to_labels([Span(0, length, rule.label)], length, scheme)
        begin = join_label("B", rule.label)  # in IOB1 it begins a span after any label
        return [begin, *labels[1:]] if scheme == "IOB1" and begin in self._numbers else labels

    def _joined(self, y: int) -> Mask:
        """Return the labels that continue the span of a label."""
        assert self._pairs is not None
        return frozenset(self._pairs[1][y].nonzero()[0].tolist())

    def _broken(self, sentences: Sequence[Sentence], ids: list[list[int]]) -> Iterator[tuple[int, RuleSpan]]:
        for number, (sentence, own) in enumerate(zip(sentences, ids, strict=True)):
            labels = [self._labels.names[y] for y in own]
            for rule in sentence.rules:
                if rule.say == "forbid" and holds(labels, rule, self._labels.inner):
                    yield number, rule
                elif rule.say == "force" and not holds(labels, rule, self._labels.inner):
                    raise unsatisfiable(sentence)

    def _without(self, rule: RuleSpan, masks: list[Mask], ids: list[int]) -> Iterator[list[Mask]]:
        """Yield smaller masks, without the labels that make a forbidden span."""
        for t in range(rule.start, rule.end):
            yield changed_masks(masks, {t: masks[t] - {ids[t]}})
        if self._pairs is None:
            return
        if rule.end < len(ids):
            fixed = {rule.end - 1: frozenset({ids[rule.end - 1]})}
            yield changed_masks(masks, fixed | {rule.end: masks[rule.end] & self._joined(ids[rule.end - 1])})
        if rule.start > 0:
            first = ids[rule.start]
            befores = frozenset(u for u in masks[rule.start - 1] if not self._pairs[0][u, first])
            yield changed_masks(masks, {rule.start: frozenset({first}), rule.start - 1: befores})


def without_rules(sentences: Sequence[Sentence]) -> list[Sentence]:
    """Return the sentences as they are once masks stand for their rules."""
    return [replace(sentence, rules=()) for sentence in sentences]

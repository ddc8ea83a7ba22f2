"""What rules say about spans of sentences, as the search takes it.

    force     the labelling has exactly this span with this label: no longer one, no shorter one
    forbid    it does not, unless another rule forces the span
    suggest   the score of a labelling that has it rises by `weight`, in the unit of `margin_unit`

Rules travel with their sentences (`Sentence.rules`), so everything that a model does with sentences, from labels to
explanations, is done under them. `reference.constrained` has the same by trying all labellings.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import combinations

from perceptag import _core
from perceptag.arrays import Ints, np
from perceptag.errors import DataError, brief, nearest
from perceptag.features.dataset import Dataset
from perceptag.labels.label_set import LabelSet
from perceptag.labels.pairs import chunk_pairs
from perceptag.labels.schemes import Span, spans, split_label
from perceptag.learn.costs import on_grid
from perceptag.models import calibration
from perceptag.models.model import Model
from perceptag.models.protocol import ReadyModel
from perceptag.rules.spans import RuleSpan
from perceptag.system.memory import require
from perceptag.system.plural import plural
from perceptag.text.inputs import as_list
from perceptag.text.sentence import Sentence

SAYINGS = ("force", "forbid", "suggest")  # by their numbers in the core; "feature" says nothing to the search
MOST_ACTIVE = 50  # places where suggested or forbidden spans of one label begin that cover the same token
HEAVIEST_VOTE = 1000  # units: scores are in float32, and beside a weight beyond this the others would be lost
Rules = Sequence[RuleSpan]


def with_rules(
    ready: ReadyModel, sentences: Sequence[Sentence], rules: Iterable[Sequence[RuleSpan]], model: Model | None = None
) -> list[Sentence]:
    """Return the sentences with what rules say about each; raise an error if the model cannot keep to it.

    The weights of suggestions become amounts of the model's scores. `model`: the same model, if it was calibrated since
    it was made ready.
    """
    found = [_heard(own) for own in _listed(rules)]
    if len(found) != len(sentences):
        raise DataError(f"rules: expected a list for each of {len(sentences)} sentences, found {len(found)}")
    if any(found):
        ready.require("rules")
    if any(rule.say == "suggest" for own in found for rule in own):
        ready.require("suggest")
    for sentence, own in zip(sentences, found, strict=True):
        check_rules(sentence, own, ready.model.label_set)
    unit = margin_unit(model or ready.model)
    return [
        dataclasses.replace(s, rules=tuple(_scaled(rule, unit) for rule in own))
        for s, own in zip(sentences, found, strict=True)
    ]


def _listed(rules: object) -> list[list[RuleSpan]]:
    """Return what the user says about each sentence; refuse anything but rule spans."""
    lists = as_list(rules, "a list for each sentence", "rules")
    found = [as_list(own, "a list of RuleSpan", f"rules: sentence {i}") for i, own in enumerate(lists)]
    for i, own in enumerate(found):
        for rule in own:
            if not hasattr(rule, "say"):
                raise DataError(f"expected a list of RuleSpan, found {brief(rule)} in it", f"rules: sentence {i}")
    return found


def _heard(rules: Sequence[RuleSpan]) -> list[RuleSpan]:
    """Return the rules that the search hears: a forced span is not forbidden."""
    forced = {_span(rule) for rule in rules if rule.say == "force"}
    return [r for r in rules if r.say != "feature" and not (r.say == "forbid" and _span(r) in forced)]


def _scaled(rule: RuleSpan, unit: float) -> RuleSpan:
    """Return a rule whose weight is an amount of scores, on the grid on which sums of scores are exact."""
    return dataclasses.replace(rule, weight=on_grid(rule.weight * unit) if rule.say == "suggest" else 0.0)


def known_kinds(label_set: LabelSet) -> dict[str, int]:
    """Return the labels that spans may have, numbered: types of chunks, or the labels themselves."""
    if label_set.inner == "none":
        return {name: y for y, name in enumerate(label_set.names)}
    types = dict.fromkeys(split_label(name)[1] for name in label_set.names if name != "O")
    return {kind: number for number, kind in enumerate(types)}


def margin_unit(model: Model) -> float:
    """Return what a weight of 1 adds to a score: a typical margin of the model.

    That is the median of the margins above zero at which the calibration of the model has its corners. A model that is
    not calibrated has the unit 1, in its own scores; a model of learner ``crf``, whose margins are logarithms of odds,
    always has it.
    """
    known = None if model.is_probabilistic else calibration.unpack(model)
    if known is None or not isinstance(known.main, calibration.Curve):
        return 1.0
    above = known.main.margins[known.main.margins > 0]
    return float(np.median(above)) if len(above) else 1.0


# --- checks ---


def check_rules(sentence: Sentence, rules: Rules, label_set: LabelSet) -> None:
    """Refuse rules about spans outside the sentence or labels outside the model, and rules that contradict others."""
    kinds = known_kinds(label_set) if rules else {}
    for rule in rules:
        if rule.say not in SAYINGS:
            raise DataError(
                f"rule {rule.rule!r}: expected one of {', '.join(SAYINGS)}, found {brief(rule.say)}", sentence.where()
            )
        if not 0 <= rule.start < rule.end <= len(sentence):
            there = f"within {plural(len(sentence), 'token')}"
            raise DataError(
                f"rule {rule.rule!r}: expected a span {there}, found {rule.start} to {rule.end}", sentence.where()
            )
        if rule.label not in kinds:
            known = f"expected a label of the model ({', '.join(kinds)}), found {rule.label!r}"
            raise DataError(f"rule {rule.rule!r}: {known}{nearest(rule.label, kinds)}", sentence.where(rule.start))
        if not abs(rule.weight) <= HEAVIEST_VOTE:  # false for NaN
            raise DataError(
                f"rule {rule.rule!r}: expected a weight within {HEAVIEST_VOTE:g}, found {rule.weight}", sentence.where()
            )
    for one, other in contradictions(rules, label_set.inner != "none"):
        message = f"rule {one.rule!r} {said(one)}, but rule {other.rule!r} {said(other)}"
        raise DataError(message, sentence.where(max(one.start, other.start)))


def contradictions(rules: Rules, are_chunks: bool) -> Iterator[tuple[RuleSpan, RuleSpan]]:
    """Yield pairs of rules that force different spans of the same tokens; unless they are chunks, different labels."""
    forced = sorted((rule for rule in rules if rule.say == "force"), key=lambda r: (r.start, r.end))
    for one, other in combinations(forced, 2):
        if other.start < one.end and (_span(one) != _span(other) if are_chunks else one.label != other.label):
            yield one, other


def said(rule: RuleSpan) -> str:
    """Return what a rule says, in words."""
    return f"{rule.say}s {rule.label} at tokens {rule.start} to {rule.end - 1}"


def _span(rule: RuleSpan) -> Span:
    return Span(rule.start, rule.end, rule.label)


def unsatisfiable(sentence: Sentence) -> DataError:
    """Return the error for a sentence for which the rules leave no labelling."""
    rules = "; ".join(f"{rule.rule!r} {said(rule)}" for rule in sentence.rules if rule.say != "suggest")
    return DataError(f"rules: the model has no labelling that satisfies all of them: {rules}", sentence.where())


def holds(labels: Sequence[str], rule: RuleSpan, scheme: str) -> bool:
    """Return whether the labels of a sentence have exactly the span of a rule."""
    if scheme == "none":
        return all(label == rule.label for label in labels[rule.start : rule.end])
    return _span(rule) in spans(labels, scheme)


# --- for the core ---


class RuleSearches:
    """Makes the searches of a model under rules."""

    def __init__(self, model: Model) -> None:
        self._labels = model.label_set
        self._kinds = known_kinds(model.label_set)

    @cached_property
    def _pairs(self) -> tuple[Ints, bytes, bytes]:
        names, are_chunks = self._labels.names, self._labels.inner != "none"
        kinds = [self._kinds.get(split_label(name)[1] if are_chunks else name, -1) for name in names]
        kinds = [-1 if are_chunks and name == "O" else kind for name, kind in zip(names, kinds, strict=True)]
        if are_chunks:
            begins, joined = chunk_pairs(names, self._labels.inner)
        else:
            begins = np.ones((len(names) + 1, len(names)), np.bool_)
            joined = np.eye(len(names) + 1, len(names), dtype=np.bool_)
        return np.array(kinds, np.int32), begins.astype(np.uint8).tobytes(), joined.astype(np.uint8).tobytes()

    def search(
        self,
        weights: _core.Weights,
        dictionary: _core.TagDictionary | None,
        data: Dataset,
        local: _core.Limits | None = None,
    ) -> _core.ConstrainedSearch:
        """Return the search for the sequences of some sentences that have rules."""
        rows, amounts, starts = [], [], []
        first = np.searchsorted(data.units, data.begin[:-1], side="right") - 1
        for sentence, unit, begin in zip(data.ruled, first.tolist(), data.begin.tolist(), strict=False):
            place = begin - int(data.units[unit])
            if len(sentence):
                starts.append((unit, place))
            for rule in sentence.rules:
                say = SAYINGS.index(rule.say)
                rows.append((unit, place + rule.start, place + rule.end, self._kinds[rule.label], say))
                amounts.append(rule.weight)
            self._require(sentence, weights)
        kind, begins, joined = self._pairs
        flags = np.frombuffer(begins, np.uint8), np.frombuffer(joined, np.uint8)
        return _core.ConstrainedSearch(
            weights, dictionary, local, kind, *flags, self._labels.inner != "none", len(data.units) - 1,
            np.array(rows, np.int32).reshape(-1, 5), np.array(amounts, np.float32),
            np.array(starts, np.int32).reshape(-1, 2),
        )  # fmt: skip

    def _require(self, sentence: Sentence, weights: _core.Weights) -> None:
        """Refuse more states than the search can have."""
        active: dict[str, list[int]] = {}
        for start, end, kind in {(r.start, r.end, r.label) for r in sentence.rules if r.say != "force"}:
            changes = active.setdefault(kind, [0] * (len(sentence) + 1))
            changes[start] += 1
            changes[end] -= 1
        most = {kind: int(np.cumsum(changes).max()) for kind, changes in active.items()}
        for kind, found in most.items():
            if found > MOST_ACTIVE:
                message = f"rules: expected at most {MOST_ACTIVE} spans of {kind!r} at a token, found {found}"
                raise DataError(message, sentence.where())
        states = weights.labels + sum(found * self._labels_of(kind) for kind, found in most.items())
        table = states**3 if weights.order == 2 and most else 0
        require(4 * (len(sentence) * states**2 + table), f"rules about {len(sentence)} tokens with {states} states")

    def _labels_of(self, kind: str) -> int:
        own = self._labels.names if self._labels.inner == "none" else [split_label(y)[1] for y in self._labels.names]
        return sum(name == kind for name in own)

    def holding(self, sentence: Sentence, labels: Sequence[str]) -> list[RuleSpan]:
        """Return the rules whose spans the labels of the model have."""
        return [rule for rule in sentence.rules if holds(labels, rule, self._labels.inner)]

    def bonus(self, sentences: Sequence[Sentence], ids: Ints) -> float:
        """Return what rules add to the score of a labelling of a sequence, given as label ids."""
        total, begin = 0.0, 0
        for sentence in sentences:
            labels = [self._labels.names[y] for y in ids[begin : begin + len(sentence)].tolist()]
            total += sum(rule.weight for rule in self.holding(sentence, labels))
            begin += len(sentence)
        return total


def checked_ids(ids: Ints, data: Dataset) -> Ints:
    """Return the labels that a search has found; raise an error if the rules leave a sequence none."""
    if len(ids) and ids.min() < 0:
        raise _without_labels(data, int(np.searchsorted(data.units, int(ids.argmin()), side="right")) - 1)
    return ids


def checked_lists(lists: list[_core.NBest], data: Dataset) -> list[_core.NBest]:
    """Do the same for n-best lists."""
    for unit, best in enumerate(lists):
        if not len(best):
            raise _without_labels(data, unit)
    return lists


def _without_labels(data: Dataset, unit: int) -> DataError:
    first, last = np.searchsorted(data.begin, data.units[unit : unit + 2]).tolist()
    own = data.ruled[first:last]
    return unsatisfiable(next((s for s in own if s.rules), own[0]))

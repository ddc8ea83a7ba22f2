"""Count chunks: gold, predicted and correct.

The policy says how labels that break their scheme are read:

    conlleval   as the script conlleval reads them: a label that continues nothing opens a chunk. The figures are
                those of the script on any labels; so touching IOBES chunks of one type are joined, as it does
    scheme      the same, but IOBES chunks end at E and S and start at B and S
    discard     a chunk counts only if it is written as its scheme requires: ``O I-LOC`` has none
    strict      labels that break their scheme are an error
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from perceptag.arrays import Longs, np
from perceptag.errors import DataError, SettingError, brief, nearest
from perceptag.labels.schemes import Span, boundary, spans, spans_to_labels, split_label, standard_spelling, violations

POLICIES = ("conlleval", "scheme", "discard", "strict")

Corpus = Sequence[Sequence[str]]

_CORRECT, _PREDICTED, _GOLD = range(3)


@dataclass(frozen=True, slots=True)
class Counts:
    """Numbers of correct, predicted and gold spans. Undefined scores are 0, as in conlleval.

    >>> Counts(correct=3, predicted=4, gold=6).f1
    60.0
    """

    correct: int = 0
    predicted: int = 0
    gold: int = 0

    @property
    def precision(self) -> float:
        return 100 * self.correct / self.predicted if self.predicted else 0.0

    @property
    def recall(self) -> float:
        return 100 * self.correct / self.gold if self.gold else 0.0

    @property
    def f1(self) -> float:
        # This order of operations gives all the digits that conlleval gives.
        p, r = self.precision, self.recall
        return 2 * p * r / (p + r) if p + r > 0 else 0.0


class Tally:
    """Counts per sentence, `rows`: int64[N, 3] (correct, predicted, gold), and per type."""

    def __init__(self, sentences: int) -> None:
        self._rows = [[0, 0, 0] for _ in range(sentences)]  # a number in a list changes faster than one in an array
        self._types: dict[str, list[int]] = {}

    def add(self, sentence: int, kind: str, what: int) -> None:
        self._rows[sentence][what] += 1
        of_kind = self._types.get(kind)
        if of_kind is None:
            of_kind = self._types[kind] = [0, 0, 0]
        of_kind[what] += 1

    @property
    def rows(self) -> Longs:
        return np.array(self._rows, np.int64).reshape(-1, 3)

    @property
    def total(self) -> Counts:
        correct, predicted, gold = self.rows.sum(axis=0).tolist()
        return Counts(correct, predicted, gold)

    @property
    def per_type(self) -> dict[str, Counts]:
        counts = {kind: Counts(*self._types[kind]) for kind in sorted(self._types)}
        return {kind: c for kind, c in counts.items() if c.predicted or c.gold}


def tally_chunks(gold: Corpus, predicted: Corpus, schemes: tuple[str, str], policy: str) -> Tally:
    """Count chunks under a policy; `schemes` are those of the gold and of the predicted labels."""
    check_policy(policy)
    if policy == "conlleval":
        return _tally_conlleval(gold, predicted)
    if policy == "strict":
        _refuse_violations(gold, schemes[0], "gold")
        _refuse_violations(predicted, schemes[1], "predicted")
    read = _written_as_demanded if policy == "discard" else spans
    tally = Tally(len(gold))
    for n, (g, p) in enumerate(zip(gold, predicted, strict=True)):
        g_spans, p_spans = set(read(g, schemes[0])), set(read(p, schemes[1]))
        for what, found in ((_GOLD, g_spans), (_PREDICTED, p_spans), (_CORRECT, g_spans & p_spans)):
            for span in found:
                tally.add(n, span.label, what)
    return tally


def check_policy(policy: str) -> None:
    if not isinstance(policy, str) or policy not in POLICIES:
        hint = nearest(policy, POLICIES)
        raise SettingError(f"repair: expected one of {', '.join(POLICIES)}, found {brief(policy)}{hint}")


class _Kinds(dict[str, str]):
    """The types of labels, each found once."""

    def __missing__(self, label: str) -> str:
        kind = self[label] = split_label(label)[1]
        return kind


def _tally_conlleval(gold: Corpus, predicted: Corpus) -> Tally:
    """Count as conlleval does, token by token.

    Comparing sets of spans gives the same counts on all usual labels. This loop is here because the script
    differs on odd ones (a bracket ``[-X`` after ``B-X``, ``S`` without a type), where a chunk may start
    before the last one has ended.
    """
    tally, kinds = Tally(len(gold)), _Kinds()
    g0 = p0 = "O"
    agree = False  # both sides opened the same chunk and have not differed since
    for n, (g_labels, p_labels) in enumerate(zip(gold, predicted, strict=True)):
        # A sentence break is an O of its own.
        for g, p in zip((*g_labels, "O"), (*p_labels, "O"), strict=True):
            if g == p and g0 == p0:  # most tokens: a shortcut for the rest of the loop
                if g != "O" or g0 != "O":
                    ends, starts = boundary(g0, g)
                    if ends and agree:
                        tally.add(n, kinds[g0], _CORRECT)
                        agree = False
                    if starts:
                        agree = True
                        tally.add(n, kinds[g], _GOLD)
                        tally.add(n, kinds[g], _PREDICTED)
                    g0 = p0 = g
                continue
            (g_ends, g_starts), (p_ends, p_starts) = boundary(g0, g), boundary(p0, p)
            g_kind, p_kind = kinds[g], kinds[p]
            if agree and g_ends and p_ends and kinds[g0] == kinds[p0]:
                tally.add(n, kinds[g0], _CORRECT)
                agree = False
            elif g_ends != p_ends or g_kind != p_kind:
                agree = False
            if g_starts:
                tally.add(n, g_kind, _GOLD)
            if p_starts:
                tally.add(n, p_kind, _PREDICTED)
            agree = agree or (g_starts and p_starts and g_kind == p_kind)
            g0, p0 = g, p
    if agree:
        tally.add(len(gold) - 1, kinds[g0], _CORRECT)
    return tally


def _written_as_demanded(labels: Sequence[str], scheme: str) -> list[Span]:
    """Return the chunks that have exactly the labels which `scheme` gives them."""
    found = spans(labels, scheme)
    wanted = spans_to_labels(found, len(labels), scheme)
    right = [standard_spelling(label) == want for label, want in zip(labels, wanted, strict=True)]
    return [span for span in found if all(right[span.start : span.end])]


def _refuse_violations(corpus: Corpus, scheme: str, side: str) -> None:
    for n, labels in enumerate(corpus):
        for t, complaint in violations(labels, scheme):
            raise DataError(f"expected valid {scheme}: {complaint}", where=f"{side} sentence {n}, token {t}")

"""The main score of many labellings against the same gold labels, faster than `evaluate`.

Most sentences are labelled right, and a sentence that is right has as many correct as gold chunks. So only the others
are counted. This requires that no chunk continues across the end of a sentence, as in all usual schemes.
"""

from __future__ import annotations

from perceptag.evaluation.chunks import Corpus, Counts, Tally, tally_chunks
from perceptag.evaluation.scoring import accuracy_rows, check_pair, evaluate, schemes_of
from perceptag.labels.schemes import boundary


class MainScore:
    """Gold labels, and how many chunks or tokens each of their sentences has."""

    def __init__(self, gold: Corpus, scheme: str = "auto") -> None:
        check_pair(gold, gold)
        self.gold, self._scheme = gold, scheme
        self._schemes = schemes_of(gold, gold, scheme)[0]
        self._is_plain = all(map(_ends_by_itself, {label for labels in gold for label in labels}))
        rows = accuracy_rows(gold, gold) if self.of_tokens else self._tally(gold, gold).rows
        self._sizes: list[int] = rows[:, -1].tolist()

    @property
    def of_tokens(self) -> bool:
        """Whether labels do not mark spans."""
        return self._schemes[0] == "none"

    def score(self, predicted: Corpus) -> float:
        """F1 of chunks or accuracy, in per cent."""
        if self.of_tokens:
            hits = self._accuracy(predicted)
            return 100 * hits.correct / hits.gold
        return self.chunks(predicted).f1

    def chunks(self, predicted: Corpus) -> Counts:
        """Return the counts of chunks, as conlleval counts them."""
        wrong = self._wrong(predicted)
        gold, found = [self.gold[n] for n in wrong], [predicted[n] for n in wrong]
        if not (self._is_plain and all(map(_ends_by_itself, {label for labels in found for label in labels}))):
            counts = evaluate(self.gold, predicted, scheme=self._scheme, bootstrap=0).chunks
            assert counts is not None  # the gold labels mark spans
            return counts
        right = sum(self._sizes) - sum(self._sizes[n] for n in wrong)
        others = self._tally(gold, found).total
        return Counts(right + others.correct, right + others.predicted, right + others.gold)

    def _accuracy(self, predicted: Corpus) -> Counts:
        wrong = self._wrong(predicted)
        tokens = sum(self._sizes)
        missed = sum(g != p for n in wrong for g, p in zip(self.gold[n], predicted[n], strict=True))
        return Counts(tokens - missed, tokens, tokens)

    def _wrong(self, predicted: Corpus) -> list[int]:
        """Return the indices of the sentences with wrong labels."""
        wrong = [n for n, (g, p) in enumerate(zip(self.gold, predicted, strict=True)) if g != p]
        if wrong:
            check_pair([self.gold[n] for n in wrong], [predicted[n] for n in wrong])
        return wrong

    def _tally(self, gold: Corpus, predicted: Corpus) -> Tally:
        return tally_chunks(gold, predicted, self._schemes, "conlleval")


def _ends_by_itself(label: str) -> bool:
    """Return whether what a label marks ends where the sentence ends."""
    return label == "O" or boundary(label, "O") == (True, False)

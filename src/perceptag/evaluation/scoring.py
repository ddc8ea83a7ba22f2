"""Score one system against the gold labels, with bootstrap intervals and a test of differences."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Container, Iterator, Mapping, Set
from operator import eq
from typing import Any, TypeGuard

from perceptag.arrays import Floats, Longs, np, whole_number
from perceptag.errors import DataError, SettingError, brief
from perceptag.evaluation.chunks import Corpus, Counts, Tally, check_policy, tally_chunks
from perceptag.evaluation.report import Report
from perceptag.labels.label_spellings import note_on_spelling
from perceptag.labels.schemes import (
    base_of,
    boundary,
    check_scheme,
    count_transitions,
    count_violations,
    in_scheme,
    scheme_of,
    spans,
    spelled_scheme,
)
from perceptag.system.plural import plural


def evaluate(
    gold: Corpus,
    predicted: Corpus,
    *,
    tokens: Corpus | None = None,
    known: Container[str] | None = None,
    scheme: str = "auto",
    repair: str = "conlleval",
    bootstrap: int = 1000,
    seed: int = 0,
) -> Report:
    """Score `predicted` against `gold`, both lists of label lists; the figures are those of conlleval.

    `known` holds the words of the training data: with it and `tokens` the accuracy is also given for known
    and unknown words. `scheme` is detected on each side, or given for both (``none``: tokens only). Where the
    sides have two schemes, tokens are compared in that of the predicted labels. `repair` says how labels that
    break their scheme are read (see `perceptag.evaluation.chunks`). `bootstrap` is the number of samples for the
    95 % interval of the main score; 0 leaves it out. Data without tokens is a DataError.

    >>> report = evaluate([["B-PER", "I-PER", "O"]], [["B-PER", "I-PER", "B-LOC"]], bootstrap=0)
    >>> print(report.render())
    processed 3 tokens with 1 phrases; found: 2 phrases; correct: 1.
    accuracy:  66.67%; precision:  50.00%; recall: 100.00%; FB1:  66.67
                  LOC: precision:   0.00%; recall:   0.00%; FB1:   0.00  1
                  PER: precision: 100.00%; recall: 100.00%; FB1: 100.00  1
    scheme: IOB2
    repair: conlleval (a label that continues nothing opens a chunk)
    invalid transitions: 0 in gold, 0 in predicted
    """
    check_policy(repair)
    bootstrap = whole_number("bootstrap", bootstrap, 0, MOST_SAMPLES)
    seed = whole_number("seed", seed, 0, MOST_SEED)
    check_pair(gold, predicted)
    schemes, broken = schemes_of(gold, predicted, scheme)
    labels = in_predicted_scheme(gold, predicted, schemes)
    hits = accuracy_rows(labels, predicted)
    tally = None if schemes[0] == "none" else tally_chunks(gold, predicted, schemes, repair)
    rows, score = (tally.rows, f1_score) if tally else (hits, accuracy_score)
    parts = _known_and_unknown(labels, predicted, tokens, known)
    return Report(
        sentences=len(gold),
        tokens=int(hits[:, 1].sum()),
        correct_tokens=int(hits[:, 0].sum()),
        chunks=tally.total if tally else None,
        per_type=tally.per_type if tally else None,
        known=parts[0],
        unknown=parts[1],
        gold_scheme=schemes[0],
        predicted_scheme=schemes[1],
        repair=repair,
        gold_violations=broken[0],
        predicted_violations=broken[1],
        interval=bootstrap_interval(rows, score, bootstrap, seed) if bootstrap else None,
        bootstrap=bootstrap,
        seed=seed,
        notes=_notes(gold, predicted, schemes, repair, tally),
    )


MOST_SAMPLES, MOST_ROUNDS, MOST_SEED = 10**6, 10**7, 2**64 - 1  # the same limits as on the command line


def check_corpus(corpus: object, name: str) -> None:
    """Raise a DataError unless this is a list of lists of strings."""
    if not _is_list(corpus):
        raise DataError(f"{name}: expected a list of label lists, found {brief(corpus)}")
    for n, labels in enumerate(corpus):
        if not _is_list(labels):
            found = "a string" if isinstance(labels, str) else brief(labels)
            raise DataError(f"expected a list of labels, found {found}", where=f"sentence {n}")
        if set(map(type, labels)) - {str}:  # a subclass of str is fine, too
            for t, label in enumerate(labels):
                if not isinstance(label, str):
                    raise DataError(f"{name}: expected strings, found {brief(label)}", where=f"sentence {n}, token {t}")


def _is_list(values: object) -> TypeGuard[Collection[Any]]:
    if type(values) in (list, tuple):  # nearly all are; questions about abstract classes take long
        return True
    return isinstance(values, Collection) and not isinstance(values, (str, bytes, Mapping, Set))


def check_pair(gold: Corpus, predicted: Corpus, name: str = "predicted") -> None:
    """Raise a DataError unless both have the same numbers of sentences and labels, and at least one label."""
    check_corpus(gold, "gold")
    check_corpus(predicted, name)
    if len(gold) != len(predicted):
        raise DataError(f"{name}: expected {plural(len(gold), 'sentence')} as in gold, found {len(predicted)}")
    for n, (g, p) in enumerate(zip(gold, predicted, strict=True)):
        if len(g) != len(p):
            raise DataError(
                f"{name}: expected {plural(len(g), 'label')} as in gold, found {len(p)}", where=f"sentence {n}"
            )
    if not any(len(g) for g in gold):
        raise DataError("expected labels to evaluate, found none")


def accuracy_rows(gold: Corpus, predicted: Corpus) -> Longs:
    """Return int64[N, 2]: correct labels and tokens of each sentence."""
    pairs = zip(gold, predicted, strict=True)
    rows = [(sum(map(eq, gs, ps)), len(gs)) for gs, ps in pairs]
    return np.array(rows, dtype=np.int64)


def schemes_of(gold: Corpus, predicted: Corpus, scheme: str) -> tuple[tuple[str, str], tuple[int, int]]:
    """Return the schemes of both sides, and how many transitions break them."""
    check_scheme(scheme, "auto", "none")
    counts = count_transitions(gold), count_transitions(predicted)
    first = scheme_of(counts[0]) if scheme == "auto" else base_of(scheme)
    second = first
    if scheme == "auto" and first != "none":
        # Predictions that fit no scheme are judged by that of the gold labels.
        second = scheme_of(counts[1], prefer=first)
        second = first if second == "none" else second
    return (first, second), (count_violations(counts[0], first), count_violations(counts[1], second))


def in_predicted_scheme(gold: Corpus, predicted: Corpus, schemes: tuple[str, str]) -> Corpus:
    """Return the gold labels in the scheme of the predicted ones: equal spans get equal labels of tokens."""
    if "none" in schemes:
        return gold
    sides = zip(schemes, (gold, predicted), strict=True)
    source, target = (spelled_scheme(scheme, {y for labels in corpus for y in labels}) for scheme, corpus in sides)
    return gold if source == target else [in_scheme(labels, target, source) for labels in gold]


def _known_and_unknown(
    gold: Corpus, predicted: Corpus, tokens: Corpus | None, known: Container[str] | None
) -> tuple[Counts | None, Counts | None]:
    """Count correct labels on known and on unknown words."""
    if known is None:
        return None, None
    if isinstance(known, str) or not isinstance(known, Container):
        raise SettingError(f"known: expected a set of words, found {brief(known)}")
    if tokens is None:
        raise SettingError("known: expected the argument tokens too, the words of the sentences; found None")
    check_pair(gold, tokens, "token")
    hits, sizes = [0, 0], [0, 0]  # unknown, known
    for words, gs, ps in zip(tokens, gold, predicted, strict=True):
        for word, g, p in zip(words, gs, ps, strict=True):
            is_known = word in known
            hits[is_known] += g == p
            sizes[is_known] += 1
    return Counts(hits[1], sizes[1], sizes[1]), Counts(hits[0], sizes[0], sizes[0])


def _notes(
    gold: Corpus, predicted: Corpus, schemes: tuple[str, str], policy: str, tally: Tally | None
) -> tuple[str, ...]:
    """Note labels in another spelling, and that conlleval's rules join chunks that IOBES keeps apart."""
    notes = []
    for side, corpus in (("gold", gold), ("predicted", predicted)):
        if spelling := note_on_spelling(Counter(label for labels in corpus for label in labels)):
            notes.append(f"{side} {spelling}")
    if tally is None or policy != "conlleval" or "IOBES" not in schemes:
        return tuple(notes)
    sides = (("gold", gold, tally.total.gold), ("predicted", predicted, tally.total.predicted))
    for scheme, (side, corpus, counted) in zip(schemes, sides, strict=True):
        written = sum(len(spans(labels, scheme)) for labels in corpus)
        if written != counted:
            notes.append(
                f"conlleval joins touching IOBES chunks: of {written} {side} chunks it counts {counted}; "
                "repair 'scheme' keeps them apart"
            )
    return tuple(notes)


def top_confusions(gold: Corpus, predicted: Corpus, n: int = 10) -> list[tuple[str, str, int]]:
    """Return the `n` most frequent (gold label, predicted label, times) of wrongly labelled tokens.

    Spans in two schemes are compared in that of the predicted labels.

    >>> top_confusions([["NN", "VB", "NN"]], [["VB", "VB", "VB"]])
    [('NN', 'VB', 2)]
    """
    n = whole_number("n", n, 0)
    check_pair(gold, predicted)
    pairs: Counter[tuple[str, str]] = Counter()
    labels = in_predicted_scheme(gold, predicted, schemes_of(gold, predicted, "auto")[0])
    for gs, ps in zip(labels, predicted, strict=True):
        pairs.update(zip(gs, ps, strict=True))
    wrong = [(g, p, times) for (g, p), times in pairs.items() if g != p]
    return sorted(wrong, key=lambda row: (-row[2], row))[:n]


# Percentile intervals: Efron (1979), "Bootstrap Methods: Another Look at the Jackknife", Ann. Statist. 7(1).
# Approximate randomisation for F scores: Yeh (2000), "More accurate tests for the statistical significance of
# result differences", COLING [C00-2137].
#
# A sentence matters only through its row of counts, and many sentences have equal rows. Drawing N sentences
# with replacement is therefore one multinomial draw over the distinct rows, and swapping the outputs of two
# systems for m equal rows, each with probability 1/2, is one binomial draw. Both are exact, and take hardly
# more time for a larger corpus.
#
#     rows: int64[N, K]    distinct: int64[U, K]    draws: int64[rounds, U]    totals = draws @ distinct

Score = Callable[[Longs], Floats]  # totals [..., K] to scores [...]

_CELLS = 4_000_000  # of a table of draws, to bound memory


def f1_score(totals: Longs) -> Floats:
    """F1 of totals (correct, predicted, gold); 0 when undefined."""
    scores: Floats = 200.0 * totals[..., 0] / np.maximum(totals[..., 1] + totals[..., 2], 1)
    return scores


def accuracy_score(totals: Longs) -> Floats:
    """Accuracy of totals (correct, tokens); 0 when undefined."""
    scores: Floats = 100.0 * totals[..., 0] / np.maximum(totals[..., 1], 1)
    return scores


def bootstrap_interval(rows: Longs, score: Score, rounds: int, seed: int) -> tuple[float, float]:
    """Return the 95 % percentile interval of `score` over samples of as many sentences with replacement."""
    rng = np.random.default_rng(seed)
    distinct, times = np.unique(rows, axis=0, return_counts=True)
    share = times / times.sum()
    scores = [
        score(rng.multinomial(len(rows), share, size=size) @ distinct) for size in _batches(rounds, len(distinct))
    ]
    low, high = np.percentile(np.concatenate(scores), [2.5, 97.5]).tolist()
    return low, high


def randomisation_p(a: Longs, b: Longs, score: Score, rounds: int, seed: int) -> float:
    """Return the two-sided p-value of the difference between two systems with rows `a` and `b`.

    The observed assignment counts as one of the rounds, so p is never 0.
    """
    rng = np.random.default_rng(seed)
    differ = (a != b).any(axis=1)
    pairs, times = np.unique(np.hstack([a, b])[differ], axis=0, return_counts=True)
    change = pairs[:, a.shape[1] :] - pairs[:, : a.shape[1]]
    total_a, total_b = a.sum(axis=0), b.sum(axis=0)
    # Rounding must not make an equal difference look smaller.
    observed = abs(float(score(total_b) - score(total_a))) - 1e-9
    extreme = 0
    for size in _batches(rounds, len(pairs)):
        moved = rng.binomial(times, 0.5, size=(size, len(pairs))) @ change
        extreme += int((np.abs(score(total_b - moved) - score(total_a + moved)) >= observed).sum())
    return (extreme + 1) / (rounds + 1)


def _batches(rounds: int, width: int) -> Iterator[int]:
    """Yield sizes that add up to `rounds`, each small enough for a table `width` cells wide."""
    size = max(1, _CELLS // max(width, 1))
    while rounds > 0:
        yield min(size, rounds)
        rounds -= size


# Most sentences are labelled right, and a sentence that is right has as many correct as gold chunks. So only the
# others are counted. This requires that no chunk continues across the end of a sentence, as in all usual schemes.


MOST_COUNTED = 100_000  # labellings of sentences whose counts a `MainScore` remembers


class MainScore:
    """Gold labels, and how many chunks or tokens each of their sentences has."""

    def __init__(self, gold: Corpus, scheme: str = "auto") -> None:
        check_pair(gold, gold)
        self.gold, self._scheme = gold, scheme
        self._schemes = schemes_of(gold, gold, scheme)[0]
        self._is_plain = all(map(_ends_by_itself, {label for labels in gold for label in labels}))
        rows = accuracy_rows(gold, gold) if self.of_tokens else self._tally(gold, gold).rows
        self._sizes: list[int] = rows[:, -1].tolist()
        self._counted: dict[tuple[int, tuple[str, ...]], list[int]] = {}  # by sentence and labels

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
        found = {label for n in wrong for label in predicted[n]}
        if not (self._is_plain and all(map(_ends_by_itself, found))):
            counts = evaluate(self.gold, predicted, scheme=self._scheme, bootstrap=0).chunks
            assert counts is not None  # the gold labels mark spans
            return counts
        right = sum(self._sizes) - sum(self._sizes[n] for n in wrong)
        return Counts(*(right + others for others in self._sums(wrong, predicted)))

    def _sums(self, wrong: list[int], predicted: Corpus) -> list[int]:
        """Return the chunks of some sentences: correct, predicted, gold.

        Most mistakes of a pass are those of the one before, so counts are remembered.
        """
        keys = [(n, tuple(predicted[n])) for n in wrong]
        if len(self._counted) > MOST_COUNTED:
            self._counted = {}
        known = self._counted  # another thread may begin a new one meanwhile
        new = [key for key in keys if key not in known]
        rows = self._tally([self.gold[n] for n, _ in new], [labels for _, labels in new]).rows.tolist()
        known.update(zip(new, rows, strict=True))
        return [sum(known[key][what] for key in keys) for what in range(3)]

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

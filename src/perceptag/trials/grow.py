"""Grow the templates of a recipe: greedy feature induction, confirmed by trainings on folds.

    the recipe as it is: trainings on folds ─▶ what it gets wrong on data that it has not seen
    round:  candidates ─▶ rank them by these errors, without training         trials/template_ranking.py
                       ─▶ train with the best few on the same folds and seeds
                       ─▶ keep the one with the largest gain, if it is clear; go on from its errors
    end:    a round without a clear gain, no candidates, the number of trials, or the time
    then:   the recipe as it was and as it is now, trained on all folds, on data that chose nothing

After McCallum (2003), "Efficiently inducing features of conditional random fields", UAI, and Della Pietra, Della Pietra
and Lafferty (1997), "Inducing features of random fields": both add the features that would gain most, in rounds. They
add single features; here a template adds all of its features, which is what a recipe can say. A gain is clear if the
mean difference over folds is above a number of standard errors. The best of several trials is chosen, so that its gain
on these folds is too high by some; hence the final figure.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from perceptag.arrays import Longs, np
from perceptag.errors import DataError, SettingError
from perceptag.evaluation.comparison import SAMPLES, count_rows, difference_interval
from perceptag.evaluation.splitters import GroupFolds, documents_of
from perceptag.features.attributes import Attribute
from perceptag.features.document_columns import COLUMNS as DOCUMENT_COLUMNS
from perceptag.features.gazetteer import COLUMNS as LISTS
from perceptag.features.template import Template, parse, parse_all
from perceptag.models.model_classes import classes_of
from perceptag.models.task import fit_columns, without_empty
from perceptag.recipe.common_settings import TEXT
from perceptag.recipe.recipe import Recipe, uses
from perceptag.text.sentence import Sentence
from perceptag.training.cross_validation import Pair
from perceptag.training.fit import Code
from perceptag.trials.candidates import ADD, REMOVE, applied, candidates, places, removals
from perceptag.trials.fold_trials import FINAL_RUNS, Changes, FoldResult, FoldTrials, OutOfTimeError
from perceptag.trials.template_ranking import NONE, Residuals, TemplateValues, features_of, rank, residuals

FEWEST = 5  # sentences in a fold
KEPT, REFUSED, SECOND = "kept", "refused", "clear, but another one gains more"
KINDS = ("linear", "nonlocal", "guided", "maxent")  # of models whose features are the recipe's templates

Note = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class GrowLimits:
    """When a search ends, and what it accepts."""

    trials: int = 20  # recipes trained on all folds, with the one to start from
    confirm: int = 4  # candidates that are trained in each round
    errors: float = 2.0  # a gain must be above so many of its standard errors
    removes: bool = False  # whether templates may be removed, too


@dataclass(frozen=True, slots=True)
class TriedChange:
    """A change that was trained: what the ranking said, what it gained on the folds, and what became of it.

    A clear gain that was not the largest of its round may come again in the next one.
    """

    round: int
    change: str
    explains: float | None  # per cent of the errors, as the ranking says; None for a removal
    score: float
    gain: float
    error: float  # the standard error of the gain
    verdict: str = ""


@dataclass(frozen=True, slots=True)
class FinalFigure:
    """Both recipes on data that chose nothing."""

    before: float
    after: float
    gain: float
    interval: tuple[float, float]  # 95 %, paired bootstrap over sentences
    sentences: int
    runs: int = FINAL_RUNS


@dataclass(slots=True)
class Grown:
    """The result of a search."""

    main_score: str
    start: float  # the mean score of the recipe as it was, on the folds
    score: float = 0.0
    changes: list[str] = field(default_factory=list)
    tried: list[TriedChange] = field(default_factory=list)
    ended: str = ""
    final: FinalFigure | None = None  # None if nothing was changed, or the time was over
    trainings: int = 0

    def to_dict(self) -> dict[str, Any]:
        """A dictionary for JSON."""
        return asdict(self)


# --- before the search ---


def check_recipe(recipe: Recipe) -> None:
    """Refuse recipes whose features are not their templates, and labels that cannot be compared."""
    able = f"expected a learner of models of the kinds {', '.join(KINDS)}"
    if recipe.unit == TEXT or recipe.labels_scheme == "edits":
        what = "a tokeniser" if recipe.unit == TEXT else "a lemmatiser"
        raise SettingError(f"--grow: {what} has features of its own; {able}, for labels of tokens")
    if not uses(recipe, "templates") or recipe.declaration.kind not in KINDS:
        raise SettingError(f"learner {recipe.learner!r}: --grow cannot change the features of its models; {able}")
    if recipe.labels_missing:
        raise SettingError("labels.missing: --grow needs the labels of all tokens, to find errors")


def keep_apart(train: Sequence[Sentence], dev: Sequence[Sentence], folds: int) -> Pair:
    """Return the sentences for folds, and those for the final figure: the dev data, or one fold more.

    Documents are not divided where that is possible. Too few sentences are refused.
    """
    sentences, apart = without_empty(train), without_empty(dev)
    least = FEWEST * (folds if apart else folds + 1)
    if len(sentences) < least:
        parts = f"{folds} folds" if apart else f"{folds} folds and one that is kept apart"
        raise DataError(f"expected at least {least} sentences, {FEWEST} for each of {parts}; found {len(sentences)}")
    if apart:
        return sentences, apart
    rest, last = list(GroupFolds(folds + 1).split(sentences, documents_of(sentences)))[-1]
    return [sentences[i] for i in rest], [sentences[i] for i in last]


# --- the search ---


class Growing:
    """A search: the trainings, the values of templates in their data, and what has become of each change."""

    def __init__(self, trials: FoldTrials, limits: GrowLimits, note: Note) -> None:
        self.trials, self.limits, self.note = trials, limits, note
        self.sentences = list(trials.folds.sentences)
        self.columns = [c for c in self.sentences[0].columns if c != trials.label_set.column]
        self._known_columns = [*self.columns, *DOCUMENT_COLUMNS, *LISTS]  # by which templates are read
        known = classes_of(trials.recipe, None)
        own, _ = Code(allowed=trials.effort.allow_code).of(trials.recipe)
        self._attributes: dict[str, Attribute] = {**own, **(known.attributes() if known else {})}
        self._known_classes = known
        self._values: TemplateValues | None = None
        self._gold = [label for labels in trials.label_set.gold(self.sentences) for label in labels]
        self._folds = np.zeros(len(self._gold), np.int64)
        for fold, tokens in enumerate(trials.tokens):
            self._folds[tokens] = fold
        self._refused: set[str] = set()
        self.used = 1  # trials, with the recipe as it is

    def run(self) -> Grown:
        """Search; then measure on the data kept apart."""
        [base] = self.trials.on_folds([()])
        score = float(np.mean([result.score for result in base]))
        name = "accuracy" if count_rows([self._gold], [self._gold])[0].shape[1] == 2 else "F1"
        grown = Grown(name, score, score)
        self.note(f"the recipe as it is: {score:.2f} on {len(self.trials.folds.pairs)} folds")
        try:
            while not grown.ended:
                self._round(grown)
            if grown.changes:
                grown.final = self._final(tuple(grown.changes))
        except OutOfTimeError:
            grown.ended = "the time is over; the same command goes on from here"
        grown.trainings = self.trials.trained
        return grown

    def _round(self, grown: Grown) -> None:
        """Try the best candidates; keep one, or end."""
        now = tuple(grown.changes)
        room = min(self.limits.confirm, self.limits.trials - self.used)
        if room < 1:
            grown.ended = f"all {self.limits.trials} trials are done"
            return
        [base] = self.trials.on_folds([now])
        number = 1 + max((one.round for one in grown.tried), default=0)
        picked = self._pick(now, base, room, number)
        if not picked:
            grown.ended = "no other candidate explains any of the errors"
            return
        several = self.trials.on_folds([(*now, change) for change in picked])
        self.used += len(picked)
        judged = [self._judged(number, *one, base, found) for one, found in zip(picked.items(), several, strict=True)]
        best = max(judged, key=lambda one: one.gain if self._is_clear(one) else -math.inf)
        for one in judged:
            verdict = REFUSED if not self._is_clear(one) else KEPT if one is best else SECOND
            grown.tried.append(replace(one, verdict=verdict))
            self.note(f"round {number}: {describe(grown.tried[-1])}")
        self._refused |= {one.change for one in judged if not self._is_clear(one)}
        if self._is_clear(best):
            grown.changes.append(best.change)
            grown.score = best.score
        else:
            grown.ended = f"no change of round {number} gains more than {self.limits.errors:g} standard errors"

    def _judged(
        self, number: int, change: str, explains: float | None, base: Sequence[FoldResult], found: Sequence[FoldResult]
    ) -> TriedChange:
        """Compare a recipe with the present one, on the same folds and seeds."""
        mean, error = paired_gain(base, found, self.trials.effort.runs)
        score = float(np.mean([result.score for result in found]))
        return TriedChange(number, change, explains, score, mean, error)

    def _is_clear(self, one: TriedChange) -> bool:
        return one.gain > self.limits.errors * one.error and one.gain > 0

    # --- candidates ---

    def _pick(self, now: Changes, base: Sequence[FoldResult], room: int, number: int) -> dict[str, float | None]:
        """The candidates to train in a round, with what the ranking says of them."""
        recipe = fit_columns(applied(self.trials.recipe, now), self._known_classes, self.columns, "")[0]
        templates = parse_all(recipe.templates, self._known_columns)
        grown = [parse(change.removeprefix(ADD), self._known_columns) for change in now if change[:2] == ADD]
        every = [t for t in candidates(templates, self.columns, grown) if f"{ADD}{t}" not in self._refused]
        values, left = self._values_of(templates, every), self._left(base)
        threads = 1 if self.trials.effort.on.startswith("ray") else self.trials.effort.jobs
        ranked = [pair for pair in rank(every, values, left, threads) if pair[0] > 0]
        share = 1 / 2 if self.limits.removes else 0
        picked: dict[str, float | None] = dict(self._distinct(ranked, templates, values, room - int(room * share)))
        self.note(f"round {number}: {len(every)} candidates ranked, {len(ranked)} explain some of the errors")
        if self.limits.removes:
            picked |= dict.fromkeys(self._largest(recipe, values, room - len(picked)))
        return picked

    def _values_of(self, templates: Sequence[Template], every: Sequence[Template]) -> TemplateValues:
        """The values of templates, kept from round to round: changes look at nothing else than the first candidates."""
        if self._values is None:
            columns = dict.fromkeys(f.column for t in every for f in t.fields)
            self._values = TemplateValues(self.sentences, columns, self.trials.recipe.unit, self._attributes)
            self._values.prepare(every)
        self._values.prepare(t for t in templates if self._can_read(t))
        return self._values

    def _can_read(self, template: Template) -> bool:
        assert self._values is not None
        return bool(template.fields) and self._values.has(template)

    def _left(self, base: Sequence[FoldResult]) -> Residuals:
        """What the present recipe leaves to explain."""
        wrong = [
            (int(self.trials.tokens[result.fold][token]), label)
            for result in base
            for label, tokens in result.wrong.items()
            for token in tokens
        ]
        names = sorted({*self._gold, *(label for _, label in wrong)})
        return residuals(self._gold, wrong, self.trials.effort.runs, self._folds, names)

    def _distinct(
        self, ranked: Sequence[tuple[float, Template]], templates: Sequence[Template], values: TemplateValues, room: int
    ) -> list[tuple[str, float]]:
        """The best candidates. They look at different places, and each has a feature that is not there already."""
        own = [t for t in templates if not t.context and self._can_read(t)]
        there = frozenset[int]().union(*(features_of(values.of(t)) for t in own))
        found: list[tuple[str, float]] = []
        looked_at = set()
        for gain, template in ranked:
            if len(found) == room:
                break
            if places(template) not in looked_at and features_of(values.of(template)) - there:
                looked_at.add(places(template))
                found.append((f"{ADD}{template}", gain))
        return found

    def _largest(self, recipe: Recipe, values: TemplateValues, room: int) -> list[str]:
        """The templates to leave out: those with most values first, which have most to learn by heart."""
        sizes = {
            text: _distinct_values(values.of(template))
            for text in removals(recipe)
            if f"{REMOVE}{text}" not in self._refused and self._can_read(template := parse(text, self._known_columns))
        }
        return [f"{REMOVE}{text}" for text in sorted(sizes, key=lambda text: -sizes[text])[:room]]

    # --- the final figure ---

    def _final(self, changes: Changes) -> FinalFigure:
        """Train both recipes on all folds, and compare them on the data kept apart."""
        apart = self.trials.apart
        gold = self.trials.label_set.gold(apart)
        before, after = self.trials.on_apart([(), changes])
        counted = [[count_rows(gold, self.trials.labels(result)) for result in some] for some in (before, after)]
        score = counted[0][0][1]
        rows: list[Longs] = [sum(row for row, _ in some) for some in counted]  # type: ignore[misc]
        a, b = (float(score(one.sum(axis=0))) for one in rows)
        interval = difference_interval(rows[0], rows[1], score, SAMPLES, self.trials.effort.seed)
        return FinalFigure(a, b, b - a, interval, len(apart))


def _distinct_values(values: Longs) -> int:
    return len(np.unique(values[values != NONE]))


def paired_gain(base: Sequence[FoldResult], found: Sequence[FoldResult], runs: int) -> tuple[float, float]:
    """Return the mean difference of scores, and its standard error over folds.

    The runs of a fold have the same data, so that only their mean counts as an observation.
    """
    differences = np.array([b.score - a.score for a, b in zip(base, found, strict=True)]).reshape(-1, runs)
    folds = differences.mean(axis=1)
    return float(folds.mean()), float(folds.std(ddof=1) / math.sqrt(len(folds)))


def describe(one: TriedChange) -> str:
    """Say what became of a change."""
    return f"{one.change}: {one.score:.2f}, gain {one.gain:+.2f} (standard error {one.error:.2f}): {one.verdict}"

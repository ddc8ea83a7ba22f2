"""Find probable label errors by cross-validation, the likeliest first.

    5 folds of documents ─▶ a model for each, trained on the others ─▶ regions where it differs from the given labels
    ─▶ ranked by the margin of its labels there: by how much they beat the best labelling with another label
    ─▶ missing spans, spurious spans and all others take turns

The margin of a region is the smallest one among its tokens whose labels differ. It finds more spoilt labels than the
distance between the model's labels and the given ones, which is large wherever the given span is unlikely, and than the
margins of whole spans. `python -m benchmarks.label_errors` counts them.

Kinds take turns because their margins cannot be compared: that of a label O is large at every unknown word in small
letters, so that rare names, which are right, would hide the spans that an annotator has overlooked.

Confidence is the share of places with such a margin where labels and models agree, from the same folds.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

from perceptag.errors import DataError, SettingError, brief
from perceptag.inspecting.labelled import LabelledData, labelled
from perceptag.inspecting.regions import Region, changed, regions, units, written
from perceptag.labels.schemes import Span
from perceptag.models.calibration import Judged, fit_curve
from perceptag.models.explanation import Contribution, Explained, Explanation
from perceptag.models.kinds import make_ready
from perceptag.models.margins import Margins
from perceptag.models.model import Model
from perceptag.models.protocol import ReadyModel
from perceptag.recipe.common_settings import TEXT
from perceptag.recipe.recipe import Recipe, load
from perceptag.text.sentence import Sentence
from perceptag.training.cross_validation import Folds, Progress, cross_validate
from perceptag.training.fit import Say, make_plan, say_nothing
from perceptag.training.places import HERE, place_for

FOLDS = 5


class Fold(NamedTuple):
    """Sentences that a model has not seen, by their places in the data, and how it labels them."""

    places: list[int]
    model: ReadyModel
    margins: list[Margins]


def trained(recipe: Recipe, sentences: Sequence[Sentence], threads: int = 1) -> ReadyModel:
    """Train a model, and make it ready to tag."""
    return make_ready(make_plan(recipe, threads=threads, settles=False).train(sentences).model())


def crossed(
    sentences: Sequence[Sentence],
    recipe: Recipe,
    folds: int = FOLDS,
    threads: int = 1,
    progress: Progress | None = None,
    note: Say = say_nothing,
) -> list[Fold]:
    """Train on all folds but one and label that one, for each fold; on several `threads` some at the same time."""
    parts = Folds(sentences, folds)
    place = place_for(recipe, sentences, {}, min(threads, folds), note)
    label = partial(_label, recipe, threads if place is HERE else 1)
    found = cross_validate(label, parts, place, progress)
    return [
        Fold(test, make_ready(model), margins)
        for (_, test), (model, margins) in zip(parts.positions, found, strict=True)
    ]


def _label(
    recipe: Recipe, threads: int, train: Sequence[Sentence], held_out: Sequence[Sentence]
) -> tuple[Model, list[Margins]]:
    """The model of a fold, and how it labels the fold."""
    ready = trained(recipe, train, threads)
    return ready.model, ready.margins(held_out, threads)


# First order, averaged weights, words and their spelling, and no choices that need folds of their own.

# Margins of passive-aggressive learning rank errors better than those of the plain perceptron, at the same cost.
_OF_SPANS = ("basic-ner", {"learner": "pa", "epochs": 10})
_OF_TAGS = ("pos", {"learner": "pa", "epochs": 5, "support": "gold"})
_QUICK = {"weights": "averaged", "recall": 0.0, "inner_folds": 0, "shuffle": True}


def quick_recipe(of_spans: bool) -> Recipe:
    """Return the recipe for labels that mark spans, or for labels of single tokens."""
    name, own = _OF_SPANS if of_spans else _OF_TAGS
    return load(name).replace({**own, **_QUICK})


def chosen_recipe(name: str, sentences: Sequence[Sentence], column: str, of_spans: bool) -> Recipe:
    """Return the recipe that the user names, for labels in this column; without a name, the quick one."""
    fixed = {"labels.column": column, "inner_folds": 0} | ({} if of_spans else {"labels.scheme": "none"})
    if not name:
        return quick_recipe(of_spans).replace(fixed)
    wanted = load(name)
    if wanted.unit == TEXT:
        raise SettingError(f"--recipe: expected a recipe for labels of tokens, found {name!r}, which is for tokenisers")
    return make_plan(wanted, fixed).resolve(sentences).recipe


FEWEST = 20  # sentences: fewer do not teach a model what is usual
FEWEST_JUDGED = 100  # places: confidence from fewer would be luck
MOST_FOLDS = 100


class TooLittleDataError(DataError):
    """There is too little data to learn from."""


@dataclass(frozen=True, slots=True)
class Suspect:
    """Tokens of a sentence whose labels are probably wrong, and the labels that a model suggests."""

    sentence: int  # its number in the data, from 0
    start: int
    end: int
    kind: str
    given: tuple[Span, ...]
    suggested: tuple[Span, ...]
    labels: tuple[str, ...]  # of the whole sentence, with the suggestion, as the data writes labels
    margin: float
    confidence: float | None  # that the suggestion is right; None: too little data to tell
    for_suggested: tuple[Contribution, ...] = ()
    for_given: tuple[Contribution, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """A dictionary for JSON."""
        return {
            "sentence": self.sentence,
            "start": self.start,
            "end": self.end,
            "kind": self.kind,
            "given": _spans(self.given),
            "suggested": _spans(self.suggested),
            "labels": list(self.labels),
            "margin": self.margin,
            "confidence": self.confidence,
            "reason": {
                "for_suggested": [reason(c, c.rival_weight) for c in self.for_suggested],
                "for_given": [reason(c, c.weight) for c in self.for_given],
            },
        }


def reason(c: Contribution, weight: float) -> dict[str, Any]:
    """Return a feature that speaks for a label, for JSON: its name, plain words if there are any, its weight."""
    return {"feature": c.feature, "meaning": c.in_words, "weight": weight}


def _spans(found: Sequence[Span]) -> list[dict[str, Any]]:
    return [{"start": span.start, "end": span.end, "label": span.label} for span in found]


class Suspected(NamedTuple):
    """The first suspects, and how many there are in all."""

    suspects: list[Suspect]
    total: int


class _Doubt(NamedTuple):
    """A region that a model labels in another way."""

    place: int
    region: Region
    margin: float
    token: int  # the one with that margin
    model: ReadyModel


def suspects(
    sentences: Sequence[Sentence],
    column: str,
    *,
    recipe: str = "",
    folds: int = FOLDS,
    limit: int = 100,
    threads: int = 1,
    progress: Progress | None = None,
    note: Say = say_nothing,
) -> Suspected:
    """Return the labels of `column` that are probably wrong, the likeliest first; at most `limit`, or all if that is 0.

    `recipe` names another recipe than the quick one. `progress` is called after each fold; an exception that it raises
    ends the work. On several `threads`, models of several folds are trained at the same time, with the same result.
    """
    data = labelled(sentences, column)
    _check(data, folds)
    chosen = chosen_recipe(recipe, data.sentences, column, data.of_spans)
    doubts: list[_Doubt] = []
    judged = Judged([], [])
    for fold in crossed(data.sentences, chosen, folds, threads, progress, note):
        for place, found in zip(fold.places, fold.margins, strict=True):
            doubts += _judge(data, place, found, fold.model, judged)
    listed = _ranked(doubts)[: limit or None]
    sure: list[float | None] = [None] * len(listed)
    if len(judged.margins) >= FEWEST_JUDGED:
        sure = [*fit_curve(judged)([doubt.margin for doubt in listed])]
    return Suspected([_suspect(data, d, c) for d, c in zip(listed, sure, strict=True)], len(doubts))


def _ranked(doubts: Sequence[_Doubt]) -> list[_Doubt]:
    """Sort doubts by margin; those about missing spans, spurious spans and others take turns."""
    order: list[tuple[int, float, int, int, _Doubt]] = []
    turns: Counter[tuple[bool, bool]] = Counter()
    for doubt in sorted(doubts, key=lambda d: (-d.margin, d.place, d.region.start)):
        kind = bool(doubt.region.given), bool(doubt.region.suggested)
        turns[kind] += 1
        order.append((turns[kind], -doubt.margin, doubt.place, doubt.region.start, doubt))
    return [doubt for *_, doubt in sorted(order, key=lambda item: item[:-1])]


def _check(data: LabelledData, folds: int) -> None:
    if isinstance(folds, bool) or not isinstance(folds, int) or not 2 <= folds <= MOST_FOLDS:
        raise SettingError(f"folds: expected a number from 2 to {MOST_FOLDS}, found {brief(folds)}")
    if len(data.sentences) < FEWEST:
        found = len(data.sentences)
        raise TooLittleDataError(f"errors: expected {FEWEST} labelled sentences or more to learn from, found {found}")
    if len({span.label for given in data.given for span in given}) < (1 if data.of_spans else 2):
        raise TooLittleDataError(f"errors: expected different labels in column {data.column!r}, found only one")


def _judge(data: LabelledData, place: int, found: Margins, model: ReadyModel, judged: Judged) -> list[_Doubt]:
    """Compare what a model says with what is given; add the margins of all places to `judged`."""
    given, suggested = data.given[place], units(found.labels, data.inside)
    agreed = set(given) & set(suggested)
    judged.margins.extend(min(found.tokens[span.start : span.end]) for span in agreed)
    judged.right.extend([True] * len(agreed))
    doubts = []
    for region in regions(given, suggested):
        margin, token = _margin(data.sentences[place].columns[data.column], found, region)
        doubts.append(_Doubt(place, region, margin, token, model))
        judged.margins.append(margin)
        judged.right.append(False)
    return doubts


def _margin(given: Sequence[str], found: Margins, region: Region) -> tuple[float, int]:
    """Return the smallest margin in a region among the tokens whose labels differ, and the first token that has it."""
    inside = range(region.start, region.end)
    differing = [t for t in inside if given[t] != found.labels[t]] or inside
    return min((found.tokens[t], t) for t in differing)


def _suspect(data: LabelledData, doubt: _Doubt, confidence: float | None) -> Suspect:
    """Make a suggestion of a doubt, with its reasons."""
    place, region = doubt.place, doubt.region
    sentence = data.sentences[place]
    kept: list[str | None] = [None] * len(sentence)
    kept[region.start : region.end] = sentence.columns[data.column][region.start : region.end]
    found = contributions(doubt.model, data, place, kept, doubt.token)
    return Suspect(
        data.numbers[place],
        region.start,
        region.end,
        region.kind(data.of_spans),
        region.given,
        region.suggested,
        tuple(written(changed(data.given[place], region), len(sentence), data.scheme)),
        doubt.margin,
        confidence,
        strongest(found, -1),
        strongest(found, 1),
    )


MOST = 3  # features for each side
_EVERYWHERE = "bias"  # a feature that every token has explains nothing


def contributions(
    model: ReadyModel, data: LabelledData, place: int, given: Sequence[str | None], token: int
) -> tuple[Contribution, ...]:
    """Return what each feature gives to the given label of a token, and to what the model likes best instead.

    If the model has never seen one of the given labels, its own label is compared with the next best one, which then
    stands in for the given one. Empty if the model cannot explain.
    """
    document, number = data.document(place) if model.looks_at_documents() else ([data.sentences[place]], 0)
    labels: list[Sequence[str | None]] = [[None] * len(sentence) for sentence in document]
    labels[number] = given
    if "explain-given" not in model.offers:
        return ()
    try:
        return _of_token(model.explain_given(document, labels)[number], token)
    except DataError:
        found = _of_token(model.explain(document)[number], token)
        return tuple(Contribution(c.feature, c.rival_weight, c.weight, c.meaning) for c in found)


def _of_token(found: Explained, token: int) -> tuple[Contribution, ...]:
    return found.details[token].contributions if isinstance(found, Explanation) else ()


def strongest(found: Sequence[Contribution], sign: int) -> tuple[Contribution, ...]:
    """Return the features that speak most for the given label (`sign` = 1) or for the other one (-1)."""
    telling = [c for c in found if c.feature != _EVERYWHERE and sign * (c.weight - c.rival_weight) > 0]
    return tuple(sorted(telling, key=lambda c: sign * (c.rival_weight - c.weight))[:MOST])

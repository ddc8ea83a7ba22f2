"""Easiest-first tagging after Tsuruoka and Tsujii (2005), the deterministic form: the rival of guided learning.

A maximum-entropy model gives the probability of a tag for the cases that none, the left, the right or both of its
neighbours are known. Each step tags the token whose best tag is most probable, and neighbours look again. Training uses
gold neighbours: the order is not learned, which is what Shen, Satta and Joshi (2007) change.

Departures: the nearest neighbours only (the paper looks at two on each side), the word features of our recipe
``shen-pos-e``, a Gaussian prior in place of inequality constraints.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence

from perceptag.recipe.recipe import load
from perceptag.tagger import Tagger
from perceptag.text import Sentence

_UNKNOWN = "?"
_SIDES = ("left", "right")
_CASES = ((), ("left",), ("right",), ("left", "right"))  # which neighbours are known
_PASSES = 60  # iterations of L-BFGS


def train_easiest_first(sentences: Sequence[Sentence], label: str) -> Callable[[Sequence[Sentence]], list[list[str]]]:
    """Train a model for each case of known neighbours; return a function that tags."""
    words = [t for t in load("shen-pos-e").templates if "*" not in t]
    seen = [_with_sides(s, list(s.columns[label]), label) for s in sentences]
    models: dict[tuple[str, ...], Tagger] = {}
    for case in _CASES:
        sides = [f"{side}[0]" for side in case] + [f"{side}[0] form[0]" for side in case]
        both = ["left[0] right[0]"] if len(case) > 1 else []
        templates = [*words, *sides, *both]
        models[case] = Tagger("crf", labels_column=label, epochs=_PASSES, templates=templates).fit(seen)

    def tag(given: Sequence[Sentence]) -> list[list[str]]:
        return _tag_all(models, list(given), label)

    return tag


def _tag_all(models: dict[tuple[str, ...], Tagger], sentences: list[Sentence], label: str) -> list[list[str]]:
    """Tag all sentences, one token of each in every round."""
    found: list[list[str]] = [[_UNKNOWN] * len(s) for s in sentences]
    left = [i for i, s in enumerate(sentences) if len(s)]
    best = {i: [("", -1.0)] * len(sentences[i]) for i in left}
    stale = {i: set(range(len(sentences[i]))) for i in left}
    while left:
        shown = [_with_sides(sentences[i], found[i], label) for i in left]
        for case, model in models.items():
            wanted = [k for k, i in enumerate(left) if any(_case(found[i], t) == case for t in stale[i])]
            for k, marginals in zip(wanted, model.predict_marginals([shown[k] for k in wanted]), strict=True):
                i = left[k]
                for t in stale[i]:
                    if _case(found[i], t) == case:
                        best[i][t] = max(marginals[t].items(), key=lambda pair: pair[1])
        for i in left:
            open_ = [t for t, tag in enumerate(found[i]) if tag == _UNKNOWN]
            easiest = max(open_, key=lambda t: best[i][t][1])
            found[i][easiest] = best[i][easiest][0]
            stale[i] = {t for t in (easiest - 1, easiest + 1) if 0 <= t < len(found[i]) and found[i][t] == _UNKNOWN}
        left = [i for i in left if _UNKNOWN in found[i]]
    return found


def _case(tags: Sequence[str], t: int) -> tuple[str, ...]:
    """Return which neighbours of a token are known; those beyond the sentence are not."""
    known = {"left": t > 0 and tags[t - 1] != _UNKNOWN, "right": t + 1 < len(tags) and tags[t + 1] != _UNKNOWN}
    return tuple(side for side in _SIDES if known[side])


def _with_sides(sentence: Sentence, tags: Sequence[str], label: str) -> Sentence:
    """Return the sentence with the tags of the neighbours as columns."""
    columns = {name: list(values) for name, values in sentence.columns.items() if name != label}
    columns |= {"left": [_UNKNOWN, *tags[:-1]], "right": [*tags[1:], _UNKNOWN]}
    return dataclasses.replace(sentence, columns={**columns, label: list(tags)})

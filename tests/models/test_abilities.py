"""What a model offers is what it does: no method works that is not declared, and none raises that is."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest

from perceptag import Tagger
from perceptag.errors import NotOfferedError
from perceptag.models.protocol import ABILITIES, ReadyModel
from perceptag.models.span_rules import with_rules
from perceptag.rules.spans import RuleSpan
from perceptag.text.sentence import Sentence

WORDS = [["Ada", "slept"], ["Bob", "ran", "home"]] * 4
LABELS = [["B-PER", "O"], ["B-PER", "O", "O"]] * 4
SENTENCES = [Sentence({"form": ["Ada", "ran"]})]
OPEN = [[None, None]]

TRIALS: dict[str, Callable[[Any], object]] = {
    "given": lambda m: m.tag_given(SENTENCES, OPEN),
    "rules": lambda m: m.tag(with_rules(m, SENTENCES, [[RuleSpan(0, 1, "PER", "force", 0.0, "names")]])),
    "suggest": lambda m: m.tag(with_rules(m, SENTENCES, [[RuleSpan(0, 1, "PER", "suggest", 1.0, "names")]])),
    "nbest": lambda m: m.nbest(SENTENCES, 2),
    "explain": lambda m: m.explain(SENTENCES),
    "explain-given": lambda m: m.explain_given(SENTENCES, OPEN),
    "order": lambda m: (m.inference_orders(SENTENCES), m.inference_orders_given(SENTENCES, OPEN)),
    "marginals": lambda m: m.marginals(SENTENCES),
    "span-marginals": lambda m: m.span_marginals(SENTENCES, [[]]),
    "parts": lambda m: m.part_scores(SENTENCES),
    "top-weights": lambda m: m.top_weights(1),
    "outside-score": lambda m: copy.copy(m).set_outside_score(0.0),
}
INTERNAL = {"probabilities", "column-text", "types"}  # not on every kind of model, and guarded by other attributes


def works(model: ReadyModel, ability: str) -> bool:
    try:
        TRIALS[ability](model)
    except NotOfferedError as error:
        assert str(error).startswith(f"{ABILITIES[ability].what}: not offered by a ")
        return False
    return True


def test_there_is_a_trial_of_every_ability() -> None:
    assert {*TRIALS, *INTERNAL} == set(ABILITIES)


@pytest.mark.parametrize(
    ("recipe", "settings"),
    [
        ("collins-pos", {}),
        ("collins-pos", {"weights": "voted"}),
        ("collins-pos", {"labels.parts": "-"}),
        ("crf", {}),
        ("maxent", {}),
        ("shen-pos-a", {}),
        ("carreras-ner", {"chunker.columns": "form"}),
        ("ner", {"inner_folds": 0, "margins": 1}),
        ("rerank-2", {"templates": ("form[0]", "bias * y-1 y0")}),
    ],
)
def test_models_do_what_they_offer(recipe: str, settings: dict[str, Any]) -> None:
    epochs = {} if recipe in ("maxent", "crf") else {"epochs": 2}
    model = Tagger(recipe, **epochs, **settings).fit(WORDS, LABELS).ready_model
    assert {ability for ability in TRIALS if works(model, ability)} == model.offers - INTERNAL

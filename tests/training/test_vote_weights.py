"""The weight of rules that suggest labels is chosen on dev data."""

from __future__ import annotations

from perceptag import Sentence, Tagger
from perceptag.rules.spans import RuleSpan
from perceptag.training.vote_weights import choose_weight, weighted
from toys import make_recipe


def names(words: list[str], label: str = "PER", rule: str = "list") -> list[RuleSpan]:
    return [RuleSpan(t, t + 1, label, "suggest", 1.0, rule) for t, word in enumerate(words) if word.istitle()]


def labelled(text: str) -> Sentence:
    words = text.split()
    return Sentence({"form": words, "label": ["B-PER" if word.istitle() else "O" for word in words]})


TRAIN = [labelled(text) for text in ("we saw Ann", "Ann saw us", "they met Bob", "we met them")]
DEV = [labelled(text) for text in ("we saw Kim", "Lee met us", "they saw Ann")]


def tagger() -> Tagger:
    return Tagger(make_recipe(templates=("form[0]", "bias * y-1 y0"), epochs=3)).fit(TRAIN)


def test_the_smallest_weight_with_the_best_score() -> None:
    ready = tagger().ready_model
    found = choose_weight(ready, DEV, [names(s.tokens) for s in DEV])
    assert found.tried[found.weight] == 100 == max(found.tried.values()) > found.tried[0.0]
    assert all(score < 100 for weight, score in found.tried.items() if weight < found.weight)


def test_misleading_rules_get_no_weight() -> None:
    wrong = [[RuleSpan(t, t + 1, "PER", "suggest", 1.0, "verbs") for t in (1,)] for _ in DEV]
    assert choose_weight(tagger().ready_model, DEV, wrong).weight == 0


def test_only_named_rules_change() -> None:
    rules = [[*names(["Ann"]), *names(["Ann"], rule="other"), RuleSpan(0, 1, "PER", "force", 0.0, "list")]]
    [[one, other, force]] = weighted(rules, 3.0, {"list"})
    assert (one.weight, other.weight, force.weight) == (3.0, 1.0, 0.0)

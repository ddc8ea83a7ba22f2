"""A model with rules that join its search: every sentence that it gets, it searches under them.

The wrapper passes on what takes sentences. What skips them (column text, words by their types, lists) is not offered,
so that nothing ignores the rules; neither are labels that are given, nor further rules.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Container, Mapping, Sequence
from typing import Any

from perceptag.errors import DataError, ModelError, NotOfferedError, SettingError, nearest
from perceptag.labels.label_set import LabelSet
from perceptag.labels.schemes import Span
from perceptag.models.explanation import Explained
from perceptag.models.inference_order import InferenceOrder
from perceptag.models.margins import Margins
from perceptag.models.model import Model
from perceptag.models.protocol import ABILITIES, Ranked, ReadyModel, TopWeights
from perceptag.models.rules.stored_rules import rule_arrays, rule_facts, unpack_rules
from perceptag.models.span_rules import HEAVIEST_VOTE, known_kinds, with_rules
from perceptag.rules.rule_file import Rule
from perceptag.rules.rules import Rules
from perceptag.text.sentence import Sentence

KIND = "ruled"
_PASSED_ON = {"nbest", "explain", "order", "marginals", "span-marginals", "top-weights"}


class RuledModel(ReadyModel):
    """Tags with a model under rules. Its model file has the rules, too, and the kind `KIND`."""

    def __init__(self, ready: ReadyModel, rules: Rules) -> None:
        _check(ready, rules)
        self.ready, self.rules = ready, rules
        inner = ready.model
        about = {"of": inner.facts["kind"], **rule_facts(rules)}
        self.model = dataclasses.replace(
            inner,
            arrays={**inner.arrays, **rule_arrays(rules)},
            facts={**inner.facts, "kind": KIND, "rules": about},
        )
        self.offers = ready.offers & _PASSED_ON
        self.reader = ready.reader
        self.margins_are_log_odds = ready.margins_are_log_odds
        self.most_candidates = ready.most_candidates
        self.label_order = ready.label_order

    def _ruled(self, sentences: Sequence[Sentence]) -> list[Sentence]:
        return with_rules(self.ready, sentences, self.rules.constraints(sentences))

    # --- under the rules ---

    def tag(self, sentences: Sequence[Sentence], threads: int = 1) -> list[list[str]]:
        """The labels of each sentence, the best that the rules leave."""
        return self.ready.tag(self._ruled(sentences), threads)

    def margins_of_batch(self, sentences: Sequence[Sentence], threads: int = 1) -> list[Margins]:
        """The same labels, and by how much they win."""
        return self.ready.margins_of_batch(self._ruled(sentences), threads)

    def explain(self, document: Sequence[Sentence]) -> Sequence[Explained]:
        """Why each sentence gets its labels; rules are listed as features are."""
        return self.ready.explain(self._ruled(document))

    def nbest(self, sentences: Sequence[Sentence], n: int, threads: int = 1) -> list[Ranked]:
        """The n best labellings that the rules leave."""
        return self.ready.nbest(self._ruled(sentences), n, threads)

    def marginals(self, sentences: Sequence[Sentence], threads: int = 1) -> list[list[dict[str, float]]]:
        """For each token the probability of every label, among the labellings that the rules leave."""
        return self.ready.marginals(self._ruled(sentences), threads)

    def span_marginals(
        self, sentences: Sequence[Sentence], wanted: Sequence[Sequence[Span]], threads: int = 1
    ) -> list[list[float]]:
        """The same for spans."""
        return self.ready.span_marginals(self._ruled(sentences), wanted, threads)

    def inference_orders(self, document: Sequence[Sentence]) -> list[InferenceOrder]:
        return self.ready.inference_orders(self._ruled(document))

    def values_of(self, sentence: Sentence) -> dict[tuple[int, int, str], str]:
        """The normalised values of the spans that rules match."""
        [said] = self.rules.constraints([sentence])
        return {(span.start, span.end, span.label): span.value for span in said if span.value is not None}

    # --- what rules do not change ---

    def known_words(self) -> Container[str] | None:
        return self.ready.known_words()

    def top_weights(self, n: int) -> TopWeights:
        return self.ready.top_weights(n)

    def input_columns(self) -> list[str]:
        """The columns that the model or the rules look at."""
        return list(dict.fromkeys([*self.ready.input_columns(), *self.rules.columns]))

    def looks_at_documents(self) -> bool:
        """Whether the model looks at documents; rules look at sentences."""
        return self.ready.looks_at_documents()

    @property
    def notes(self) -> list[str]:  # type: ignore[override]
        """What users should know of the rules: that two contradict each other, that a phrase is inside a token."""
        return self.rules.notes

    def not_offered(self, ability: str) -> NotOfferedError:
        if ability not in self.ready.offers:
            return self.ready.not_offered(ability)
        return NotOfferedError.by("a model with rules", ABILITIES[ability].what, "the same model without rules")


def apart(model: Model) -> tuple[Model, Rules]:
    """Return the model inside a model with rules, and the rules; a file may hold anything."""
    about = model.facts.get("rules")
    if not isinstance(about, Mapping):
        raise ModelError("facts.rules: expected an object, found something else")
    facts: dict[str, Any] = {name: fact for name, fact in model.facts.items() if name != "rules"}
    if about.get("of") == KIND:
        raise ModelError(f"facts.rules.of: expected a kind of model that rules can join, found {KIND!r}")
    rules = unpack_rules(model.arrays, about, model.derived)
    return dataclasses.replace(model, facts={**facts, "kind": about.get("of")}), rules


def rejoined(ready: ReadyModel, rules: Rules) -> RuledModel:
    """Join what was `apart` in a file; rules that do not fit the model are an error of the file."""
    try:
        return RuledModel(ready, rules)
    except (DataError, SettingError) as error:
        raise ModelError(f"rules: {error}") from error


def _check(ready: ReadyModel, rules: Rules) -> None:
    """Refuse rules that the model could not keep to, before any of them matches."""
    ready.require("rules")
    if any(rule.say == "suggest" for rule in rules.rules):
        ready.require("suggest")
    check_labels(rules, ready.model.label_set)


def check_labels(rules: Rules, label_set: LabelSet) -> None:
    """Refuse rules whose labels the model does not know, or whose saying or weight means nothing to its search."""
    kinds = known_kinds(label_set)
    for rule in rules.rules:
        if rule.say == "feature":
            found = f"since {rules.column!r} is the column of the labels; found feature"
            raise _error(rule, "say", f"expected force, suggest or forbid, {found}")
        if rule.label not in kinds:
            found = f"expected a label of the model ({', '.join(kinds)}), found {rule.label!r}"
            raise _error(rule, "label", f"{found}{nearest(rule.label, kinds)}")
        if abs(rule.weight) > HEAVIEST_VOTE:
            raise _error(rule, "weight", f"expected a weight within {HEAVIEST_VOTE:g}, found {rule.weight:g}")


def _error(rule: Rule, key: str, message: str) -> DataError:
    return rule.where.error(message, rule.name, key)

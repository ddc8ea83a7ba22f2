"""Rules as a layer of a pipeline: they tag like a model, and their file is kept inside the model file."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from perceptag.arrays import Ints
from perceptag.errors import ModelError, NotOfferedError
from perceptag.features.dataset import SequenceReader
from perceptag.features.fixed_encoder import TypedColumns
from perceptag.labels.label_set import LabelSet
from perceptag.models.model import Model
from perceptag.models.protocol import ABILITIES, SPACES, ReadyModel
from perceptag.models.rules.stored_rules import rule_arrays, rule_facts, unpack_rules
from perceptag.recipe.recipe import Recipe
from perceptag.rules.conditions import WORDS
from perceptag.rules.rules import Rules, iob2
from perceptag.rules.spans import RuleSpan
from perceptag.text.sentence import Sentence

if TYPE_CHECKING:
    from perceptag.models.explanation import Explanation
    from perceptag.models.margins import Margins

KIND = "rules"
SAYS = {"force": "forces", "suggest": "suggests", "feature": "finds"}


class RulesTagger(ReadyModel):
    """Tags with rules. A span has the normalised value that its rule gives it (`values_of`)."""

    def __init__(self, model: Model, rules: Rules | None = None) -> None:
        self.model = model
        self.rules = rules or _rules_of(model)
        self.reader = SequenceReader(self.rules.columns)

    @classmethod
    def of(cls, rules: Rules) -> RulesTagger:
        """Return the layer of some rules."""
        names = ["O", *(f"{begin}-{label}" for label in rules.labels for begin in "BI")]
        return cls(
            Model(
                Recipe(),
                LabelSet(tuple(names), "IOB2", "IOB2", rules.column),
                (*rules.columns, rules.column),
                rule_arrays(rules),
                {"kind": KIND, **rule_facts(rules)},
            ),
            rules,
        )

    @property
    def notes(self) -> list[str]:  # type: ignore[override]
        """What users should know of the rules: that two contradict each other, that a phrase is inside a token."""
        return self.rules.notes

    def tag(self, sentences: Sequence[Sentence], threads: int = 1) -> list[list[str]]:
        """The labels of each sentence in IOB2."""
        del threads
        return self.rules.tag(sentences)

    offers = frozenset({"explain"})
    has_margins = False

    # --- running text as numbers ---

    sees_spaces = True

    @property
    def takes_typed_text(self) -> bool:  # type: ignore[override]
        """Whether the rules look at words alone."""
        return self.rules.columns == [WORDS]

    def tag_types(
        self, columns: TypedColumns, begin: Ints, threads: int = 1, documents: Ints | None = None
    ) -> tuple[Sequence[str], Ints]:
        del threads, documents
        names = self.model.label_set.names
        number = {name: y for y, name in enumerate(names)}
        words, numbers = columns[WORDS]
        labels = array("i", bytes(4 * len(numbers)))
        spaces = columns[SPACES][1]
        for first, spans in zip(begin.tolist(), self.rules.spans_of_words(words, numbers, begin, spaces), strict=False):
            for start, end, rule in spans:
                label = self.rules.rules[rule].label
                labels[first + start : first + end] = array("i", [number[f"I-{label}"]] * (end - start))
                labels[first + start] = number[f"B-{label}"]
        return names, cast("Ints", memoryview(labels))

    def values_of(self, sentence: Sentence) -> dict[tuple[int, int, str], str]:
        """The normalised values of the spans of a sentence, by start, end and label."""
        return {
            (span.start, span.end, span.label): span.value for span in self.rules(sentence) if span.value is not None
        }

    def explain(self, document: Sequence[Sentence]) -> list[Explanation]:
        """Why each sentence gets its labels: the rules that say so. Rules have no scores and no rivals."""
        return [_explained(*both) for both in zip(document, self.rules.labelled(document), strict=True)]

    def margins_of_batch(self, sentences: Sequence[Sentence], threads: int = 1) -> list[Margins]:
        """Refused: rules do not weigh anything."""
        del sentences, threads
        raise NotOfferedError.by("rules", "confidence", "models that are trained")

    def known_words(self) -> None:
        """Rules have no training data."""
        return

    def not_offered(self, ability: str) -> NotOfferedError:
        return NotOfferedError.by("rules", *ABILITIES[ability])


def _explained(sentence: Sentence, spans: Sequence[RuleSpan]) -> Explanation:
    from perceptag.models.explanation import Contribution, Explanation, TokenExplanation  # tagging needs none

    labels = iob2(len(sentence), spans)
    says: dict[int, tuple[Contribution, ...]] = {}
    for span in spans:
        reason = Contribution(f"rule {span.rule} {SAYS[span.say]} {span.label}", 0.0, 0.0)
        says |= dict.fromkeys(range(span.start, span.end), (reason,))
    details = [
        TokenExplanation(token, label, 0.0, None, (), None, says.get(t, ()))
        for t, (token, label) in enumerate(zip(sentence.tokens, labels, strict=True))
    ]
    return Explanation(tuple(sentence.tokens), tuple(labels), 0.0, tuple(details))


def _rules_of(model: Model) -> Rules:
    rules = unpack_rules(model.arrays, model.facts, model.derived)
    if rules.column != model.label_set.column:
        raise ModelError(f"rules: expected the column {model.label_set.column!r}, found {rules.column!r}")
    return rules

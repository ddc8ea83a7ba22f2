"""A linear model made ready to tag and to explain."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence

from perceptag.dataset import computed_columns, make_dataset
from perceptag.errors import ModelError, SettingError
from perceptag.explain import Explanation, explain
from perceptag.features import gazetteer
from perceptag.features.attributes import Attribute
from perceptag.features.template import parse_all
from perceptag.linear import ClosedWords, unpack
from perceptag.model import Model
from perceptag.outer_labels import OuterLabels
from perceptag.text.sentence import Sentence


class LinearTagger:
    """Tags sentences with a linear model; a `perceptag.compiled.Compiled`."""

    def __init__(self, model: Model, attributes: Mapping[str, Attribute] | None = None) -> None:
        self.model = model
        extra = [gazetteer.COLUMN] if "gazetteer" in model.facts else []
        self.templates = parse_all(model.facts["templates"], [*model.columns, *extra])
        _check_attributes(model, attributes or {})
        closed = model.facts.get("closed")
        self.linear = unpack(
            model.arrays,
            self.templates,
            model.labelling,
            model.recipe.constrain,
            _snapshots(model),
            ClosedWords(closed["entries"], closed["words"]) if closed else None,
            attributes,
        )
        self.computed = computed_columns(gazetteer.Gazetteer.from_dict(model.facts.get("gazetteer", {})))
        self.outer_labels = OuterLabels(model.labelling)
        self.columns = [*self.linear.encoder.columns, *(["form"] if closed else [])]

    def tag(self, sentences: Sequence[Sentence], threads: int = 1) -> list[list[str]]:
        """The labels of each sentence, as the training data writes them."""
        data = make_dataset(sentences, self.columns, computed=self.computed)
        return self.outer_labels(self.linear.tag(data.columns, data.begin, threads), data.begin)

    def explain(self, sentence: Sentence) -> Explanation:
        """What each feature contributes to the labels of a sentence, and the margin to the best rival."""
        return explain(self, sentence)

    def known_words(self) -> Container[str] | None:
        """The words of the training data, or None if the model does not look at whole words."""
        encoder = self.linear.encoder
        slot = encoder.slots.get("form", {}).get(())
        return None if slot is None else encoder.vocabularies["form"][slot]


def _snapshots(model: Model) -> int:
    number = model.facts.get("snapshots", 1)
    if not isinstance(number, int) or not 1 <= number <= 100_000:
        raise ModelError(f"the model claims {number!r} weight vectors")
    return number


def _check_attributes(model: Model, attributes: Mapping[str, Attribute]) -> None:
    for entry in model.recipe.attributes:
        name = entry.partition("=")[0]
        if name not in attributes:
            raise SettingError(
                f"the model uses the attribute {entry!r}, which is code of your own: give it as "
                f"attributes={{{name!r}: function}}, or allow perceptag to import it (--allow-code)"
            )

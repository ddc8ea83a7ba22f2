"""The layers of a pipeline: each model reads the words and the labels of the layers before it.

The name of a layer is the column that it gives. A tokeniser can only be the first layer, and gives the words.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from perceptag.errors import ModelError, NotOfferedError, SettingError, brief
from perceptag.labels.schemes import spans, type_name
from perceptag.models.kinds import RULES, TOKENIZER, make_ready
from perceptag.models.model import Model
from perceptag.models.protocol import ReadyModel
from perceptag.recipe.usercode import attributes_of, functions_of
from perceptag.text.sentence import Sentence

if TYPE_CHECKING:
    from perceptag.models.calibration import Calibration
    from perceptag.models.confident import Confident
    from perceptag.models.rules.tagger import RulesTagger
    from perceptag.models.tokenizer.model import TokenizerModel  # other models start without it
    from perceptag.rules.rules import Rules

WORDS, TOKENS = "form", "tokens"  # the column of the words, and the name of a tokeniser
MAX_LAYERS = 32
_NAME = re.compile(r"[\w.:+-]{1,100}")
# What sentences and files call something else.
_TAKEN = (WORDS, "labels", "misc", "document", "text", "offsets", "spans", "multiword", "paragraph", "confidence")


@dataclass(frozen=True, slots=True)
class Layer:
    """A model that tags, and the column that it gives."""

    name: str
    ready: ReadyModel

    def needs(self) -> list[str]:
        """The columns that it reads."""
        return self.ready.input_columns()

    @property
    def scheme(self) -> str:
        """How its labels mark spans; ``none`` if they do not."""
        return self.ready.model.label_set.outer

    def calibration(self) -> Calibration | None:
        """What turns its margins into probabilities, if it has such a thing."""
        from perceptag.models.confident import calibration_of  # labels alone need not wait for it

        model = self.ready.model
        has_one = self.ready.margins_are_log_odds or model.is_calibrated
        return calibration_of(model, self.ready.margins_are_log_odds) if has_one else None

    def add(self, sentences: Sequence[Sentence], threads: int) -> None:
        """Put its labels into the sentences."""
        for sentence, labels in zip(sentences, self.ready.tag(sentences, threads), strict=True):
            sentence.columns[self.name] = labels

    def confident(self, sentences: Sequence[Sentence], threads: int) -> list[Confident]:
        """Put its labels into the sentences, and return how sure it is of them and of their spans."""
        from perceptag.models.confident import with_confidence

        known = self.calibration()
        assert known is not None
        found = list(with_confidence(known, self.ready.margins(sentences, threads)))
        for sentence, confident in zip(sentences, found, strict=True):
            sentence.columns[self.name] = confident.labels
        return found

    def spans_of(self, sentence: Sentence) -> list[tuple[int, int, str]]:
        """The spans that its labels mark in a sentence."""
        found = [] if self.scheme == "none" else spans(sentence.columns[self.name], self.scheme)
        return [(s.start, s.end, type_name(s.label)) for s in found]


def with_joined_rules(models: Sequence[tuple[str, ReadyModel]]) -> list[tuple[str, ReadyModel]]:
    """Let rules join the search of an earlier model that gives the same column."""
    joined: dict[int, tuple[str, ReadyModel]] = {}
    for number, (name, ready) in enumerate(models):
        same = [place for place, (other, _) in joined.items() if other == name]
        if same and ready.model.facts.get("kind") == RULES:
            joined[same[0]] = name, _with_rules(name, joined[same[0]][1], cast("RulesTagger", ready).rules)
        else:
            joined[number] = name, ready
    return list(joined.values())


def _with_rules(name: str, ready: ReadyModel, rules: Rules) -> ReadyModel:
    from perceptag.models.rules.ruled_model import RuledModel  # other models start without it

    try:
        return RuledModel(ready, rules)
    except NotOfferedError as error:
        hint = "`column` in the rule file gives the rules a layer of their own"
        raise SettingError(f"rules: layer {name!r}: {error}; {hint}") from error


def arrange(models: Sequence[tuple[str, ReadyModel]]) -> tuple[TokenizerModel | None, list[Layer]]:
    """Return the tokeniser, if there is one, and the other layers; refuse models that do not fit together."""
    if not 1 <= len(models) <= MAX_LAYERS:
        raise ModelError(f"layers: expected 1 to {MAX_LAYERS}, found {len(models)}")
    first = models[0][1]
    tokenizer = cast("TokenizerModel", first) if is_tokenizer(first.model) else None
    layers = [Layer(name, ready) for name, ready in models[tokenizer is not None :]]
    for number, layer in enumerate(layers, 1 + (tokenizer is not None)):
        if is_tokenizer(layer.ready.model):
            raise ModelError(
                f"layer {layer.name!r}: expected a tokeniser as the first layer, found it as number {number}"
            )
    if len(models) > 1:  # a model by itself keeps the column that it was trained with, whatever its name
        _check_names([name for name, _ in models])
    _check_columns(layers, has_tokenizer=tokenizer is not None)
    return tokenizer, layers


def _check_names(names: Sequence[str]) -> None:
    for number, name in enumerate(names):
        if not isinstance(name, str) or not _NAME.fullmatch(name):
            raise ModelError(f"layers: expected a name of letters, digits and any of _.:+-; found {brief(name)}")
        if name in _TAKEN or (name == TOKENS and number):
            raise ModelError(f"layer {name!r}: expected another name, since this one has a meaning of its own")
        if name in names[:number]:
            raise ModelError(f"layers: expected different names, found {name!r} twice")


def _check_columns(layers: Sequence[Layer], has_tokenizer: bool) -> None:
    """Refuse a layer that reads a column of a later layer, or one that does not exist."""
    given = [WORDS]
    for number, layer in enumerate(layers):
        later = {other.name for other in layers[number:]}
        for column in layer.needs():
            if column == layer.name:
                raise ModelError(
                    f"layer {layer.name!r}: it reads the column of this name; expected another name for it"
                )
            if column in later:
                raise ModelError(
                    f"layer {layer.name!r}: it reads column {column!r}, which layer {column!r} gives only later"
                )
            if has_tokenizer and column not in given:
                hint = "a model of '--recipe basic-ner' looks at words alone"
                if column == layer.ready.model.from_rules:
                    hint = "--rules FILE gives it, the rules of the training"
                elif layer.ready.model.facts.get("kind") == RULES:
                    hint = f"these rules need a model, or a file of sentences, with {column!r}"
                raise ModelError(
                    f"layer {layer.name!r}: it reads column {column!r}, which no layer before it gives; "
                    f"found {', '.join(given)}; {hint}"
                )
        given.append(layer.name)


def inputs_of(layers: Sequence[Layer]) -> list[str]:
    """Return the columns that layers read and that none of them gives."""
    needed = [column for layer in layers for column in layer.needs()]
    return [column for column in dict.fromkeys(needed) if column not in {layer.name for layer in layers}]


def usual_layer(layers: Sequence[Layer]) -> Layer:
    """Return the last layer; where that one gives lemmas, that of names, else of tags, else of what rules find."""
    others = [layer for layer in layers if not layer.ready.model.label_set.is_open]
    if not others or others[-1] is layers[-1]:
        return layers[-1]
    learned = [layer for layer in others if layer.ready.model.facts.get("kind") != RULES] or others
    spans = [layer for layer in learned if layer.scheme != "none"]
    return spans[-1] if spans else tag_layer(learned)


def tag_layer(layers: Sequence[Layer]) -> Layer:
    """Return the layer of tags: ``upos``, ``xpos``, or the last one that gives tags; without any, the last layer."""
    sets = {layer.name: layer for layer in layers if layer.scheme == "none" and not layer.ready.model.label_set.is_open}
    named = [sets[name] for name in ("upos", "xpos") if name in sets]
    return [*named, *reversed(sets.values()), layers[-1]][0]


def default_name(model: Model) -> str:
    """Return the name of a layer that was given none: the column of its labels in the training data."""
    return TOKENS if is_tokenizer(model) else model.label_set.column


def is_tokenizer(model: Model) -> bool:
    """Return whether a model finds tokens."""
    return model.facts.get("kind") == TOKENIZER


def ready_of(model: Model, *, allow_code: bool) -> ReadyModel:
    """Make the model of a layer ready, with the user's code that it names if that is allowed."""
    code = attributes_of(model.recipe, allow_code=allow_code), functions_of(model.recipe, allow_code=allow_code)
    return make_ready(model, *code)


def explaining(layers: Sequence[Layer], argument: str = "layer") -> ReadyModel:
    """Return the model of the last layer; if it has no explanations, refuse and name the layers that do.

    `argument` is what chooses a layer, for the error.
    """
    last = layers[-1]
    explained = [layer.name for layer in layers if "explain" in layer.ready.offers]
    if explained and last.name not in explained:
        expected = f"expected a layer that offers explanations ({', '.join(explained)})"
        raise NotOfferedError(f"{argument}: {expected}, found {last.name!r}")
    last.ready.require("explain")
    return last.ready

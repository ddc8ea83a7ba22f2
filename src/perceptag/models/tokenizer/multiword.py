"""Tokens whose words do not spell them, such as French *au* (*à* and *le*): a dictionary of those in the training data.

A token that has several words wherever it occurs is always expanded. For one that is sometimes a word of its own, such
as *des*, an averaged perceptron decides by the tokens around it. Words follow the case of a token: *Au* is *À*, *le*.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from perceptag.errors import ModelError, brief
from perceptag.models.tokenizer.characters import CHARACTER, LABEL, SEVERAL
from perceptag.text.sentence import Sentence
from perceptag.text.tokens import Passage, TextSentence

FACTS = "multiword"
PASSES = 10

Words = tuple[str, ...]
Spelt = list[tuple[str, Words]]  # tokens in lower case with their words, if these do not spell them; else with none


@dataclass(frozen=True)
class MultiwordTokens:
    """Tokens in lower case with their words, and what decides about tokens that may also be one word."""

    words: Mapping[str, Words] = field(default_factory=dict)
    ambiguous: frozenset[str] = frozenset()
    weights: Mapping[str, int] = field(default_factory=dict)  # of features: above 0 for several words

    def __bool__(self) -> bool:
        return bool(self.words)

    @classmethod
    def of_sentences(cls, sentences: Iterable[Sentence]) -> MultiwordTokens:
        """Learn from sentences of characters."""
        data = [list(_tokens(sentence)) for sentence in sentences if SEVERAL in sentence.columns]
        counts: dict[str, Counter[Words]] = {}
        for tokens in data:
            for token, parts in tokens:
                counts.setdefault(token, Counter())[parts] += 1
        words = {token: best for token, ways in counts.items() if (best := _most_frequent(ways))}
        known = cls(words, frozenset(token for token in words if () in counts[token]))
        return replace(known, weights=_learn(known._examples(data))) if known.ambiguous else known

    def _examples(self, data: Sequence[Spelt]) -> Iterator[tuple[list[str], bool]]:
        """Yield the features of ambiguous tokens, and whether they are several words."""
        for tokens in data:
            forms = [token for token, _ in tokens]
            for i, (token, words) in enumerate(tokens):
                if token in self.ambiguous:
                    yield _features(forms, i), bool(words)

    def expanded(self, passage: Passage) -> Passage:
        """Return a text whose tokens have the words that they stand for."""
        sentences = list(map(self._expanded, passage.sentences))
        return Passage(passage.text, passage.start, sentences, passage.ends_document)

    def _expanded(self, sentence: TextSentence) -> TextSentence:
        forms = [token.text.lower() for token in sentence.tokens]
        places = [i for i, form in enumerate(forms) if form in self.words and self._is_several(forms, i)]
        if not places:
            return sentence
        tokens = list(sentence.tokens)
        for i in places:
            tokens[i] = replace(tokens[i], words=_in_case(self.words[forms[i]], tokens[i].text))
        return TextSentence(tokens, sentence.starts_paragraph, sentence.starts_document)

    def _is_several(self, forms: Sequence[str], i: int) -> bool:
        return forms[i] not in self.ambiguous or sum(self.weights.get(name, 0) for name in _features(forms, i)) > 0

    def to_facts(self) -> dict[str, Any]:
        """Return what a model file holds; empty if there are no such tokens."""
        words = {token: list(words) for token, words in self.words.items()}
        known = {"words": words, "ambiguous": sorted(self.ambiguous), "weights": dict(self.weights)}
        return {FACTS: known} if self else {}

    @classmethod
    def of_facts(cls, facts: Mapping[str, Any]) -> MultiwordTokens:
        """The inverse of `to_facts`, checked."""
        if FACTS not in facts:
            return cls()
        known = facts[FACTS]
        if not isinstance(known, Mapping) or not _are_sound(*map(known.get, ("words", "ambiguous", "weights"))):
            raise ModelError(f"facts.{FACTS}: expected tokens with lists of words, and weights; found {brief(known)}")
        words = {token: tuple(words) for token, words in known["words"].items()}
        return cls(words, frozenset(known["ambiguous"]), known["weights"])


def _most_frequent(ways: Counter[Words]) -> Words:
    """Return the words that a token has most often, if it ever has several."""
    several = {words: count for words, count in ways.items() if words}
    return min(several, key=lambda words: (-several[words], words), default=())


def _are_sound(words: object, ambiguous: object, weights: object) -> bool:
    if not (isinstance(words, Mapping) and isinstance(ambiguous, list) and isinstance(weights, Mapping)):
        return False
    are_words = (
        isinstance(w, list) and len(w) > 1 and all(isinstance(v, str) and v for v in w) for w in words.values()
    )
    are_numbers = (isinstance(weight, int) for weight in weights.values())
    return all(are_words) and all(isinstance(token, str) for token in ambiguous) and all(are_numbers)


def _tokens(sentence: Sentence) -> Iterator[tuple[str, Words]]:
    """Yield the tokens of a sentence of characters."""
    characters, labels, several = (sentence.columns[name] for name in (CHARACTER, LABEL, SEVERAL))
    starts = [t for t, label in enumerate(labels) if label in ("sentence", "token")]
    for start, following in zip(starts, [*starts[1:], len(labels)], strict=True):
        words = tuple(filter(None, several[start].lower().split("\n")))
        yield "".join(characters[start:following]).rstrip().lower(), words


def _features(forms: Sequence[str], i: int) -> list[str]:
    """Return the features of a token among others, all in lower case."""
    around = {offset: forms[i + offset] if 0 <= i + offset < len(forms) else "" for offset in (-2, -1, 1, 2)}
    found = [f"{offset} {form}" for offset, form in around.items()]
    found += [f"{offset} …{around[offset][-length:]}" for offset in (-1, 1) for length in (1, 2, 3)]
    found += ["", f"{around[-1][-2:]} {around[1][-2:]}"]
    return [f"{forms[i]} {name}" for name in found]


def _learn(given: Iterable[tuple[list[str], bool]]) -> dict[str, int]:
    """Return the averaged weights of a perceptron (Collins 2002, figure 1), as sums over all examples of all passes."""
    examples = list(given)
    weights: Counter[str] = Counter()
    late: Counter[str] = Counter()  # each update, times the number of examples before it
    clock = 0
    for _ in range(PASSES):
        for features, is_several in examples:
            if (sum(weights[name] for name in features) > 0) != is_several:
                step = 1 if is_several else -1
                weights.update(dict.fromkeys(features, step))
                late.update(dict.fromkeys(features, step * clock))
            clock += 1
    sums = {name: clock * weight - late[name] for name, weight in weights.items()}
    return {name: total for name, total in sorted(sums.items()) if total}


def _in_case(words: Words, token: str) -> Words:
    if len(token) > 1 and token.isupper():
        return tuple(word.upper() for word in words)
    if token[:1].isupper():
        return words[0][:1].upper() + words[0][1:], *words[1:]
    return words

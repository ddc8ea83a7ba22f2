"""Non-local features: functions of a whole document and all its labels.

Built in and native (see cpp/include/perceptag/document/mention_features.hpp for what each counts):

    phrase, majority, subphrase, submajority, conjunction, unlabelled

and any Python function of yours, ``f(document, spans) -> {"name": value}``: `document` is a list of sentences,
`spans` the list of spans of each. If its second parameter is called ``labels`` it gets label lists instead.

Labels that are not spans, such as parts of speech, are read as spans of one token each (`mention_classes`). Of the
built-in features, `phrase` and `majority` then compare the labels of the same word; the others need spans.

Kazama and Torisawa (2007), section 5, name the features but not their definitions; ours follow Finkel et al.
(2005) and Krishnan and Manning (2006).

Built-in features compare mentions:

    labels of spans     a mention is a span, and its class is the type of the span
    any other labels    every token is a mention of one word, and its class is its label
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from perceptag._core import LONGEST_PHRASE, LabelReading, Labels, Scene
from perceptag.arrays import Bytes, Floats, np
from perceptag.errors import ModelError, SettingError, brief, nearest
from perceptag.features.user_functions import UserFeature, checked, wants_labels
from perceptag.labels.label_set import LabelSet
from perceptag.labels.schemes import Span, spans, split_label, standard_spelling
from perceptag.recipe.recipe import Recipe
from perceptag.system.memory import require
from perceptag.text.sentence import Sentence

BYTES_OF_A_VALUE = 4 + 8 + 8 + 8  # in the matrices that are made from the vectors of candidates
MAX_CLASSES = 500  # types of spans, or other labels: there is a feature for each pair of them
FAMILIES = ("phrase", "majority", "subphrase", "submajority", "conjunction", "unlabelled")
FAMILIES_OF_TAGS = ("phrase", "majority")  # for labels that are not spans
JOINING = (",", "and", "or", "&")


@dataclass(slots=True)
class NonLocal:
    """The non-local features of a model."""

    label_set: LabelSet
    families: Sequence[str]
    functions: Mapping[str, UserFeature] = field(default_factory=dict)
    own: bool = False  # `nonlocal.view = "sentence"`: only mentions in a candidate's own sentence count
    scale: float = 1.0  # factor on every value, so that few dense features have as much weight as many sparse ones
    longest: int = LONGEST_PHRASE  # mentions of more words are not compared, so that cost grows linearly
    numbers: dict[str, int] = field(init=False)  # from the names of all features so far; built-in ones come first
    built_in: int = field(init=False)  # how many of these features are built in
    classes: list[str] = field(init=False)
    reading: LabelReading = field(init=False)

    def __post_init__(self) -> None:
        for family in self.families:
            if family not in FAMILIES:
                raise SettingError(
                    f"nonlocal.features: unknown {family!r}{nearest(family, FAMILIES)} (known: {', '.join(FAMILIES)})"
                )
        spans = self.label_set.inner != "none"
        if not spans:
            self._check_families_of_tags()
            self.longest = 1  # no mention has more words
        self.classes = mention_classes(self.label_set) if spans or self.families else []
        if len(self.classes) > MAX_CLASSES:
            what = "types of spans" if spans else "labels with built-in features"
            raise SettingError(f"non-local features: expected at most {MAX_CLASSES} {what}, found {len(self.classes)}")
        self.numbers = {name: i for i, name in enumerate(_built_in_names(self.classes))}
        self.built_in = len(self.numbers)
        self.reading = read_mentions(self.label_set, self.classes)

    def _check_families_of_tags(self) -> None:
        for family in self.families:
            if family not in FAMILIES_OF_TAGS:
                raise SettingError(
                    f"nonlocal.features: {family!r} compares spans, and the labels are not spans (expected "
                    f"{' or '.join(FAMILIES_OF_TAGS)}, or functions of your own)"
                )

    @property
    def family_flags(self) -> list[bool]:
        """Which of the families are used."""
        return [family in self.families for family in FAMILIES]

    def number(self, name: str) -> int:
        """The number of a feature; a new name gets a new number."""
        return self.numbers.setdefault(name, len(self.numbers))

    def by_name(self, weights: Floats) -> dict[str, float]:
        """Weights by feature name, without those that are zero."""
        return {name: float(weights[i]) for name, i in self.numbers.items() if i < len(weights) and weights[i]}

    def candidate_document(
        self, sentences: Sequence[Sentence], candidates: Sequence[Sequence[Labels]]
    ) -> CandidateDocument:
        """A document with the candidate labellings of each sentence."""
        return CandidateDocument(self, sentences, candidates)


def make_nonlocal(recipe: Recipe, label_set: LabelSet, functions: Mapping[str, UserFeature]) -> NonLocal:
    """The non-local features that a recipe asks for."""
    own = recipe.own["nonlocal.view"] == "sentence"
    in_order = dict(sorted(functions.items()))  # the model must not depend on the order in which they are given
    return NonLocal(label_set, recipe.own["nonlocal.features"], in_order, own, recipe.own["nonlocal.scale"])


def _built_in_names(classes: Sequence[str]) -> list[str]:
    pairs = [f"{a},{b}" for a in classes for b in classes]
    if len(set(pairs)) < len(pairs):  # classes with commas
        classes = [name.replace("\\", r"\\").replace(",", r"\,") for name in classes]
        pairs = [f"{a},{b}" for a in classes for b in classes]
    names = [f"{family}[{pair}]" for family in FAMILIES[:-1] for pair in pairs]
    return names + [f"{FAMILIES[-1]}[{a}]" for a in classes]


class NumberedWords(NamedTuple):
    """The words of a document as numbers, sentence by sentence, and for each number whether the word joins mentions."""

    tokens: list[list[int]]
    joining: Bytes


def number_words(sentences: Sequence[Sentence]) -> NumberedWords:
    """Number the words of a document."""
    words: dict[str, int] = {}
    tokens = [[words.setdefault(w, len(words)) for w in s.tokens] for s in sentences]
    return NumberedWords(tokens, np.array([w in JOINING for w in words], np.uint8))


class CandidateDocument:
    """A document with candidate labellings of its sentences, one of which is chosen in each.

    Values are those of the whole document, without a part that is the same for all candidates of a sentence.
    """

    def __init__(
        self, nonlocal_: NonLocal, sentences: Sequence[Sentence], candidates: Sequence[Sequence[Labels]]
    ) -> None:
        self.features = nonlocal_
        self.sentences = sentences
        self.candidates = candidates
        self._scene = Scene(nonlocal_.reading, nonlocal_.family_flags, *number_words(sentences), nonlocal_.longest)
        for s, labellings in enumerate(candidates):
            for labels in labellings:
                self._scene.add(s, labels)
        self.chosen = [-1] * len(candidates)

    def choose(self, s: int, k: int) -> None:
        """Choose candidate k in sentence s."""
        self._scene.choose(s, k)
        self.chosen[s] = k

    def scores(self, s: int, weights: Floats) -> Floats:
        """The score of each candidate of sentence s, given what is chosen in the others."""
        scale, built_in = self.features.scale, self._scene.features
        total: Floats = scale * self._scene.scores(s, np.ascontiguousarray(weights[:built_in]), self.features.own)
        if self.features.functions:
            numbers = self.features.numbers  # a name that is not in it has no weight yet
            for k, values in enumerate(self._user_values(s)):
                found = ((numbers.get(name, len(weights)), value) for name, value in values.items())
                total[k] += scale * sum(weights[i] * value for i, value in found if i < len(weights))
        return total

    def vectors(self, s: int, candidates: Sequence[int]) -> Floats:
        """The features of the document with each of some candidates of s: float64[candidates, features]."""
        features = len(self.features.numbers)
        what = f"non-local features: {features} of each of {len(candidates)} candidates"
        require(len(candidates) * features * BYTES_OF_A_VALUE, what)
        native = self._scene.vectors(s, candidates, self.features.own)
        matrix: Floats = native.reshape(len(candidates), self._scene.features).astype(np.float64)
        if self.features.functions:
            user = self._user_values(s)  # first for all candidates, so that new names get numbers
            places = [{self.features.number(name): v for name, v in values.items()} for values in user]
            wide = np.zeros((len(matrix), len(self.features.numbers)))
            wide[:, : matrix.shape[1]] = matrix
            for row, k in enumerate(candidates):
                for i, v in places[k].items():
                    wide[row, i] += v
            matrix = wide
        return self.features.scale * matrix

    def _user_values(self, s: int) -> list[dict[str, float]]:
        chosen = self.chosen[s]
        found = []
        for k in range(len(self.candidates[s])):
            self.chosen[s] = k
            found.append(self.user_features())
        self.chosen[s] = chosen
        return found

    def user_features(self) -> dict[str, float]:
        """The values of the user's functions for the document as chosen."""
        label_set = self.features.label_set
        labels = [
            [label_set.names[y] for y in self.candidates[s][k].numpy().tolist()] if k >= 0 else ["O"] * len(sentence)
            for s, (sentence, k) in enumerate(zip(self.sentences, self.chosen, strict=True))
        ]
        all_spans = [mention_spans(sentence, label_set.inner) for sentence in labels]
        values: dict[str, float] = {}
        for name, function in self.features.functions.items():
            outer = [label_set.to_outer(sentence) for sentence in labels] if wants_labels(function) else all_spans
            for key, value in checked(function(self.sentences, outer), name).items():
                values[f"{name}:{key}"] = values.get(f"{name}:{key}", 0.0) + value
        return values

    def vector(self) -> Floats:
        """All features of the document as chosen."""
        vector: Floats = self._scene.document().astype(np.float64)
        if self.features.functions:
            user = self.user_features()
            numbers = [self.features.number(name) for name in user]
            vector = np.append(vector, np.zeros(len(self.features.numbers) - len(vector)))
            vector[numbers] += list(user.values())
        return self.features.scale * vector

    def document(self) -> dict[str, float]:
        """All features of the document as chosen, by name, without those that are zero."""
        built_in = zip(self.features.numbers, self._scene.document().tolist(), strict=False)  # they come first
        user = self.user_features() if self.features.functions else {}
        return {name: self.features.scale * value for name, value in (*built_in, *user.items()) if value}


_TAGS = {"O": 0, "B": 1, "I": 2, "E": 3, "S": 4}
_OUTSIDE = (_TAGS["O"], -1)


def mention_classes(label_set: LabelSet) -> list[str]:
    """Return the classes that mentions can have."""
    if label_set.inner == "none":
        return sorted(label_set.names)
    return sorted({split_label(name)[1] for name in label_set.names if name != "O"})


def read_mentions(label_set: LabelSet, classes: Sequence[str]) -> LabelReading:
    """Return how the core reads labels as mentions; without classes it finds no mentions."""
    numbers = {name: i for i, name in enumerate(classes)}

    def read(name: str) -> tuple[int, int]:
        if not numbers:
            return _OUTSIDE
        if label_set.inner == "none":
            return _TAGS["S"], numbers[name]
        tag, kind = split_label(standard_spelling(name))
        if tag not in _TAGS:
            raise ModelError(f"labels: expected labels of {label_set.inner}, found {brief(name)}")
        return _OUTSIDE if tag == "O" else (_TAGS[tag], numbers[kind])

    found = [read(name) for name in label_set.names]
    return LabelReading(len(classes), [tag for tag, _ in found], [kind for _, kind in found])


def mention_spans(labels: Sequence[str], scheme: str) -> list[Span]:
    """Return the mentions of a sentence as spans, for functions of users.

    >>> mention_spans(["DT", "NN"], "none")
    [Span(start=0, end=1, label='DT'), Span(start=1, end=2, label='NN')]
    """
    return [Span(t, t + 1, y) for t, y in enumerate(labels)] if scheme == "none" else spans(labels, scheme)

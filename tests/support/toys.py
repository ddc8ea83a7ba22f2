"""Small data for tests: random corpora, their reference form, and taggers trained on them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from hypothesis import strategies as st

from perceptag import Recipe, Sentence
from perceptag._core import Weights
from perceptag.features.attributes import Attribute
from perceptag.features.encoder import Encoder
from perceptag.features.template import LATTICE_CONTEXTS, Template, parse_all
from perceptag.training.train import Training
from reference.features import Feature, Padding, sentence_features
from reference.perceptron import START, Example, LocalFeature

WORDS = ("the", "dog", "saw", "a", "Cat", "runs", "x-1", "2002")
LABELS = ("D", "N", "V")


def random_corpus(
    seed: int, sentences: int = 12, words: Sequence[str] = WORDS, labels: Sequence[str] = LABELS, longest: int = 6
) -> list[Sentence]:
    """Return sentences whose labels mostly follow from the words; with noise, so that training makes mistakes."""
    rng = np.random.default_rng(seed)
    home = {word: labels[rng.integers(len(labels))] for word in words}
    made = []
    for _ in range(sentences):
        forms = [words[i] for i in rng.integers(len(words), size=rng.integers(1, longest + 1))]
        noisy = [labels[rng.integers(len(labels))] if rng.random() < 0.3 else home[word] for word in forms]
        made.append(Sentence({"form": forms, "pos": [w[:1].upper() for w in forms], "label": noisy}))
    return made


# Training is tested with node features only, transitions, second order, and observed edges and trigrams.
TEMPLATE_SETS: dict[str, tuple[str, ...]] = {
    "order 0": ("form[0]", "form[-1] form[0]", "suffix1[1]", "bias"),
    "order 1": ("form[0]", "pos[-1]", "bias * y-1 y0"),
    "order 2": ("form[0]", "prefix1[0]", "bias * y-1 y0", "bias * y-2 y-1 y0"),
    "trigrams without edges": ("form[0]", "bias * y-2 y-1 y0"),
    "observed edges": ("form[0]", "pos[0] * y-1 y0"),
    "observed and plain edges": ("form[0]", "form[-1] * y-1 y0", "bias * y-1 y0"),
    "observed trigrams": ("form[0]", "bias * y-1 y0", "pos[0] * y-2 y-1 y0"),
    "all at once": ("form[0]", "pos[0] * y-1 y0", "bias * y-1 y0", "form[0] * y-2 y-1 y0", "bias * y-2 y-1 y0"),
}


def make_recipe(**settings: object) -> Recipe:
    """Return a recipe from keys, with the same checks as recipes in files."""
    return Recipe().replace(settings)


def as_examples(sentences: Sequence[Sentence], templates: Sequence[str]) -> list[Example]:
    """Return the same data in the form of the reference."""
    parsed = parse_all(templates, ["form", "pos", "size", "features"])
    return [(sentence_features(parsed, s.columns), tuple(s.columns["label"])) for s in sentences]


def train(recipe: Recipe, sentences: Sequence[Sentence]) -> Training:
    """Run a training to its end."""
    training = Training(recipe, sentences)
    for _ in training.run():
        pass
    return training


def feature_names(encoder: Encoder) -> dict[tuple[int, int], Feature]:
    """Return every feature of an encoder as the reference writes it, by (order, row)."""
    assert encoder.index is not None
    names = {}
    for i, template in enumerate(encoder.templates):
        values, rows = encoder.index.list(i)
        words = [list(encoder.vocabulary(f)) for f in template.fields]
        for row, numbers in zip(rows.tolist(), values.reshape(len(rows), len(template.fields)).tolist(), strict=True):
            decoded = tuple(_decode(n, encoder.padding, w) for n, w in zip(numbers, words, strict=True))
            assert (template.order, row) not in names
            names[template.order, row] = Feature(template, decoded)
    return names


def _decode(number: int, padding: int, words: Sequence[str]) -> str | Padding:
    if number < padding:
        return Padding(-1 - number)
    if number < 2 * padding:
        return Padding(number - padding + 1)
    return words[number - 2 * padding]


def named_weights(weights: Weights, encoder: Encoder, labels: Sequence[str]) -> dict[LocalFeature, tuple[float, float]]:
    """Return every weight of the core and its running sum, by the name of its feature."""
    found = {}
    names = feature_names(encoder)
    for block in range(5):
        order = block if block < 3 else block - 2
        w, sums = weights.get(block)
        rows, seen = weights.owners(block, np.arange(len(w)))
        for i, (row, ids) in enumerate(zip(rows.tolist(), seen.T.tolist(), strict=True)):
            feature = names[order, row] if block < 3 else Feature(Template((), LATTICE_CONTEXTS[order]))
            key = feature, tuple((*labels, START)[y] for y in ids)
            if w[i] or (len(sums) and sums[i]):
                found[key] = float(w[i]), float(sums[i]) if len(sums) else 0.0
    return found


# Characters that confuse string handling: combining marks, astral planes, joiners, digits of other scripts.
HARD_TEXT = st.text(st.sampled_from("abzAZß1٣-.é́\u0301\u200d😀𝔸ǅ中\u00a0\u2028<>s/"), min_size=1, max_size=6)

BAG: Mapping[str, Attribute] = {
    "letters": list,
    "vowels": lambda value: [c for c in value if c in "aeiou"],
}

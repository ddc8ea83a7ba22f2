"""The two layers of the chunker, and how they are packed into arrays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from typing import Any

import numpy as np
import numpy.typing as npt

from perceptag import _core
from perceptag.errors import ModelError, brief, reading_model
from perceptag.labels.label_set import LabelSet
from perceptag.labels.schemes import Span, spans, spans_to_labels
from perceptag.learn.chunker import Phrase
from perceptag.models.chunker.encoder import ChunkEncoder, Encoded, Vocabularies, make_gazetteer
from perceptag.models.chunker.feature_names import check_keys
from perceptag.models.model import AnyArrays, Arrays, array_of, check_size, check_weights
from perceptag.text.sentence import Sentence

BEGIN, INSIDE = 0, 1  # the functions of the word layer
Functions = tuple[_core.SupportVectors, _core.SupportVectors]  # of words and of phrases
Gazetteer = Mapping[tuple[str, ...], list[int]]


@dataclass(slots=True)
class Layers:
    """Begin and inside classifiers of words, phrase scores for each category, and their features."""

    features: _core.ChunkFeatures
    words: _core.Scorer
    phrases: _core.Scorer
    gazetteer: _core.Gazetteer
    context: str
    outside: tuple[float, float] = (0.0, 0.0)  # what a word outside scores: against phrases, and against the filters

    def recognise(self, x: _core.ChunkSentence) -> _core.Recognition:
        """The best chunking of one sentence: NEch of section 2.2."""
        return _core.recognise(self.features, self.words, self.phrases, self.gazetteer, self.context, x, self.outside)

    def instance(self, x: _core.ChunkSentence, seen: _core.Recognition, s: int, e: int) -> npt.NDArray[np.int32]:
        """The features of a phrase with the left context that it was scored with."""
        left = seen.left(s, e)[: self.features.phrase_window] if self.context != "none" else []
        return self.features.phrase(x, s, e, left, self.gazetteer)

    def recognise_all(self, encoded: Encoded, threads: int = 1) -> list[list[Phrase]]:
        """The best chunkings of many sentences."""
        flat = _core.recognise_all(
            self.features, self.words, self.phrases, self.gazetteer, self.context,
            encoded.tables, encoded.columns, encoded.begin, threads, self.outside,
        )  # fmt: skip
        found: list[list[Phrase]] = [[] for _ in range(len(encoded.begin) - 1)]
        for sentence, s, e, k in flat.reshape(-1, 4).tolist():
            found[sentence].append((s, e, k))
        return found


def gold_phrases(label_set: LabelSet, sentence: Sentence, categories: Mapping[str, int]) -> list[Phrase]:
    """The phrases that the labels of a sentence mark."""
    if not categories:
        return []  # nothing but O
    found = spans(label_set.read(sentence), label_set.inner)
    return [(span.start, span.end - 1, categories[span.label]) for span in found]


def to_labels(label_set: LabelSet, phrases: Sequence[Phrase], length: int, categories: Sequence[str]) -> list[str]:
    """Phrases as the data writes them."""
    if not phrases:
        return ["O"] * length
    return spans_to_labels([Span(s, e + 1, categories[k]) for s, e, k in phrases], length, label_set.outer)


def decoder(vectors: _core.SupportVectors) -> _core.Scorer:
    """Return the fastest of what scores instances alike: weights for degree 1, else the kernel by an inverted index."""
    if vectors.degree == 1:
        return _core.LinearKernel(vectors)
    return _core.DenseIndex(vectors) if vectors.longest <= 255 else vectors


# --- arrays ---


def pack(
    encoder: ChunkEncoder, features: _core.ChunkFeatures, functions: Functions, gazetteer: Gazetteer
) -> tuple[Arrays, dict[str, Any]]:
    """Arrays and facts of a model; `gazetteer` is the complete one."""
    arrays: Arrays = {"keys.words": features.word_keys, "keys.phrases": features.phrase_keys}
    arrays["forms.parents"], arrays["forms.words"] = features.trie
    arrays |= _entry_arrays(gazetteer, encoder.vocabularies.word)
    for name, vocabulary in _stored(encoder.vocabularies).items():
        arrays[f"vocabulary.{name}"] = np.frombuffer("\0".join(vocabulary).encode("utf-8", "surrogatepass"), np.uint8)
    for name, vectors in zip(("words", "phrases"), functions, strict=True):
        arrays |= {f"{name}.{part}": array for part, array in function_arrays(vectors).items() if part != "moments"}
    facts: dict[str, Any] = {
        "kind": "chunker",
        "form": encoder.form,
        "word": encoder.word,
        "further": list(encoder.further),
        "looks_at": list(encoder.columns),
        "functional": sorted(encoder.functional),
        "support_vectors": {"words": len(functions[0]), "phrases": len(functions[1])},
    }
    return arrays, facts


def _stored(vocabularies: Vocabularies) -> dict[str, dict[str, int]]:
    return {"window": vocabularies.window, "inside": vocabularies.inside, "word": vocabularies.word}


def function_arrays(vectors: _core.SupportVectors) -> Arrays:
    """Support vectors as arrays."""
    begin, ids, coefficients, moments = vectors.arrays()
    clock = np.array([vectors.clock])
    return {"begin": begin, "ids": ids, "coefficients": coefficients, "moments": moments, "clock": clock}


def load_function(vectors: _core.SupportVectors, arrays: AnyArrays, prefix: str) -> None:
    """The inverse of `function_arrays`; only training needs the moments."""
    moments = arrays.get(f"{prefix}.moments", np.zeros(0))
    clock = array_of(arrays, f"{prefix}.clock", np.float64)
    if len(clock) != 1:
        raise ModelError(f"array '{prefix}.clock': expected one number, found {len(clock)}")
    begin, ids = array_of(arrays, f"{prefix}.begin", np.uint64), array_of(arrays, f"{prefix}.ids", np.int32)
    coefficients = array_of(arrays, f"{prefix}.coefficients", np.float64)
    check_weights(coefficients, f"{prefix}.coefficients")
    check_size(clock, f"{prefix}.clock")
    with reading_model(f"support vectors of {prefix}"):
        vectors.load(begin, ids, coefficients, moments, float(clock[0]))


def unpack(
    arrays: AnyArrays, facts: Mapping[str, Any], windows: tuple[int, int], degree: int
) -> tuple[ChunkEncoder, Layers, Functions]:
    """The inverse of `pack`. Every number is checked before native code uses it."""
    categories, encoder = _names(facts, "categories"), _encoder(arrays, facts)
    keys = [array_of(arrays, f"keys.{name}", np.uint64) for name in ("words", "phrases")]
    forms = [array_of(arrays, f"forms.{name}", np.int32) for name in ("parents", "words")]
    with reading_model("features"):
        features = _core.ChunkFeatures(*windows)
        features.load(*keys, *forms)
    check_keys(features, encoder.vocabularies, len(categories))
    words = _core.SupportVectors(len(features.word_keys), 2, degree)
    phrases = _core.SupportVectors(len(features.phrase_keys), max(1, len(categories)), degree)
    load_function(words, arrays, "words")
    load_function(phrases, arrays, "phrases")
    entries = stored_entries(arrays, encoder.vocabularies.word, len(categories))
    gazetteer = make_gazetteer(features, encoder.vocabularies.word, entries)
    return encoder, Layers(features, words, phrases, gazetteer, "none"), (words, phrases)


_ENTRIES = ("entries.words", "entries.sizes", "entries.categories", "entries.counts")


def _entry_arrays(gazetteer: Gazetteer, words: Mapping[str, int]) -> Arrays:
    """The numbers of the words of all phrases, how many each has, and the same of their categories."""
    numbers = (
        [words[word] for phrase in gazetteer for word in phrase],
        list(map(len, gazetteer)),
        list(chain.from_iterable(gazetteer.values())),
        list(map(len, gazetteer.values())),
    )
    return {name: np.array(some, np.int32) for name, some in zip(_ENTRIES, numbers, strict=True)}


def stored_entries(arrays: AnyArrays, words: Mapping[str, int], categories: int) -> dict[tuple[str, ...], list[int]]:
    """The gazetteer of a model: phrases of its words, each with the numbers of its categories."""
    numbers, sizes, kinds, counts = (array_of(arrays, name, np.int32) for name in _ENTRIES)
    for name, some, parts, most in (
        ("entries.words", numbers, sizes, len(words)),
        ("entries.categories", kinds, counts, categories),
    ):
        if len(some) and not 0 <= some.min() <= some.max() < most:
            raise ModelError(f"array {name!r}: expected numbers from 0 to {most - 1}, found others")
        if min(parts.tolist(), default=1) < 1 or parts.sum(dtype=np.int64) != len(some):
            raise ModelError(f"array {name!r}: expected {len(some)} numbers in phrases with one or more, found others")
    if len(sizes) != len(counts):
        raise ModelError(f"array 'entries.counts': expected {len(sizes)} numbers, found {len(counts)}")
    names = list(words)
    spelt, all_kinds = (names[number] for number in numbers.tolist()), iter(kinds.tolist())
    return {
        tuple(islice(spelt, size)): list(islice(all_kinds, count))
        for size, count in zip(sizes.tolist(), counts.tolist(), strict=True)
    }


def _encoder(arrays: AnyArrays, facts: Mapping[str, Any]) -> ChunkEncoder:
    vocabularies = Vocabularies()
    for name, vocabulary in _stored(vocabularies).items():
        blob = array_of(arrays, f"vocabulary.{name}", np.uint8).tobytes()
        with reading_model(f"vocabulary {name}"):
            values = blob.decode("utf-8", "surrogatepass").split("\0")  # never empty: b"" is the empty word
        vocabulary.update({value: number for number, value in enumerate(values)})
        if len(vocabulary) != len(values):
            raise ModelError(f"vocabulary {name}: expected different values, found one twice")
    form, word = _names({"columns": [facts.get("form"), facts.get("word")]}, "columns")
    encoder = ChunkEncoder(form, word, _names(facts, "further"), _names(facts, "functional"), vocabularies)
    encoder.freeze()
    if facts.get("looks_at") != list(encoder.columns):
        raise ModelError(f"looks_at: expected {list(encoder.columns)}, found {brief(facts.get('looks_at'))}")
    return encoder


def _names(facts: Mapping[str, Any], key: str) -> list[str]:
    names = facts.get(key)
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise ModelError(f"{key}: expected a list of names, found {brief(names)}")
    return names

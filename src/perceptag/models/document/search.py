"""The labelling of a document from the n-best lists of its sequences, by coordinate ascent.

`DocumentDecoder` searches natively: whole batches of documents, most of them without lists. The functions do the same
with the candidates of one document, for models whose features or candidates the core does not know.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence

from perceptag import _core
from perceptag.arrays import Floats, Ints, np
from perceptag.features.fixed_encoder import FixedEncoder, KnownTypes, TokenTypes
from perceptag.models.document.features import JOINING, CandidateDocument, NonLocal
from perceptag.models.linear.decoder import LinearDecoder
from perceptag.recipe.recipe import Recipe
from perceptag.text.documents import split_documents
from perceptag.text.sentence import Sentence


def scopes(sentences: Sequence[Sentence], recipe: Recipe, problem: str) -> list[list[Sentence]]:
    """What non-local features see at once: whole documents, or single sentences.

    `problem`: the view of the data that the learner says it has.
    """
    return [[sentence] for sentence in sentences] if is_sentence_alone(recipe, problem) else split_documents(sentences)


def is_sentence_alone(recipe: Recipe, problem: str) -> bool:
    """Whether non-local features see single sentences, not whole documents."""
    return recipe.unit == "sentence" and problem == "sequences"


def joined(document: Sequence[Sentence]) -> Sentence:
    """The sentences of a document as one long sentence."""
    names = document[0].columns
    columns = {name: [value for s in document for value in s.columns[name]] for name in names}
    return Sentence(columns, document[0].source, document[0].line, document[0].starts_document)


def ascend(document: CandidateDocument, local: Sequence[Floats], weights: Floats) -> list[int]:
    """Choose a candidate in every sentence by coordinate ascent on local score plus non-local score.

    Starts from the best candidate of every list. A sweep goes through the sentences and chooses the best candidate of
    each, given the others. The search ends when a sweep changes nothing. The result is a local optimum; if the document
    is a single sequence, it is the best of its list (Kazama and Torisawa 2007, equation 1).
    """
    for s in range(len(local)):
        document.choose(s, 0)
    for _ in range(_core.SWEEPS):
        changed = False
        for s, scores in enumerate(local):
            if len(scores) < 2:
                continue
            total = scores + document.scores(s, weights)[: len(scores)]
            best = int(total.argmax())
            if best != document.chosen[s]:
                document.choose(s, best)
                changed = True
        if not changed:
            break
    return list(document.chosen)


def choose(
    features: NonLocal,
    sentences: Sequence[Sentence],
    lists: Sequence[_core.NBest],
    weights: Floats,
    local: Sequence[Floats] | None = None,
) -> CandidateDocument:
    """A document whose candidates are chosen, given the n-best lists of its sequences under the local model.

    `local`: scores of the candidates that replace those of the lists.
    """
    document = features.candidate_document(sentences, [[best[i] for i in range(len(best))] for best in lists])
    ascend(document, [np.array(best.scores) for best in lists] if local is None else local, weights)
    return document


def ranking(document: CandidateDocument, s: int, local: Floats, weights: Floats) -> list[tuple[int, float]]:
    """The candidates of a sequence with their scores under all features, given what is chosen in the other sequences.

    The chosen one comes first, then the others from the best down. It has the highest score, unless the ascent ended
    before it could choose it again (`_core.SWEEPS`).
    """
    total = (local + document.scores(s, weights)[: len(local)]).tolist()
    order = sorted(range(len(total)), key=lambda k: (k != document.chosen[s], -total[k]))
    return [(k, total[k]) for k in order]


def chosen_labels(document: CandidateDocument) -> list[_core.Labels]:
    """The chosen labelling of each sequence of a document."""
    return [labels[k] for labels, k in zip(document.candidates, document.chosen, strict=True)]


class DocumentDecoder:
    """Local weights and the weights of built-in non-local features: read-only, shared by any number of threads."""

    def __init__(self, local: LinearDecoder, features: NonLocal, weights: Floats, n: int) -> None:
        self._local = local
        self._features, self._weights = features, weights
        self._n = n
        self._lock = threading.Lock()
        self._types: KnownTypes | None = None  # the types that the native decoder knows
        self._native: tuple[_core.DocumentDecoder, Sequence[int]] | None = None

    def tag(
        self, found: TokenTypes, begin: Ints, documents: Ints, closed: Ints, encoder: FixedEncoder, threads: int
    ) -> Ints:
        """Label ids of all tokens, as a view of memory.

        `begin` says where sequences begin, `documents` which sequences documents have.
        """
        native, joining = self._decoder_of(found.types)
        tokens = found.tables, found.ids, begin, closed, found.words
        return native.tag(encoder.dictionary, *tokens, documents, joining, threads)[0]

    def forget(self) -> None:
        """Take note that the weights have changed."""
        with self._lock:
            self._types = None

    def _decoder_of(self, types: KnownTypes) -> tuple[_core.DocumentDecoder, Sequence[int]]:
        with self._lock:
            if self._native is None or self._types is not types:
                [predictor] = self._local.predictors_of(types)
                features = self._features
                families = features.family_flags
                weights = self._weights[: features.built_in]
                search = self._n, features.longest
                native = _core.DocumentDecoder(predictor, features.reading, families, weights, features.scale, *search)
                self._native = native, types.words.words([JOINING]).tolist()
                self._types = types
            return self._native

"""Cost grows no faster than linearly with the length of the text, whatever is in it: counted in steps, not in seconds.

Python is counted in lines that run. What the core does with phrases is counted by the core itself; `python -m
benchmarks.text_growth` counts the instructions of everything.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np
import pytest

import perceptag
from perceptag import Sentence, Tagger, _core
from perceptag._core import LONGEST_CHUNK, LONGEST_PHRASE, Labels
from perceptag.errors import DataError, NotOfferedError, SettingError
from perceptag.features.document_columns import read_documents
from perceptag.labels.label_set import LabelSet
from perceptag.labels.schemes import Span
from perceptag.models.chunker.margins import search
from perceptag.models.document.features import FAMILIES, NonLocal
from perceptag.models.document.tagger import NonLocalTagger
from perceptag.models.explanation import LONGEST_COMPARED
from perceptag.models.linear.explain import GlobalSearch
from perceptag.models.linear.tagger import LinearTagger
from perceptag.models.maxent.tagger import MaxentTagger
from perceptag.models.protocol import ABILITIES, ReadyModel
from perceptag.text import read
from reference import chunker as chunker_reference
from steps import ALLOWED, costs_no_more, growth, lines_run

pytestmark = pytest.mark.every

DATA = Path(perceptag.__file__).parent / "data"
RECIPES = {  # one of each kind, and the column that it learns
    "basic-ner": "ner",
    "collins-pos": "pos",
    "crf": "pos",
    "crf-np": "chunk",
    "maxent": "pos",
    "shen-pos": "pos",
    "carreras-ner": "ner",
    "ner": "ner",
    "nonlocal-ner": "ner",
    "kazama-candidate-paper": "ner",
    "rerank-1": "ner",
}
TEXTS: dict[str, Callable[[int], list[list[str]]]] = {
    "one sentence": lambda n: [["Germany"] * n],
    "many sentences": lambda n: [["Germany", "met", "Clinton", "."]] * (n // 4),
}
USES: dict[str, Callable[[ReadyModel, list[Sentence]], object]] = {
    "tag": lambda model, text: model.tag(text),
    "nbest": lambda model, text: model.nbest(text, 3),
    "margins": lambda model, text: model.margins(text),
    "explain": lambda model, text: model.explain(text),
    "marginals": lambda model, text: model.marginals(text),
    "span-marginals": lambda model, text: model.span_marginals(text, [[Span(0, 1, "NP")] for _ in text]),
    "given": lambda model, text: model.tag_given(text, [[None] * len(sentence) for sentence in text]),
}
SHORT = 2 * LONGEST_CHUNK  # tokens: beyond all bounds


def document(words: list[list[str]]) -> list[Sentence]:
    return [
        Sentence(
            {"form": sentence, "pos": ["NNP"] * len(sentence), "chunk": ["I-NP"] * len(sentence)},
            starts_document=i == 0,
        )
        for i, sentence in enumerate(words)
    ]


@pytest.fixture(scope="module", params=RECIPES)
def model(request: pytest.FixtureRequest) -> ReadyModel:
    sentences = list(read(DATA / "train.txt", columns=["form", "pos", "chunk", "ner"]))[:60]
    passes = {} if request.param in ("maxent", "crf", "crf-np") else {"epochs": 1}
    return Tagger(request.param, labels_column=RECIPES[request.param], **passes).fit(sentences).ready_model


@pytest.mark.parametrize("use", USES)
@pytest.mark.parametrize("text", TEXTS)
def test_steps_of_python_grow_linearly(model: ReadyModel, text: str, use: str) -> None:
    if use in ABILITIES and use not in model.offers:
        with pytest.raises(NotOfferedError, match=ABILITIES[use].what):
            USES[use](model, [])
        return
    if use == "span-marginals" and model.model.label_set.inner == "none":
        with pytest.raises(SettingError, match="not spans"):
            USES[use](model, [])
        return
    assert growth(lambda part: USES[use](model, part), lambda n: document(TEXTS[text](n)), SHORT) <= ALLOWED


@pytest.mark.parametrize("text", TEXTS)
def test_labels_alone_are_never_slower_than_labels_with_margins(model: ReadyModel, text: str) -> None:
    sentences = document(TEXTS[text](4 * SHORT))
    uses = {use: partial(USES[use], model, sentences) for use in ("tag", "margins")}
    assert costs_no_more(uses["tag"], uses["margins"], allowed=1.1)
    steps = {use: lines_run(work) for use, work in uses.items()}
    assert steps["tag"] <= steps["margins"]


UNKNOWN = [f"Unknown{i}" for i in range(4_000)]
WORDS: dict[str, Callable[[int], list[list[str]]]] = {
    "one word": lambda n: [["0"] * n],
    "two words": lambda n: [["a", "Germany"] * (n // 2)],
    "unknown words twice": lambda n: [UNKNOWN[: n // 2] * 2],
    "many sentences": lambda n: [["Germany", "met", "Clinton", "."]] * (n // 4),
}
LABELS = LabelSet(("O", "B-PER", "I-PER"), "IOB2", "IOB2", "ner")
CANDIDATES: dict[str, Callable[[int], list[int]]] = {  # label ids of n tokens
    "unlabelled": lambda n: [0] * n,
    "one long mention": lambda n: [1] + [2] * (n - 1),
    "mentions of one word": lambda n: [1] * n,
}


@pytest.mark.parametrize("text", WORDS)
def test_phrases_that_the_core_counts_grow_linearly(text: str) -> None:
    """Two candidates of every sentence, tried once each: at most one step for each phrase that begins at a word."""
    for n in (1_000, 4_000, 8_000):
        sentences = document(WORDS[text](n))
        lists = [
            [Labels(np.array(make(len(sentence)), np.int32)) for make in CANDIDATES.values()] for sentence in sentences
        ]
        trial = NonLocal(LABELS, FAMILIES, own=True).candidate_document(sentences, lists)
        for s in range(len(sentences)):
            trial.choose(s, 0)
        for s in range(len(sentences)):
            trial.scores(s, np.zeros(trial.features.built_in))
        changes = 1 + 2 * (len(CANDIDATES) + 1)  # each counts a sentence in, and all but the first one out before
        assert n < trial._scene.steps <= n * LONGEST_PHRASE * (1 + changes)


def traced_steps(model: LinearTagger | MaxentTagger, words: list[list[str]]) -> int:
    """How far the rivals of all tokens are traced by the core."""
    search, data = model.explainer().search, model.reader.read(document(words))
    corpus, total = model.encoder.encode(data.columns, data.units), 0
    for i, labels in enumerate(search.best(corpus)):
        if isinstance(search, GlobalSearch):
            total += _core.rivals(search.weights, corpus[i], labels, search.dictionary)[1]
        else:
            limits = search.limits, search.dictionary, search.beam
            total += _core.local_rivals(search.weights, corpus[i], labels, *limits)[1]
    return total


@pytest.mark.parametrize("text", ["ordinary", *WORDS])
def test_rivals_are_traced_in_steps_that_grow_linearly(model: ReadyModel, text: str) -> None:
    """Rivals leave the best labelling near their token, and come back to it soon after.

    In a text of repeated words, those of linear models may never do so: they stay below the length of the sequence.
    """
    if not isinstance(model, (LinearTagger, MaxentTagger)):
        assert not hasattr(model, "explainer")
        return
    ordinary = [w for s in read(DATA / "train.txt", columns=["form", "pos", "chunk", "ner"]) for w in s.tokens]
    texts = WORDS | {"ordinary": lambda n: [ordinary[:n]]}
    few, many = (traced_steps(model, texts[text](n)) for n in (SHORT, 4 * SHORT))
    assert few > 0
    if text == "ordinary" or isinstance(model, MaxentTagger):
        assert many <= ALLOWED * 4 * few
    else:
        assert many <= (4 * SHORT) ** 2


def test_phrases_of_a_tagged_text_grow_linearly() -> None:
    sentences = list(read(DATA / "train.txt", columns=["form", "pos", "chunk", "ner"]))[:60]
    ready = Tagger("ner", labels_column="ner", epochs=1).fit(sentences).ready_model
    assert isinstance(ready, NonLocalTagger)
    n = ready.model.recipe.own["nbest_tagging"]
    for make in WORDS.values():
        for tokens in (500, 2_000, 4_000):
            text = document(make(tokens))
            data, encoder, documents = ready.reader.read(text), ready.local.encoder, read_documents(text)
            found = encoder.look_up(data.columns, documents)
            native, joining = ready.decoder._decoder_of(found.types)
            columns = found.tables, found.ids, data.units, np.zeros(0, np.int32), found.words
            _, _, steps = native.tag(None, *columns, documents.documents, joining)
            assert steps <= tokens * LONGEST_PHRASE * (2 + _core.SWEEPS * (2 * n + 6))


@pytest.mark.parametrize("words", [LONGEST_CHUNK - 1, 2 * LONGEST_CHUNK])
def test_a_chunker_looks_at_no_phrase_that_is_too_long(words: int) -> None:
    assert LONGEST_CHUNK == chunker_reference.LONGEST
    yes = [1.0] * words

    def score(s: int, e: int, _: object) -> list[float]:
        return [float((e - s + 1) ** 2)]  # longer phrases are better

    ((value, phrases), *_) = search(yes, yes, score, 1, "none", 0)
    path = chunker_reference.recognise(yes, yes, score)[-1]
    assert (value, phrases) == (path.score, path.phrases)
    assert max(e - s + 1 for s, e, _ in phrases) == min(words, LONGEST_CHUNK)


def test_a_sequence_that_is_too_long_has_no_rivals_and_no_order() -> None:
    sentences = list(read(DATA / "train.txt", columns=["form", "pos", "chunk", "ner"]))[:60]
    whole, alone = (document([["Germany"] * n]) for n in (LONGEST_COMPARED, LONGEST_COMPARED + 1))
    linear, guided = (
        Tagger(recipe, labels_column=RECIPES[recipe], epochs=1).fit(sentences).ready_model
        for recipe in ("basic-ner", "shen-pos")
    )
    assert any(detail.rival for detail in linear.explain(whole)[0].details)
    [explained] = linear.explain(alone)
    assert all(d.rival is None and d.margin is None and d.rival_labels == () for d in explained.details)
    assert [[*explained.labels]] == linear.tag(alone)
    assert len(guided.inference_orders(whole)[0].steps) == LONGEST_COMPARED
    with pytest.raises(DataError, match="order of inference: expected a sequence of at most "):
        guided.inference_orders(alone)

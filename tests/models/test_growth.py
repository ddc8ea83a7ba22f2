"""Cost grows no faster than linearly with the length of the text, whatever is in it: counted in steps, not in seconds.

Python is counted in byte codes. What the core does with phrases is counted by the core itself; `python -m
benchmarks.text_growth` counts the instructions of everything.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np
import pytest

import perceptag
from perceptag import Sentence, Tagger
from perceptag._core import LONGEST_CHUNK, LONGEST_PHRASE, Labels
from perceptag.errors import NotOfferedError
from perceptag.features.document_columns import read_documents
from perceptag.labels.label_set import LabelSet
from perceptag.models.chunker.margins import search
from perceptag.models.document.features import FAMILIES, NonLocal
from perceptag.models.document.tagger import NonLocalTagger
from perceptag.models.guided import explain as guided_explain
from perceptag.models.guided.tagger import GuidedTagger
from perceptag.models.linear import explain as linear_explain
from perceptag.models.protocol import ReadyModel
from perceptag.reference import chunker as chunker_reference
from perceptag.text import read

DATA = Path(perceptag.__file__).parent / "data"
RECIPES = {  # one of each kind, and the column that it learns
    "basic-ner": "ner",
    "crf": "pos",
    "maxent": "pos",
    "shen-pos": "pos",
    "carreras-ner": "ner",
    "ner": "ner",
    "kazama-nonlocal": "ner",
    "rerank-1": "ner",
}
TEXTS: dict[str, Callable[[int], list[list[str]]]] = {
    "one sentence": lambda n: [["Germany"] * n],
    "many sentences": lambda n: [["Germany", "met", "Clinton", "."]] * (n // 4),
}
USES: dict[str, Callable[[ReadyModel, list[Sentence]], object]] = {
    "tag": lambda model, text: model.tag(text),
    "nbest": lambda model, text: model.nbest(text, 3),
    "margins": lambda model, text: model.margins_of_batch(text),
    "explain": lambda model, text: model.explain(text),
}
SHORT = 2 * LONGEST_CHUNK  # tokens: beyond all bounds
TIMES = 4
ALLOWED = 1.3 * TIMES  # fewer phrases end at the first words; a quadratic cost would be 4 times as much


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
    passes = {} if request.param in ("maxent", "crf") else {"epochs": 1}
    return Tagger(request.param, labels_column=RECIPES[request.param], **passes).fit(sentences).ready_model


def byte_codes(work: Callable[[], object]) -> int:
    """How many instructions of Python a call executes."""
    count = 0

    def trace(frame: FrameType, event: str, _: object) -> Callable[..., Any]:
        nonlocal count
        frame.f_trace_opcodes, frame.f_trace_lines = True, False
        count += event == "opcode"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        work()
    finally:
        sys.settrace(before)
    return count


@pytest.mark.parametrize("use", USES)
@pytest.mark.parametrize("text", TEXTS)
def test_steps_of_python_grow_linearly(model: ReadyModel, text: str, use: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (linear_explain, guided_explain):
        monkeypatch.setattr(module, "LONGEST_COMPARED", SHORT // 2)
    if use == "nbest" and isinstance(model, GuidedTagger):
        with pytest.raises(NotOfferedError, match="n-best lists"):
            USES[use](model, [])
        return
    few, many = document(TEXTS[text](SHORT)), document(TEXTS[text](TIMES * SHORT))
    USES[use](model, few)  # what is made once
    steps = [byte_codes(lambda part=part: USES[use](model, part)) for part in (few, many)]
    assert steps[1] <= ALLOWED * steps[0]


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


def test_phrases_of_a_tagged_text_grow_linearly() -> None:
    sentences = list(read(DATA / "train.txt", columns=["form", "pos", "chunk", "ner"]))[:60]
    ready = Tagger("ner", labels_column="ner", epochs=1).fit(sentences).ready_model
    assert isinstance(ready, NonLocalTagger)
    n, sweeps = (ready.model.recipe.own[name] for name in ("nbest_tagging", "sweeps"))
    for make in WORDS.values():
        for tokens in (500, 2_000, 4_000):
            text = document(make(tokens))
            data, encoder, documents = ready.reader.read(text), ready.local.encoder, read_documents(text)
            found = encoder.look_up(data.columns, documents)
            native, joining = ready.decoder._decoder_of(found.types)
            columns = found.tables, found.ids, data.units, np.zeros(0, np.int32), found.words
            _, _, steps = native.tag(None, *columns, documents.documents, joining)
            assert steps <= tokens * LONGEST_PHRASE * (2 + sweeps * (2 * n + 6))


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


def test_a_sequence_that_is_too_long_is_explained_without_rivals(monkeypatch: pytest.MonkeyPatch) -> None:
    sentences = list(read(DATA / "train.txt", columns=["form", "pos", "chunk", "ner"]))[:60]
    tagger = Tagger("basic-ner", labels_column="ner", epochs=1).fit(sentences)
    text = document([["Germany", "met", "Clinton"]])
    [whole] = tagger.ready_model.explain(text)
    monkeypatch.setattr(linear_explain, "LONGEST_COMPARED", 2)
    [alone] = tagger.ready_model.explain(text)
    assert all(detail.rival and detail.margin is not None for detail in whole.details)
    assert all(d.rival is None and d.margin is None and d.rival_labels == () for d in alone.details)
    assert (alone.labels, alone.score) == (whole.labels, whole.score)

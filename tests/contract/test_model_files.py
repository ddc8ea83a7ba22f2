"""The promises of the file of every kind of model: the same again, and damaged or forged ones refused."""

from __future__ import annotations

import copy
import json
import pickle
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from learner_settings import EVERY, SOME, without_labels
from perceptag import ModelError, PerceptagError, Pipeline, Rules, Sentence, Tagger
from perceptag.models.model import HEAVIEST
from perceptag.models.model_file import seal, unseal
from rule_toys import PARIS
from text_toys import shipped_tokenizer
from trained import chunked, trained

every = pytest.mark.parametrize(
    "name", [name if name in SOME else pytest.param(name, marks=pytest.mark.every) for name in EVERY]
)


UNSEEN = [Sentence({"form": ["Qxz😀", "", "the"], "pos": ["???", "", "DT"]}), Sentence({"form": [], "pos": []})]


@pytest.fixture
def chunks() -> list[Sentence]:
    return list(chunked())


@every
def test_a_saved_model_tags_as_before_and_saves_as_before(name, chunks, tmp_path):
    tagger = trained(name)
    first = tagger.save(str(tmp_path / "first"))
    loaded = Tagger.load(str(tmp_path / "first"))
    second = loaded.save(str(tmp_path / "second"))
    assert (tmp_path / "first").read_bytes() == (tmp_path / "second").read_bytes()
    assert first == second
    unseen = without_labels(chunks[40:])
    assert loaded.predict(unseen) == tagger.predict(unseen)


def lemmatizer() -> Tagger:
    data = [Sentence({"form": ["dogs", "barked"], "lemma": ["dog", "bark"]})] * 3
    return Tagger("lemma", epochs=2).fit(data)


FILES: dict[str, Callable[[], Any]] = {
    **{name: lambda name=name: trained(name) for name in SOME},
    "lemmatizer": lemmatizer,
    "tokenizer": shipped_tokenizer,
    "rules": lambda: Pipeline([Rules.parse(PARIS)]),
    "rules in a model": lambda: Pipeline(
        [trained("basic-ner"), Rules.parse(PARIS.replace("ner", "label").replace("PER", "NP"))]
    ),
}


@pytest.mark.parametrize("name", FILES)
def test_a_damaged_file_is_refused(name, tmp_path):
    """Whatever byte is another one, and wherever it ends; the whole file is written again as it was."""
    path = tmp_path / "model"
    made = FILES[name]()
    made.save(path)
    data = path.read_bytes()
    type(made).load(path).save(tmp_path / "again")
    assert (tmp_path / "again").read_bytes() == data
    rng = np.random.default_rng(0)
    for place in {0, 8, len(data) - 1, *rng.integers(len(data), size=20).tolist()}:
        for damaged in (data[:place], data[:place] + bytes([data[place] ^ 4]) + data[place + 1 :]):
            path.write_bytes(damaged)
            with pytest.raises(ModelError):
                type(made).load(path)


def refused(load: Callable[[], Any]) -> bool:
    """Return whether a file is refused; what is taken tags, and any other error would be a traceback."""
    try:
        return not load()
    except PerceptagError:
        return True


ONE_OF_EACH = ("tag dictionary", "voted", "ascent", "guided, IOBES", "rerank-2, constrained", "maxent", "carreras-ner")


@pytest.mark.parametrize("name", [*ONE_OF_EACH, "lemmatizer", "tokenizer"])
def test_arrays_of_another_kind_are_refused_and_other_numbers_are_refused_or_harmless(name, tmp_path, chunks):
    path, made = tmp_path / "model", FILES[name]()
    made.save(path)
    data, sentences = path.read_bytes(), [*UNSEEN, *without_labels(chunks[50:53])]

    def load(arrays: dict[str, Any]) -> int:
        path.write_bytes(seal(arrays, "model")[0])
        loaded = type(made).load(path)
        return len(loaded("The dog. It ran.") if name == "tokenizer" else loaded.predict(sentences))

    arrays = {key: array.copy() for key, array in unseal(data, "model").items()}
    assert load(arrays)
    for key in arrays.keys() - {"json"}:
        array = arrays[key]
        if not key.startswith(("gazetteer.", "lists.")):  # named by the user: a model may have none
            assert refused(lambda key=key: load({k: v for k, v in arrays.items() if k != key})), key
        wrong = [np.zeros(array.shape, np.float16), array.reshape(*array.shape, 1)]
        if array.dtype.kind == "f" and array.size:
            wrong += [np.full_like(array, value) for value in (np.nan, np.inf)]
        for other in wrong:
            assert refused(lambda key=key, other=other: load(arrays | {key: other})), (key, other.dtype, other.shape)
        for other in (
            array[:0],
            array[:-1],
            array[::-1].copy(),
            np.concatenate([array, array[-1:]]),
            array * 0,
            array + 7,
        ):
            refused(lambda key=key, other=other: load(arrays | {key: other}))


def with_weights(tagger: Tagger, size: float) -> Tagger:
    """Return a tagger whose weights, whatever they are called, are all as large as this, with signs at random."""
    model, signs = tagger.model_, np.random.default_rng(0)
    arrays = {
        name: (size * signs.choice([-1, 1], array.shape)).astype(array.dtype)
        for name, array in dict(model.arrays).items()
        if "weights" in name or "coefficients" in name
    }
    assert arrays
    facts = model.facts | ({"score_weight": -size} if "score_weight" in model.facts else {})
    changed = pickle.loads(pickle.dumps(tagger))
    changed.model_ = replace(model, arrays={**model.arrays, **arrays}, facts=facts)
    again: Tagger = pickle.loads(pickle.dumps(changed))  # through its file
    return again


@pytest.mark.parametrize("name", [*ONE_OF_EACH, "crf, second order"])
def test_weights_beyond_reason_are_refused_and_the_largest_lead_to_finite_numbers(name, chunks):
    inputs = without_labels(chunks)[40:50]
    for size in (3e38, 1.001 * HEAVIEST):
        with pytest.raises(ModelError, match="expected finite weights"):
            with_weights(trained(name), size)
    tagger = with_weights(trained(name), HEAVIEST)
    offered = tagger.ready_model.offers
    told = {
        "nbest": tagger.predict_nbest(inputs, 2) if "nbest" in offered else None,
        "marginals": tagger.predict_marginals(inputs) if "marginals" in offered else None,
        "margins": [(m.tokens, [margin for _, margin in m.spans]) for m in tagger.ready_model.margins(inputs)],
        "explained": [e.to_dict() for e in tagger.explain_document(inputs)] if "explain" in offered else None,
        "confidence": tagger.calibrate(inputs, tagger.predict(inputs)).predict_confidence(inputs),
    }
    for what, value in told.items():
        assert json.dumps(value, allow_nan=False), what


MISSING = object()


def places_in(value: Any, place: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the places of all values in JSON, but only of the first one of each list."""
    yield place
    if isinstance(value, dict):
        for key in value:
            yield from places_in(value[key], (*place, key))
    elif isinstance(value, list) and value:
        yield from places_in(value[0], (*place, 0))


@pytest.mark.every
@pytest.mark.parametrize("name", ONE_OF_EACH)
def test_json_of_other_types_is_refused_or_harmless(name, tmp_path, chunks):
    path, made = tmp_path / "model", Tagger(**EVERY[name] | {"epochs": 1}).fit(chunks[:8])
    made.save(path)
    arrays = dict(unseal(path.read_bytes(), "model"))
    about, taken, tried = json.loads(arrays["json"].tobytes()), 0, 0
    for *above, last in (p for p in places_in(about) if p and p[0] in ("facts", "labelling", "columns")):
        for value in (MISSING, None, True, -1, "x", [], [[]], [["a"]], {"a": [1]}, [[["a"], ["0"]]]):
            changed = copy.deepcopy(about)
            place = changed
            for key in above:
                place = place[key]
            place[last] = value
            if value is MISSING:
                del place[last]
            arrays["json"] = np.frombuffer(json.dumps(changed).encode(), np.uint8)
            path.write_bytes(seal(arrays, "model")[0])
            taken += not refused(lambda: len(Tagger.load(path).predict(UNSEEN)))
            tried += 1
    assert 0 < taken < tried / 2

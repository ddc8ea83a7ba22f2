"""Weights of forged models: those beyond reason are refused, and all that are taken lead to finite scores."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import numpy as np
import pytest

from forging import forge
from learner_settings import EVERY, SOME
from perceptag import ModelError, Tagger
from perceptag.errors import NotOfferedError
from perceptag.models import model_file as modelfile
from perceptag.models.model import HEAVIEST
from perceptag.tagger import _restore
from trained import chunked

every_model = pytest.mark.parametrize("name", [name for name in SOME if name != "voted"])  # which has no explanations


@cache
def data_of(name: str) -> bytes:
    """A small model of a learner."""
    return modelfile.to_bytes(Tagger(**{**EVERY[name], "epochs": 1}).fit(list(chunked())[:6]).model_)[0]


def with_weights(data: bytes, size: float) -> bytes:
    """All weights of a model made as large as this, whatever they are called, with signs at random."""
    signs = np.random.default_rng(0)

    def edit(arrays: dict[str, Any], about: dict[str, Any]) -> None:
        names = [n for n in arrays if "weights" in n or "coefficients" in n]
        assert names
        for name in names:
            arrays[name] = (size * signs.choice([-1, 1], arrays[name].shape)).astype(arrays[name].dtype)
        if "score_weight" in about["facts"]:
            about["facts"]["score_weight"] = -size

    return forge(data, edit)


def offered(ask: Any, *arguments: object) -> Any:
    try:
        return ask(*arguments)
    except NotOfferedError:
        return None


@every_model
@pytest.mark.parametrize("size", [3e38, 1.001 * HEAVIEST])
def test_weights_beyond_reason_are_refused(name: str, size: float) -> None:
    with pytest.raises(ModelError, match=r"expected finite weights from -1e\+20 to 1e\+20"):
        _restore({}, with_weights(data_of(name), size))


@every_model
def test_the_largest_weights_lead_to_finite_numbers(name: str) -> None:
    inputs = list(chunked())[6:10]
    tagger = _restore({}, with_weights(data_of(name), HEAVIEST))
    told = {
        "nbest": offered(tagger.predict_nbest, inputs, min(5, tagger.ready_model.most_candidates or 5)),
        "marginals": offered(tagger.predict_marginals, inputs),
        "margins": [(m.tokens, [margin for _, margin in m.spans]) for m in tagger.ready_model.margins(inputs)],
        "explanations": [explanation.to_dict() for explanation in tagger.explain_document(inputs)],
        "confidence": tagger.calibrate(inputs, tagger.predict(inputs)).predict_confidence(inputs),
    }
    for kind, value in told.items():
        assert json.dumps(value, allow_nan=False), kind


def test_a_chunker_that_lies_about_what_it_looks_at() -> None:
    data = data_of("carreras-ner")
    for lie in (3, None, [], ["form"], "form"):
        with pytest.raises(ModelError, match="looks_at: expected "):
            _restore({}, forge(data, lambda _, about, lie=lie: about["facts"].__setitem__("looks_at", lie)))
    assert isinstance(_restore({}, data), Tagger)

"""Weights of forged models: those beyond reason are refused, and all that are taken lead to finite scores."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from command_line import run
from forging import forge
from perceptag import ModelError, Sentence, Tagger
from perceptag.errors import NotOfferedError
from perceptag.models.model import HEAVIEST
from perceptag.tagger import _restore

GOLDEN = sorted((Path(__file__).parent.parent / "golden").glob("*/*.model"))
every_model = pytest.mark.parametrize("path", GOLDEN, ids=[p.stem for p in GOLDEN])


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
def test_weights_beyond_reason_are_refused(path: Path, size: float) -> None:
    with pytest.raises(ModelError, match=r"expected finite weights from -1e\+20 to 1e\+20"):
        _restore({}, with_weights(path.read_bytes(), size))


@every_model
def test_the_largest_weights_lead_to_finite_numbers(path: Path) -> None:
    about = json.loads(path.with_suffix(".json").read_text("utf-8"))
    inputs = [Sentence(columns, starts_document=starts) for columns, starts in about["inputs"]]
    tagger = _restore({}, with_weights(path.read_bytes(), HEAVIEST))
    told = {
        "nbest": offered(tagger.predict_nbest, inputs, min(5, tagger.ready_model.most_candidates or 5)),
        "marginals": offered(tagger.predict_marginals, inputs),
        "margins": [(m.tokens, [margin for _, margin in m.spans]) for m in tagger.ready_model.margins(inputs)],
        "explanations": [explanation.to_dict() for explanation in tagger.explain_document(inputs)],
        "confidence": tagger.calibrate(inputs, tagger.predict(inputs)).predict_confidence(inputs),
    }
    for name, value in told.items():
        assert json.dumps(value, allow_nan=False), name


def test_the_command_line_refuses_them(tmp_path: Path) -> None:
    path = tmp_path / "m"
    path.write_bytes(with_weights(GOLDEN[0].read_bytes(), 3e38))
    named = ("-m", path)
    for words in (("tag", *named), ("eval", *named, "-"), ("explain", *named, "a b"), ("inspect", path)):
        done = run(*words, stdin=b"a b c\n")
        assert (done.status, done.out) == (2, "")
        assert f"{path}: array 'weights.0': expected finite weights" in done.err


def test_a_chunker_that_lies_about_what_it_looks_at() -> None:
    data = next(p for p in GOLDEN if p.stem == "chunker").read_bytes()
    for lie in (3, None, [], ["form"], "form"):
        with pytest.raises(ModelError, match="looks_at: expected "):
            _restore({}, forge(data, lambda _, about, lie=lie: about["facts"].__setitem__("looks_at", lie)))
    assert isinstance(_restore({}, data), Tagger)

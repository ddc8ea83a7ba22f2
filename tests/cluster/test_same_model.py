"""Training on spread data gives what training in memory gives, however the data are cut."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from perceptag import DataError, Sentence, SettingError
from perceptag.engines.threads_engine import ThreadsEngine
from spread_toys import in_memory, in_parts, numbered, spread
from toys import TEMPLATE_SETS, make_recipe

ONE = ThreadsEngine(1)
CHUNKS = ["O", "I-X", "B-X", "I-Y", "S-X", "E-X"]


@st.composite
def corpora(draw: st.DrawFn) -> list[Sentence]:
    """Small corpora with empty sentences, marks of documents, tags or chunks that may break their scheme."""
    labels = draw(st.sampled_from([["D", "N", "V"], CHUNKS[:2], CHUNKS[:4], CHUNKS]))
    found = []
    for n in draw(st.lists(st.integers(0, 4), min_size=1, max_size=14)):
        words = draw(st.lists(st.sampled_from(["the", "dog", "Saw", "x1"]), min_size=n, max_size=n))
        tags = draw(st.lists(st.sampled_from(labels), min_size=n, max_size=n))
        columns = {"form": words, "pos": [w[:1].upper() for w in words], "label": tags}
        found.append(Sentence(columns, starts_document=draw(st.integers(0, 4)) == 0))
    return numbered([*found, Sentence({"form": ["dog"], "pos": ["D"], "label": labels[:1]})])


SETTINGS: list[dict[str, Any]] = [
    {},
    {"shuffle": True, "support": "gold", "cutoff": 2},
    {"tag_dictionary": 2, "support": "all", "cutoff": 3},
    {"labels.scheme": "IOBES", "unit": "document", "shuffle": True},
    {"gazetteer": ["train"], "add": ["gazetteer[0]", "gazetteer_bilu[0]", "gazetteer[-1] form[0]"], "cutoff": 2},
    {"learner": "ascent", "margin": 2, "nbest": 3, "shuffle": True, "nonlocal.scale": 0.3},
    {"learner": "ascent", "margin": 2, "nbest": 3, "unit": "document", "nonlocal.features": ["phrase", "majority"]},
    {"labels.repair": True, "learner": "margin", "margin": 2, "support": "gold"},
    {"dropout": 0.3, "shuffle": True, "support": "gold", "cutoff": 2},
    {"dropout": 0.3, "unit": "document"},
    {"dropout": 0.3, "learner": "ascent", "margin": 2, "nbest": 3, "shuffle": True, "nonlocal.scale": 0.3},
]


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    corpora(),
    st.lists(st.integers(0, 14), max_size=4),
    st.integers(2, 5),
    st.sampled_from(sorted(TEMPLATE_SETS)),
    st.sampled_from(SETTINGS),
)
def test_any_cutting_gives_the_model_of_the_whole(
    sentences: list[Sentence], cuts: list[int], shards: int, templates: str, changed: dict[str, Any]
) -> None:
    recipe = make_recipe(templates=TEMPLATE_SETS[templates], epochs=2, shards=shards).replace(changed)
    try:
        expected: object = in_memory(recipe, sentences)
    except (SettingError, DataError) as error:
        with pytest.raises(type(error)) as found:
            spread(recipe, in_parts(sentences, cuts), ONE)
        assert str(found.value) == str(error)
        return
    assert spread(recipe, in_parts(sentences, cuts), ONE) == expected

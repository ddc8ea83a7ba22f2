"""The predictor, which adds up types, against the plain look-up of every feature."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from perceptag import Sentence, Tagger, _core
from perceptag.models.linear import decoder
from toys import make_recipe

TEMPLATES = (
    "form[0]",
    "form[-2]",
    "form[1]",
    "suffix1[-1]",
    "suffix2[0] prefix1[0]",  # two attributes of one token
    "form[-1] form[0]",
    "form[-1] form[1] form[2]",
    "pos[0]",
    "pos[1]",
    "form[0] pos[0]",  # two columns of one token
    "bias",
    "letters[0]",  # several values
    "letters[1] suffix1[1]",
)
WORDS = st.sampled_from(["a", "ab", "abc", "b", "ba", "new", "never-seen", "Ω"])
SENTENCES = st.lists(st.lists(st.tuples(WORDS, st.sampled_from("XYZ")), min_size=0, max_size=6), min_size=1, max_size=4)


def letters(value: str) -> list[str]:
    return sorted(set(value))


def trained(order: int, support: str, **settings_: object) -> Tagger:
    rng = np.random.default_rng(order)
    plain = ["bias * y-1 y0", "bias * y-2 y-1 y0"][:order]
    observed = ["form[0] * y-1 y0"] if order else []
    data = []
    for _ in range(40):
        n = int(rng.integers(1, 7))
        forms = [str(rng.choice(["a", "ab", "abc", "b", "ba", "cb"])) for _ in range(n)]
        pos = [str(rng.choice(list("XYZ"))) for _ in range(n)]
        label = [f"{p}{len(w) % 2}" for w, p in zip(forms, pos, strict=True)]
        data.append(Sentence({"form": forms, "pos": pos, "label": label}))
    recipe = make_recipe(templates=(*TEMPLATES, *plain, *observed), support=support, epochs=3, **settings_)
    return Tagger(recipe, attributes={"letters": letters}).fit(data)


TAGGERS = {
    (order, support): trained(order, support, tag_dictionary=dictionary)
    for order, support, dictionary in [(0, "gold", 0), (1, "all", 3), (1, "gold", 0), (2, "gold", 3)]
}


def plainly(tagger: Tagger, sentences: list[Sentence]) -> list[int]:
    ready = tagger.ready_model
    data, encoder = ready.reader.read(sentences), ready.encoder
    found, closed = encoder.look_up(data.columns), encoder.find_closed(data.columns)
    weights, dictionary = ready.vectors[0], encoder.dictionary
    return _core.tag(encoder.index, weights, dictionary, found.tables, found.ids, data.units, closed).tolist()


@pytest.mark.parametrize("key", TAGGERS)
@given(rows=SENTENCES)
@settings(deadline=None, max_examples=60)
def test_predictor_equals_plain_look_up(key, rows):
    tagger = TAGGERS[key]
    sentences = [Sentence({"form": [w for w, _ in r], "pos": [p for _, p in r]}) for r in rows]
    names = tagger.model_.label_set.names
    expected = [names[y] for y in plainly(tagger, sentences)]
    assert [y for labels in tagger.predict(sentences) for y in labels] == expected


@pytest.mark.parametrize("memory", [0, 300_000])
def test_types_beyond_the_memory_are_added_up_anew(monkeypatch, memory):
    monkeypatch.setattr(decoder, "MAX_SUMS", memory)
    tagger = trained(1, "gold")
    rng = np.random.default_rng(0)
    sentences = [
        Sentence({"form": [f"w{i}" for i in rng.integers(0, 9000, 50)], "pos": ["X"] * 50}) for _ in range(100)
    ]
    names = tagger.model_.label_set.names
    for threads in (1, 3):
        tagger.threads = threads
        labels = [y for sentence in tagger.predict(sentences) for y in sentence]
        assert labels == [names[y] for y in plainly(tagger, sentences)]

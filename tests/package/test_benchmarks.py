"""The benchmarks measure what they say: the same features, honest arithmetic, failures that are reported."""

from __future__ import annotations

import pytest

from benchmarks import (
    default_rivals,
    languages,
    record,
)
from benchmarks.corpora import prepare
from benchmarks.features import ATTRIBUTES, AttributeMaker
from benchmarks.task import load_task, read_plain
from perceptag.features.attributes import PLAIN
from perceptag.features.template import parse_all
from perceptag.recipe.recipe import load
from reference.features import sentence_features

pytestmark = pytest.mark.every


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("bench")
    prepare(None, made)
    return made


@pytest.mark.parametrize("name", ["ewt", "np"])
def test_strings_are_perceptags_own_features(folder, name):
    """Our features and the strings map one to one, at every token."""
    task = load_task(str(folder / f"{name}.json"))
    templates = [t for t in parse_all(task.templates, task.columns) if not t.is_plain_transition]
    make = AttributeMaker(task.patterns)
    numbers = {t: str(i) for i, t in enumerate(templates)}
    pairs = set()
    for sentence, _ in read_plain(task.train, task.columns):
        ours, theirs = sentence_features(templates, sentence), make(sentence)
        for x, y in zip(ours, theirs, strict=True):
            by_number = {f.split("=", 1)[0]: f for f in y}
            assert len(x) == len(y)
            pairs |= {(str(f), by_number[numbers[f.template]]) for f in x}
    assert len(pairs) == len({a for a, _ in pairs}) == len({b for _, b in pairs}) > 1000


@pytest.mark.parametrize("benchmark", [default_rivals, languages, record])
def test_tables_have_a_place_in_their_pages(benchmark):
    page = benchmark.PAGE.read_text("utf-8")
    assert benchmark.BEGIN in page
    assert benchmark.END in page


@pytest.mark.parametrize("name", list(ATTRIBUTES))
def test_attributes_of_strings_are_perceptags_own(name):
    words = ["U.N.", "-", "3-2", "1990s", "McDonald", "EUR", "ǅ", "12.5", "½", "a", "²", "日本", "Éire", "١/٢"]
    assert [ATTRIBUTES[name](word) for word in words] == [PLAIN[name](word) for word in words]


def test_templates_of_noun_phrases_are_those_of_the_recipe(folder):
    task = load_task(str(folder / "np.json"))
    assert [*task.templates, "bias * y-2 y-1 y0"] == list(load("collins-np").templates)

"""The benchmarks measure what they say: the same features, honest arithmetic, failures that are reported."""

from __future__ import annotations

import pytest

from benchmarks import (
    default_rivals,
    instructions,
    languages,
    record,
    tables,
)
from benchmarks.corpora import prepare
from benchmarks.features import ATTRIBUTES, AttributeMaker
from benchmarks.jobs import Jobs
from benchmarks.rounds import Result
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


def test_children_report_their_figures(folder):
    job = {"do": "fit", "system": "perceptag", "task": str(folder / "np.json"), "passes": 1, "repeats": 1}
    done = Jobs(folder).run(job | {"model": str(folder / "np.model")})
    assert {"train", "passes", "load", "tag"} == set(done["cpu"]) == set(done["wall"])
    assert 0 < done["cpu"]["passes"] <= done["cpu"]["train"]
    assert done["memory"] >= done["memory_before"] > 1e6
    assert done["size"] == (folder / "np.model").stat().st_size
    assert len(done["labels"]) == sum(1 for _ in read_plain(str(folder / "np-dev.txt"), ("form", "pos", "chunk")))


def result(system, cpu, **more):
    return Result("ewt", system, system, "the same", cpu=cpu, wall=cpu, tokens={"dev": 100, "train": 10}, **more)


def test_ratios_are_of_cpu_time_and_of_single_passes():
    base = result("crfsuite", {"train": 6.0, "passes": 4.0, "tag": 1.0}, passes=10)
    mine = result("perceptag", {"train": 2.0, "passes": 1.0, "tag": 0.1}, passes=5)
    assert tables.ratio(base, mine, "train") == "3.0×"
    assert tables.ratio(base, mine, "passes") == "2.0×"
    assert tables.ratio(None, mine, "tag") == ""
    table = tables.task_table([mine, base], "accuracy")
    assert "1,000 tokens/s | 10.0×" in table
    assert tables.remarks([mine, base]) == ["perceptag: 5 passes only"]


DUMP = "desc: Trigger: --dump-after=stage_tag_second\n\nsummary: 1234\nfn=(1)\ntotals: 1234\n"


def test_instruction_counts_are_compared_only_with_like():
    assert instructions.read_dump(DUMP) == ("tag_second", 1234)
    assert instructions.read_dump(DUMP.replace("after", "before")) is None
    record = {"depends on": {"compiler": "12"}, "counts": {"tag": 1000}}
    lines, is_worse = instructions.compare({"depends on": {"compiler": "13"}, "counts": {"tag": 9000}}, record)
    assert not is_worse
    assert "not compared: compiler 12 recorded, 13 here" in lines[0]
    for count, expected in ((1029, "as recorded"), (1031, "MORE"), (900, "record it again")):
        lines, is_worse = instructions.compare({**record, "counts": {"tag": count}}, record)
        assert expected in lines[0]
        assert is_worse == (expected == "MORE")


def test_templates_of_noun_phrases_are_those_of_the_recipe(folder):
    task = load_task(str(folder / "np.json"))
    assert [*task.templates, "bias * y-2 y-1 y0"] == list(load("collins-np").templates)

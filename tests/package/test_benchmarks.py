"""The benchmarks measure what they say: the same features, honest arithmetic, failures that are reported."""

from __future__ import annotations

import json
import sys

import pytest

from benchmarks import (
    default_rivals,
    generate,
    instructions,
    languages,
    machine,
    record,
    report,
    speed,
    systems,
    tables,
)
from benchmarks.__main__ import PAGE
from benchmarks.corpora import POS_TEMPLATES, patterns_of, prepare
from benchmarks.default_rivals import OURS, Row
from benchmarks.features import ATTRIBUTES, AttributeMaker
from benchmarks.growth import Point, fits, linear_fit
from benchmarks.jobs import ROOT, ChildError, Jobs, run
from benchmarks.measure import Clock, calibrate, certainty
from benchmarks.rounds import Result, Rounds
from benchmarks.speed_data import TOKENS, read_rows, write_data
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


def test_words_like_padding_are_not_padding():
    make = AttributeMaker(patterns_of(["form[-1]", "prefix4[0]"], ["form", "label"]))
    (first, _), (_, silent) = make({"form": ["-1", "a"]}), make({"form": ["-1", "a"]})
    assert first[0] != "0=-1"
    assert silent == ["0=-1"]  # no prefix of four letters


@pytest.mark.parametrize("name", list(ATTRIBUTES))
def test_attributes_of_strings_are_perceptags_own(name):
    words = ["U.N.", "-", "3-2", "1990s", "McDonald", "EUR", "ǅ", "12.5", "½", "a", "²", "日本", "Éire", "١/٢"]
    assert [ATTRIBUTES[name](word) for word in words] == [PLAIN[name](word) for word in words]


def test_tasks_come_back_from_their_files(folder):
    tasks = prepare(None, folder)
    assert [load_task(str(folder / f"{t.name}.json")) for t in tasks] == tasks
    assert len(POS_TEMPLATES) == 24 + 1
    assert "too small" in tasks[0].note


def test_children_report_their_figures(folder):
    job = {"do": "fit", "system": "perceptag", "task": str(folder / "np.json"), "passes": 1, "repeats": 1}
    done = Jobs(folder).run(job | {"model": str(folder / "np.model")})
    assert {"train", "passes", "load", "tag"} == set(done["cpu"]) == set(done["wall"])
    assert 0 < done["cpu"]["passes"] <= done["cpu"]["train"]
    assert done["memory"] >= done["memory_before"] > 1e6
    assert done["size"] == (folder / "np.model").stat().st_size
    assert len(done["labels"]) == sum(1 for _ in read_plain(str(folder / "np-dev.txt"), ("form", "pos", "chunk")))


def test_what_a_child_says_when_it_fails_is_kept(folder):
    with pytest.raises(ChildError, match=r"(?s)exit status 3.*so it goes"):
        run([sys.executable, "-c", "import sys; print('so it goes', file=sys.stderr); sys.exit(3)"])
    task = load_task(str(folder / "np.json"))
    result = Result("np", "perceptag", "perceptag", "the same")
    Rounds([task], ["perceptag"], 1, -1, folder).measure(task, "perceptag", result, [])
    assert "epochs: expected a number from 1" in result.failure


def test_a_system_that_is_not_there_is_reported(folder, monkeypatch):
    monkeypatch.setitem(systems.MODULES, "ghost", ("ghost", "no-such-distribution"))
    rounds = Rounds([load_task(str(folder / "np.json"))], ["ghost"], 1, 1, folder)
    (result,) = rounds.run()
    assert "no-such-distribution is not installed" in result.failure
    assert any("no-such-distribution" in note for note in tables.remarks([result]))


def test_clock_keeps_the_best():
    clock = Clock({"work": 0.0}, {"work": 0.0})
    with clock.stage("work"), clock.stage("other"):
        sum(range(1000))
    assert clock.wall["work"] == clock.cpu["work"] == 0.0
    assert clock.wall["other"] > 0


HOLDS_AND_LETS_GO = """
from benchmarks.measure import peak_memory
before = peak_memory()
block = bytearray(b"x") * 100_000_000
del block
print(peak_memory() - before)
"""


def test_peak_memory_has_seen_what_is_gone():
    assert int(run([sys.executable, "-c", HOLDS_AND_LETS_GO])) > 0.9e8


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


def test_ratios_have_a_range_over_rounds():
    base, mine = result("crfsuite", {}, passes=10), result("perceptag", {}, passes=10)
    for slow, fast in ((6.0, 1.0), (6.6, 1.2)):
        base.add({}, {"train": slow})
        mine.add({}, {"train": fast})
    assert tables.ratio(base, mine, "train") == "6.0× (5.0 to 6.6)"
    assert tables.ratio(base, base, "train") == "1.0× (0.9 to 1.1)"
    once = result("chaine", {}, passes=10)
    once.add({}, {"train": 3.0})
    assert tables.ratio(base, once, "train") == "2.0× (2.0 to 2.2)"


def test_a_run_says_how_steady_the_machine_was():
    assert "CPU figures hold; wall times hold" in certainty((0.1, 1.0), (0.105, 1.1))
    shaky = certainty((0.1, 1.0), (0.15, 3.0))
    assert "CPU figures are uncertain by a factor of 1.5" in shaky
    assert "wall times are too long" in shaky
    (cpu, stretch), about = calibrate(), machine.describe()
    assert cpu > 0 and stretch > 0.5
    made = report.Report(about, [], 10, 3, [], certainty=shaky)
    assert shaky in made.summary() and "range over all rounds" in made.summary()


def test_the_version_is_told_with_the_commit():
    """Between two releases the version is that of the last one."""
    about = machine.describe() | {"commit": "0123abcd", "versions": {"perceptag": "0.3.0", "spacy": "3.8.18"}}
    measured = Result("ewt", "perceptag", "perceptag, first order", "")
    assert "Versions: perceptag 0.3.0 at 0123abcd." in report.Report(about, [], 10, 3, [measured]).summary()


def test_lines_are_fitted():
    fit = linear_fit([1, 2, 3], [5.0, 7.0, 9.0])
    assert (fit.slope, fit.intercept, fit.r2) == pytest.approx((2, 3, 1))
    assert linear_fit([1, 2, 3], [0.0, 3.0, 0.0]).r2 == pytest.approx(0)
    points = [Point("perceptag", n, 45, n * n, n, n, 0.0, 100, 10) for n in (1, 2, 4)]
    by_name = {y: drift for _, y, _, drift in fits(points)}
    assert by_name["train"] == pytest.approx(2)  # a square grows per token
    assert by_name["passes"] == pytest.approx(1)


def test_generated_text_is_as_asked():
    made = list(generate.sentences(5000, 7, seed=1))
    assert made == list(generate.sentences(5000, 7, seed=1))
    assert 5000 <= sum(map(len, made)) < 5000 + generate.LONGEST
    assert {y for s in made for _, y in s} == {f"L{i}" for i in range(7)}
    words = [w for s in made for w, _ in s]
    assert 0.1 < len(set(words)) / len(words) < 0.6
    assert len({generate.spell(r, 0) for r in range(5000)}) == 5000


def test_block_of_the_page_is_replaced(tmp_path):
    path = tmp_path / "page.md"
    path.write_text(f"a\n{report.BEGIN}\nold\n{report.END}\nb\n")
    report.into_page("new\n", path)
    assert path.read_text() == f"a\n{report.BEGIN}\nnew\n{report.END}\nb\n"
    path.write_text("nothing\n")
    with pytest.raises(SystemExit, match="expected the lines"):
        report.into_page("new\n", path)


def test_the_page_has_the_block():
    page = (ROOT / PAGE).read_text(encoding="utf-8")
    assert page.count(report.BEGIN) == page.count(report.END) == 1


def test_default_recipes_are_compared_by_speed_and_drawn():
    rows = [
        Row("pos", OURS, "", 95.0, 1, 0.1, 100),
        Row("pos", "NLTK", "", 93.0, 1, 0.5, 100),
        Row("ner", "x", "", failure="gone"),
    ]
    table = default_rivals.table(rows)
    assert "| `pos`: NLTK |  | 93.00 | 1 s | 200 | 5.0× |" in table
    assert "ner" not in table
    assert "NLTK" in default_rivals.picture(rows)


def test_the_page_has_the_block_of_the_defaults():
    page = default_rivals.PAGE.read_text(encoding="utf-8")
    assert page.count(default_rivals.BEGIN) == page.count(default_rivals.END) == 1


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


def test_record_names_every_stage():
    record = json.loads(instructions.RECORD.read_text())
    assert list(record["counts"]) == list(instructions.STAGES)
    assert set(record["depends on"]) == {"valgrind", "machine", "compiler", "libc", "avx2"}


def test_templates_of_noun_phrases_are_those_of_the_recipe(folder):
    task = load_task(str(folder / "np.json"))
    assert [*task.templates, "bias * y-2 y-1 y0"] == list(load("collins-np").templates)


@pytest.mark.parametrize(
    ("name", "now", "end"),
    [
        ("lists", [2.2, 2.0], "1.00  1.00 to 1.10"),
        ("lists", [2.2, 2.4], "1.10  1.10 to 1.20  SLOWER"),
        ("start, memory", [2.2, 2.4], "1.10  1.10 to 1.20  LARGER"),
    ],
)
def test_speed_marks_what_has_become_worse(name, now, end):
    assert speed.row(name, [2.0, 2.0], now).endswith(f" {end}")


def test_the_text_of_speed_has_new_words_in_each_copy(tmp_path):
    write_data(tmp_path / "data", None)
    words = [row[0] for rows in read_rows(tmp_path / "data" / "text.txt", None) for row in rows]
    marked = [row[1] for rows in read_rows(tmp_path / "data" / "text.conllu", "\t") for row in rows]
    assert words == marked
    assert 0 <= len(words) - TOKENS["text"] < 100
    assert len(set(words)) > 15_000

"""The tables of the papers: what they need, what is run, what is shown, what is judged."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from command_line import run as perceptag
from perceptag.errors import DataError, SettingError
from perceptag.recipe.recipe import load
from perceptag.reproduce.corpora import CORPORA, Folder
from perceptag.reproduce.experiment import Experiment, settings
from perceptag.reproduce.report import PAPERS, ReproductionReport, make_report, wanted
from perceptag.reproduce.results import PassScores, Result, Results, RunScores, Variant
from perceptag.reproduce.run import run
from perceptag.reproduce.schedule import RunOutcomes, carry_out, missing_data, needed
from perceptag.reproduce.statements import (
    FAILS,
    HOLDS,
    NOT_RUN,
    UNDECIDED,
    Alike,
    Better,
    Faster,
    GoldPart,
    Higher,
    NotComparable,
    Rises,
    Settles,
    Steadier,
)
from perceptag.reproduce.tables import Figure, PaperRow, PaperTable, dev_score
from perceptag.reproduce.views import view_table
from perceptag.text import Sentence, write_columns

pytestmark = pytest.mark.every

ALL_RUNS = wanted(list(PAPERS)).experiments() + wanted(["kazama2007"], published=True).experiments()
SMALL = Experiment("ner", "basic-ner", settings(epochs=3), settings(epochs=2))
NEWS = Folder("shipped")
SILENT = {"jobs": 1, "say": lambda _: None}


def report_of(paper: str, out: Path, *, quick: bool = True, table: str = "") -> ReproductionReport:
    return make_report(wanted([paper], quick=quick, table=table), NEWS, out, quick=quick, **SILENT)


VARIANT = Variant(RunScores("f1", 2.0, (1.0, 3.0), {}), None, [["A"]])


def a_result(predicted: list[list[str]] | None = None, **changes: object) -> Result:
    scores = RunScores("accuracy", 90.0, (89.0, 91.0), {})
    values: dict[str, object] = {
        "key": "k",
        "recipe": {},
        "dev": scores,
        "test": None,
        "final": None,
        "variants": {},
        "curve": [PassScores(1, 80.0, 81.0), PassScores(2, 82.0, 83.0)],
        "best_epoch": 2,
        "cpu_seconds": 1.0,
        "sha256": "0" * 64,
        "predicted": predicted or [],
    }
    return Result(**(values | changes))  # type: ignore[arg-type]


# --- what is wanted ---


@pytest.mark.parametrize("quick", [True, False])
def test_every_run_of_every_table_is_a_valid_recipe(quick):
    assert len(set(ALL_RUNS)) > 40
    for experiment in ALL_RUNS:
        assert experiment.configured(quick, CORPORA[experiment.data].label).learner


# --- corpora ---


def test_corpora_are_found_by_name_anywhere_below_the_folder(tmp_path: Path):
    deep = tmp_path / "a" / "conll2000"
    deep.mkdir(parents=True)
    sentences = [Sentence({"form": [f"w{i}"], "pos": ["NN"], "chunk": ["B-NP"]}) for i in range(20)]
    write_columns(sentences, deep / "train.txt")
    folder = Folder(str(tmp_path))
    parts = folder.load(CORPORA["np"])
    assert (len(parts.train), len(parts.dev), parts.test) == (18, 2, None)
    assert parts.all_training() == sentences
    assert len(folder.load(CORPORA["np"], quick=True).train) == 4
    assert not folder.missing(CORPORA["np"])


def test_what_is_missing_is_named(tmp_path: Path):
    (tmp_path / "eng.train").write_text("")
    folder = Folder(str(tmp_path))
    assert f"no eng.testa under {tmp_path}" in folder.missing(CORPORA["ner"])
    assert "no esp.train and no esp.testa" in folder.missing(CORPORA["es"])
    with pytest.raises(DataError, match="expected a folder with corpora, or 'shipped'"):
        Folder(str(tmp_path / "none"))


# --- runs ---


def test_test_sets_variants_and_final_models_are_measured(tmp_path: Path):
    experiment = Experiment(
        "ner", "basic-ner", settings(epochs=2), variants=(("epochs", (7,)),), final="all"
    )  # a key that tagging does not look at: the same score
    result = run(experiment, NEWS, tmp_path, quick=False)
    assert result.test is not None and result.final is not None
    assert result.variants == {"epochs=7": Variant(result.dev, result.test, result.predicted, result.predicted_test)}
    assert result.final == result.test, "the shipped corpus has a dev set of its own"


def test_results_are_read_back(tmp_path: Path):
    result = a_result(
        [["A", "B"]], test=RunScores("f1", 1.0, (0.5, 1.5), {"LOC": (1.0, 2.0, 3.0)}), variants={"n=2": VARIANT}
    )
    Results(tmp_path).put(result)
    assert Results(tmp_path).get("k") == result
    assert Results(tmp_path).get("other") is None
    (tmp_path / "k.json").write_text("{}")
    with pytest.raises(DataError, match=r"k\.json: expected a result of an earlier run, found another file"):
        Results(tmp_path).get("k")


def test_what_fails_does_not_stop_the_others(tmp_path: Path):
    bad = Experiment("ner", "basic-ner", settings(templates=("nothing[0]",)))
    absent = Experiment("es", "basic-ner")
    said: list[str] = []
    shown: list[tuple[int, ...]] = []
    told = {"say": said.append, "progress": lambda *done: shown.append(done)}
    outcome = carry_out([bad, SMALL, absent], NEWS, tmp_path, quick=True, jobs=1, **told)
    assert shown == [(0, 2), (1, 2), (2, 2)]
    assert list(outcome.found) == [SMALL]
    assert "nothing" in outcome.failed[bad] and "has no such data" in outcome.skipped[absent]
    assert len(said) == 2 and said[-1].startswith("[2/2]") and "left)" in said[-1]


# --- tables ---


def test_seeds_are_averaged_and_what_is_missing_is_said():
    runs = tuple(SMALL.with_order(seed) for seed in (0, 1))
    scores = [RunScores("accuracy", s, (0.0, 1.0), {}) for s in (90.0, 92.0)]
    outcome = RunOutcomes({r: a_result(dev=s) for r, s in zip(runs, scores, strict=True)})
    absent = Experiment("es", "basic-ner")
    outcome.skipped[absent] = "no data"
    table = PaperTable(
        "p",
        "t",
        ("F",),
        (
            PaperRow("seeds", (Figure("1.0", runs, dev_score),)),
            PaperRow("absent", (Figure("2.0", (absent,), dev_score),)),
            PaperRow("cited", (Figure("3.0", missing="cited"),)),
        ),
    )
    view = view_table(table, outcome)
    assert view.head == ["", "F, paper", "F, ours", "CPU seconds"]
    assert view.rows == [["seeds", "1.0", "91.00 ± 1.41", "1"], ["absent", "2.0", "–", "–"], ["cited", "3.0", "–", "–"]]
    assert view.notes == ["– no data", "– cited"]


def test_a_grid_is_run_value_by_value_and_the_best_on_dev_is_shown(tmp_path: Path):
    experiment = Experiment("ner", "basic-ner", settings(epochs=1), settings(epochs=1), grid=("cutoff", (0, 100)))
    table = PaperTable("p", "t", ("F",), (PaperRow("tuned", (Figure("", (experiment,), dev_score),)),))
    outcome = carry_out([experiment], NEWS, tmp_path, quick=False, jobs=1, say=lambda _: None)
    found = {e.describe(False): r for e, r in outcome.found.items() if e.grid is None}
    assert list(found) == ["cutoff=0, epochs=1", "cutoff=100, epochs=1"]
    assert outcome.found[experiment] == found["cutoff=0, epochs=1"]
    assert found["cutoff=0, epochs=1"].dev.score > found["cutoff=100, epochs=1"].dev.score
    assert "Chosen on dev, cutoff from 0, 100. tuned: 0." in view_table(table, outcome).notes
    quick = carry_out([experiment], NEWS, tmp_path, quick=True, jobs=1, say=lambda _: None)
    assert len([e for e in quick.found if e.grid is None]) == 1
    assert not any("Chosen" in note for note in view_table(table, quick).notes)


# --- statements ---

GOLD = GoldPart([["A"]] * 100, list(range(100)))
A, B = SMALL.with_order(1), SMALL.with_order(2)


def labels(right: int) -> list[list[str]]:
    return [["A"]] * right + [["B"]] * (100 - right)


@pytest.mark.parametrize(
    ("right", "wrong", "verdict"), [(90, 50, HOLDS), (50, 90, FAILS), (51, 50, UNDECIDED), (50, 50, UNDECIDED)]
)
def test_better_is_judged_by_intervals(right, wrong, verdict):
    found = {A: a_result(labels(right)), B: a_result(labels(wrong))}
    judged = Better("p", "t", "q", (A,), (B,)).judge(found, lambda *_: GOLD)
    assert judged.verdict == verdict
    assert f"{right - wrong:+.2f} points" in judged.detail


def test_a_statement_without_its_runs_is_not_judged():
    for statement in [s for m in PAPERS.values() for s in m.statements()]:
        assert statement.judge({}, lambda *_: GOLD).verdict == NOT_RUN


def test_steadier_faster_rises():
    calm = [PassScores(i, 0.0, 90.0) for i in range(8)]
    wild = [PassScores(i, 0.0, 90.0 + i % 2) for i in range(8)]
    found = {A: a_result(curve=calm), B: a_result(curve=wild)}
    assert Steadier("p", "t", "q", (A,), (B,)).judge(found, lambda *_: GOLD).verdict == HOLDS
    assert Steadier("p", "t", "q", (B,), (A,)).judge(found, lambda *_: GOLD).verdict == FAILS
    short = {A: a_result(), B: a_result()}
    assert Steadier("p", "t", "q", (A,), (B,)).judge(short, lambda *_: GOLD).verdict == UNDECIDED
    for fast, verdict in ((1.0, HOLDS), (9.0, UNDECIDED), (40.0, FAILS)):
        times = {A: a_result(cpu_seconds=fast), B: a_result(cpu_seconds=10.0)}
        assert Faster("p", "t", "q", A, B).judge(times, lambda *_: GOLD).verdict == verdict
    for high, verdict in ((90, HOLDS), (51, UNDECIDED), (20, FAILS)):
        variants = {name: Variant(VARIANT.dev, None, labels(right)) for name, right in (("n=1", 50), ("n=9", high))}
        judged = Rises("p", "t", "q", (A,), "n=1", "n=9").judge({A: a_result(variants=variants)}, lambda *_: GOLD)
        assert judged.verdict == verdict
        assert judged.detail.startswith(f"n=1 to n=9: {high - 50:+.2f} points")


# --- the report ---


class Counter(HTMLParser):
    """Counts tags, and refuses those that are not closed."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: dict[str, int] = {}
        self.outside: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen[tag] = self.seen.get(tag, 0) + 1
        self.outside += [v for k, v in attrs if k in ("src", "href") and v and not v.startswith("#")]
        if tag != "meta":
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen[tag] = self.seen.get(tag, 0) + 1

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> ReproductionReport:
    return report_of("carreras2003", tmp_path_factory.mktemp("report"))


def test_the_report_is_whole_and_stands_alone(report: ReproductionReport):
    parser = Counter()
    text = report.path.read_text(encoding="utf-8")
    parser.feed(text)
    assert parser.open == [] and parser.outside == []
    assert "@media print" in text and "table.stack" in text, "both styles are in the file"
    assert parser.seen["h3"] == 1 + len(report.sections[0].tables) == 9
    assert text.index("Statements that hold here") < text.index("Table 1: English, dev"), "the verdicts come first"
    assert "indicative: undecided" in text
    for departure in PAPERS["carreras2003"].DEPARTURES:
        assert departure.split(" (")[0] in text
    keys = {row["key"] for row in report.to_dict()["runs"]}
    linked = set(re.findall(r'href="#run-(\w+)"', text))
    assert linked and linked <= keys == set(re.findall(r'id="run-(\w+)"', text))


def test_the_report_has_numbers_for_programs(report: ReproductionReport):
    data = json.loads(report.path.with_name("report.json").read_text())
    overall = data["tables"]["carreras2003"][0]["rows"][-1]
    assert overall["name"] == "overall"
    f1 = overall["figures"][2]
    assert (f1["column"], f1["paper"]) == ("F", 89.26)
    assert f1["ours"]["interval"][0] < f1["ours"]["mean"] == f1["ours"]["values"][0] < f1["ours"]["interval"][1]
    assert overall["command"].startswith("perceptag reproduce carreras2003 --data DIR --table")
    assert overall["runs"][0] in {run["key"] for run in data["runs"]}
    assert {row["verdict"] for row in data["statements"]} <= {HOLDS, FAILS, UNDECIDED, NOT_RUN}
    assert all(row["indicative"] and row["quote"] for row in data["statements"])
    assert report.facts["data"] == "shipped: the perceptag news corpus, which comes with the package"
    assert "274 sentences, 5,074 tokens, digest" in report.facts["data: ner"]
    assert "licence: MIT" in report.facts["data: ner"]
    assert report.facts["kind of run"] == "quick: few passes, one training order"
    assert "numpy" in report.facts["libraries"] and "cores" in report.facts["machine"]


def test_the_command_says_what_it_lacks(tmp_path: Path):
    done = perceptag("reproduce", "collins2002", "--data", tmp_path, "--output", tmp_path / "out")
    assert done.status == 1
    assert f"no conll2000/train.txt under {tmp_path}" in done.err
    assert "93.53" in done.out, "the paper's figures are shown all the same"
    assert perceptag("reproduce", "collins2003", "--data", "shipped").status == 2
    assert perceptag("reproduce", "shen2007", "--data", tmp_path / "none", "--output", tmp_path / "new").status == 2
    done = perceptag("reproduce", "shen2007", "--data", "shipped", "--output", tmp_path / "new", "-j", -1)
    assert done.status == 2
    assert "--jobs: expected" in done.err
    assert not (tmp_path / "new").exists()


# --- protocols ---


def test_quick_tables_run_a_part(tmp_path: Path):
    assert [t.title for t in wanted(["kazama2007"], table="table 2").all_tables()] == [
        "Table 2: summary of performance"
    ]
    assert len(wanted(list(PAPERS), table="Table 2").all_tables()) == 2
    some = wanted(["kazama2007"], table="table 2")
    assert 0 < len(some.statements) < len(wanted(["kazama2007"]).statements)
    with pytest.raises(SettingError, match="expected a part of a title, found 'table 9'"):
        wanted(["collins2002"], table="table 9")


# --- statements over orders, parts and documents ---


def test_documents_are_drawn_whole():
    gold = [["A"]] * 100
    better = labels(60)  # all of what is better is in one document of two
    found = {A: a_result(better), B: a_result(labels(50))}
    by_sentence = Better("p", "t", "q", (A,), (B,)).judge(found, lambda *_: GoldPart(gold, list(range(100))))
    by_document = Better("p", "t", "q", (A,), (B,)).judge(found, lambda *_: GoldPart(gold, [0, 50]))
    assert (by_sentence.verdict, by_document.verdict) == (HOLDS, UNDECIDED)
    assert by_document.figures["drawn"] == "documents"


def test_alike_not_comparable_settles_higher():
    def result(right: int) -> Result:
        return a_result(labels(right), dev=RunScores("accuracy", float(right), (right - 1.0, right + 1.0), {}))

    for right, verdict in ((90, HOLDS), (40, FAILS)):
        found = {A: result(90), B: result(right)}
        assert Alike("p", "t", "q", (A,), (B,)).judge(found, lambda *_: GOLD).verdict == verdict
    for wrong, verdict in ((80, HOLDS), (88, FAILS)):
        found = {A: result(90), B: result(wrong)}
        assert NotComparable("p", "t", "q", (A,), (B,)).judge(found, lambda *_: GOLD).verdict == verdict
    for late, verdict in ((90.05, HOLDS), (92.0, FAILS)):
        curve = [PassScores(i, 0.0, 90.0) for i in range(1, 9)] + [PassScores(9, 0.0, late)]
        assert Settles("p", "t", "q", (A,), 8).judge({A: a_result(curve=curve)}, lambda *_: GOLD).verdict == verdict
    assert Settles("p", "t", "q", (A,), 8).judge({A: a_result()}, lambda *_: GOLD).verdict == UNDECIDED
    for high, verdict in ((95, HOLDS), (91, UNDECIDED), (80, FAILS)):
        found = {A: result(high), B: result(90)}
        assert Higher("p", "t", "q", (A, dev_score), (B, dev_score)).judge(found, lambda *_: GOLD).verdict == verdict


# --- plan and export ---


def test_the_plan_counts_each_model_once(tmp_path: Path):
    done = perceptag("reproduce", "all", "--data", "shipped", "--plan", "--quick", "--output", tmp_path / "out")
    assert done.status == 0 and not (tmp_path / "out").exists()
    lines = [line.split() for line in done.out.splitlines() if line.strip()]
    total = next(int(line[1]) for line in lines if line[0] == "all")
    asked = wanted(list(PAPERS), quick=True).experiments()
    assert total == len({r for e in needed(asked) if not missing_data(e, NEWS) for r in e.alternatives(True)})
    assert "the shipped corpus has no such data" in done.out


def test_a_row_is_exported_as_recipe_and_model(tmp_path: Path):
    common = ("reproduce", "shen2007", "--data", "shipped", "--quick", "--output", tmp_path, "-q")
    done = perceptag(*common, "--table", "table 2", "--export", "b")
    assert done.status == 0, done.err
    recipe, model = (Path(line) for line in done.out.split())
    assert load(str(recipe)).templates == load("shen-pos-b").templates
    assert perceptag("inspect", model).status == 0
    assert "there is no row 'x'" in perceptag(*common, "--export", "x").err
    assert "nothing is trained for it" in perceptag(*common, "--export", "Toutanova et al. (2003)").err

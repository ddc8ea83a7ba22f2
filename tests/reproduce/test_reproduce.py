"""The tables of the papers: what they need, what is run, what is shown, what is judged."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from command_line import run as perceptag
from perceptag.cli.reproduce import shown
from perceptag.errors import DataError, SettingError
from perceptag.models.model_file import to_bytes
from perceptag.recipe.recipe import load
from perceptag.reproduce import charts, collins2002, kazama2007, shen2007
from perceptag.reproduce.corpora import CORPORA, Folder
from perceptag.reproduce.experiment import FULL, QUICK, Experiment, TakenSetting, settings
from perceptag.reproduce.report import PAPERS, ReproductionReport, make_report, wanted
from perceptag.reproduce.results import PassScores, Result, Results, RunScores, Variant
from perceptag.reproduce.run import load_parts, prepared, run
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
    unit_starts,
)
from perceptag.reproduce.tables import Figure, PaperRow, PaperTable, dev_error, dev_score, of_type, seconds
from perceptag.reproduce.views import view_table
from perceptag.text import Sentence, write_columns
from perceptag.text.documents import split_documents
from perceptag.training.fit import make_plan

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


def test_quick_runs_are_short():
    passes = {
        e.configured(True, "x").epochs for e in ALL_RUNS if e.recipe not in ("maxent", "crf", "crf-np") and not e.rival
    }
    assert max(passes) <= 12


def test_figures_of_the_papers_are_written_where_the_papers_have_them():
    tables = {t.title: t for m in PAPERS.values() for t in m.tables()}
    figure_4 = {row.name: [f.paper for f in row.figures] for row in tables["Figure 4: dev"].rows}
    assert figure_4["Perc, noavg, cc=5"] == ["91.88", "39", "4.04", "17"]
    overall = tables["Table 1: English, dev"].rows[-1]
    assert [f.paper for f in overall.figures] == ["90.06", "88.47", "89.26"]
    assert len(tables) == sum(len(m.tables()) for m in PAPERS.values()), "titles are unique"


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


def test_quick_data_ends_with_a_document(tmp_path: Path):
    sentences = [
        Sentence({c: ["x"] for c in ("form", "pos", "chunk", "ner")}, starts_document=i % 3 == 0) for i in range(12)
    ]
    for name in ("eng.train", "eng.testa"):
        write_columns(sentences, tmp_path / name)
    assert len(Folder(str(tmp_path)).load(CORPORA["ner"], quick=True).train) == 3


# --- runs ---


def test_a_finished_run_is_not_run_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    first = run(SMALL, NEWS, tmp_path, quick=True)
    assert len(first.curve) == 2 and first.dev.types["overall"][2] == pytest.approx(first.dev.score)
    assert first.curve[first.best_epoch - 1].kept == pytest.approx(first.dev.score, abs=0.01)
    assert all(one.last > 0 for one in first.curve)
    monkeypatch.setattr("perceptag.reproduce.run.make_plan", None)  # would fail if it were called
    assert run(SMALL, NEWS, tmp_path, quick=True) == first
    with pytest.raises(TypeError):
        run(SMALL, NEWS, tmp_path, quick=False)


def test_test_sets_variants_and_final_models_are_measured(tmp_path: Path):
    experiment = Experiment(
        "ner", "basic-ner", settings(epochs=2), variants=(("epochs", (7,)),), final="all"
    )  # a key that tagging does not look at: the same score
    result = run(experiment, NEWS, tmp_path, quick=False)
    assert result.test is not None and result.final is not None
    assert result.variants == {"epochs=7": Variant(result.dev, result.test, result.predicted, result.predicted_test)}
    assert result.final == result.test, "the shipped corpus has a dev set of its own"


def test_retagged_data_has_other_tags_and_the_same_words(tmp_path: Path):
    experiment = Experiment("ner", "basic-ner", settings(epochs=1), tags="other")
    run(experiment, NEWS, tmp_path, quick=True)
    (folder,) = (tmp_path / "retagged").iterdir()
    lines = [line.split() for line in (folder / "dev.txt").read_text().splitlines() if line]
    dev = Folder("shipped").load(CORPORA["ner"]).dev
    assert [w for s in dev for w in s.tokens] == [line[0] for line in lines if line[0] != "-DOCSTART-"]
    assert [t for s in dev for t in s.columns["pos"]] != [line[1] for line in lines if line[0] != "-DOCSTART-"]


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


def test_figures_of_one_seed_have_intervals_and_rows_have_times():
    fast, slow = SMALL.with_order(0), SMALL.with_order(1)
    outcome = RunOutcomes({fast: a_result(test=VARIANT.dev, cpu_seconds=2.4), slow: a_result(cpu_seconds=1234.0)})
    one, two = Figure("", (fast,), dev_error), Figure("", (slow,), dev_score)
    assert view_table(
        PaperTable("p", "t", ("a", "b"), (PaperRow("r", (one, two)), PaperRow("s", (two, two)))), outcome
    ).rows == [
        ["r", "10.00 (9.0–11.0)", "90.00 (89.0–91.0)", "2.4 / 1,234"],
        ["s", "90.00 (89.0–91.0)", "90.00 (89.0–91.0)", "1,234"],
    ]
    alike = view_table(PaperTable("p", "t", ("a",), (PaperRow("r", (one,)), PaperRow("s", (one,)))), outcome)
    assert (alike.head, alike.notes) == (["", "a, ours"], ["2.4 CPU seconds of training"])
    timed = Figure("", (fast,), seconds, digits=0)
    assert view_table(PaperTable("p", "t", ("s",), (PaperRow("r", (timed,)), PaperRow("s", (two,)))), outcome).rows[
        0
    ] == ["r", "2"]


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


def test_a_grid_with_a_value_that_fails_says_why(tmp_path: Path):
    experiment = Experiment("ner", "basic-ner", settings(epochs=1), grid=("cutoff", (0, -1)))
    outcome = carry_out([experiment], NEWS, tmp_path, quick=False, jobs=1, say=lambda _: None)
    assert experiment not in outcome.found
    assert "cutoff" in outcome.reason(experiment)


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


def test_better_counts_spans_where_there_are_spans():
    gold = [["B-X", "I-X", "O"]] * 50
    found = {A: a_result(gold), B: a_result([["B-X", "O", "O"]] * 50)}
    judged = Better("p", "t", "q", (A,), (B,)).judge(found, lambda *_: GoldPart(gold, list(range(50))))
    assert (judged.verdict, judged.detail.split(",")[0]) == (HOLDS, "+100.00 points on dev")


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


def test_on_the_terminal_statements_have_no_quotes(report: ReproductionReport):
    told = shown(report).split("\nStatements of the papers\n")[1].split("\n\n")[0]
    assert "figures" in told and "in the paper" not in told
    rows = report.to_dict()["statements"]
    assert all(row["statement"] in told for row in rows)
    words = [set(" ".join(row[key] for row in rows for key in keys).split()) for keys in (["quote"], ["statement"])]
    assert len((words[0] - words[1]) & set(told.split())) < len(words[0]) // 4, "cells are cut into lines"


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


@pytest.mark.parametrize("paper", PAPERS)
def test_the_shipped_corpus_is_called_what_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, paper: str):
    everything = RunOutcomes({e: a_result() for e in ALL_RUNS})
    monkeypatch.setattr("perceptag.reproduce.report.carry_out", lambda *_, **__: everything)
    monkeypatch.setattr(PAPERS[paper], "statements", lambda _: [])
    report = report_of(paper, tmp_path, quick=False)
    told = [f"{name}: {value}" for name, value in report.facts.items() if name.startswith("data")]
    told += [note for section in report.sections for table in section.tables for note in table.notes]
    assert not [text for text in told if "EWT" in text or "CoNLL" in text]
    for table in report.sections[0].tables:
        assert [note for note in table.notes if note.startswith("Data: the perceptag news corpus")], table.title


def test_data_that_stands_in_for_the_papers_is_told_below_their_tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    line = "1\ta\ta\tX\tNN\t_\t0\troot\t_\t_\n\n"
    for part in ("train", "dev"):
        (tmp_path / f"en_ewt-ud-{part}.conllu").write_text(line * 3)
    monkeypatch.setattr("perceptag.reproduce.report.carry_out", lambda *_, **__: RunOutcomes())
    asked = wanted(["shen2007"], table="table 2")
    report = make_report(asked, Folder(str(tmp_path)), tmp_path / "out", quick=False, **SILENT)
    assert [n for n in report.sections[0].tables[0].notes if n.startswith("POS: UD English EWT in place of the Penn")]


def test_every_paper_has_plots_when_its_runs_are_there():
    found = {e: a_result(variants={f"nbest_tagging={n}": VARIANT for n in (20, 100)}) for e in ALL_RUNS}
    counts = {paper: len(charts.of_paper(paper, found)) for paper in PAPERS}
    assert counts == {"collins2002": 6, "carreras2003": 2, "kazama2007": 3, "shen2007": 6}
    assert all(charts.of_paper(paper, {}) == [] for paper in PAPERS)
    tables = {t.title: t for m in PAPERS.values() for t in m.tables()}
    assert [plot.count("<path d") for plot in charts.of_table(tables["Figure 4: dev"], found)] != []
    assert len(charts.of_table(tables["Figure 4: dev"], found)) == 2, "noun phrases and parts of speech"
    assert charts.of_table(tables["Table 4: related work"], found) == [], "nothing of ours"


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


def test_the_recipes_of_the_papers_are_those_of_the_tables():
    assert {e.recipe for e in collins2002.NP.values()} == {"collins-np", "maxent"}
    assert dict(shen2007.SETS["e"].settings) == {"shuffle": False, "tau": 0}
    assert load(kazama2007.runs().proposed.recipe).margin == 5657
    with pytest.raises(SettingError):
        Experiment("ner", "basic-ner", settings(no_such_key=1)).configured(False, "ner")


# --- protocols ---


def test_quick_runs_of_guided_learning_have_no_margin_and_tables_show_it():
    for guided in {*shen2007.SETS.values(), *shen2007.SEARCHES.values()}:
        assert guided.configured(True, "xpos").own["tau"] == 0
        assert guided.grid == ("tau", (0, 20))
    assert "tau" in {t.title: t for t in shen2007.tables()}["Table 3: search and learning, set E, dev"].columns


def test_the_published_form_is_that_of_the_paper():
    of = kazama2007.runs(published=True)
    margins = (500, 1000, 1414, 2000, 2828, 4000, 5657, 8000, 11313, 16000, 32000)
    for online in (of.local["Margin perceptron"], of.candidate, of.proposed):
        recipe = online.configured(False, "ner")
        assert (online.keep, online.grid) == ("last", ("margin", margins))
        assert (recipe.bpm, recipe.tolerance, recipe.unit, recipe.support) == (10, 1e-4, "document", "all")
    crf = of.local["CRF"]
    assert crf.grid == ("crf_sigma2", (13, 25, 50, 100, 200, 400, 800))
    recipe = crf.configured(False, "ner")
    assert (recipe.support, recipe.cutoff, recipe.templates) == ("all", 2, load("kazama-margin-paper").templates)
    titles = [t.title.split(":")[0] for t in wanted(["kazama2007"], published=True).all_tables()]
    assert titles == [*(f"Table {n}" for n in range(2, 8)), "Section 6.2"]
    assert all(timed.tags == "other" for timed in of.timed.values())


def test_full_runs_have_three_orders_and_quick_runs_one():
    run = Experiment("ner", "basic-ner", settings(epochs=1), grid=("cutoff", (0, 2)))
    first, second, third = FULL.all(run)
    assert first == run and QUICK.all(run) == (run,)
    assert (second.order, third.order) == (1, 2)
    assert second.takes == (TakenSetting("cutoff", run, "cutoff"),) and second.grid is None


def test_other_orders_take_what_the_first_order_chose(tmp_path: Path):
    run_ = Experiment("ner", "basic-ner", settings(epochs=1), grid=("cutoff", (0, 100)))
    outcome = carry_out(FULL.all(run_), NEWS, tmp_path, quick=False, **SILENT)
    assert {outcome.found[r].recipe["cutoff"] for r in FULL.all(run_)} == {0}
    assert len({outcome.found[r].sha256 for r in FULL.all(run_)}) == 3, "another order gives another model"


def test_the_first_model_of_reranking_is_the_margin_perceptron_of_the_table():
    of = kazama2007.runs()
    margin = kazama2007.other_tags(of.local["Margin perceptron"])
    for ranked in of.reranking.values():
        assert ranked.takes == (
            TakenSetting("first_epochs", margin, "best_epoch"),
            TakenSetting("first_margin", margin, "margin"),
        )
        ours, theirs = ranked.configured(False, "ner"), margin.configured(False, "ner")
        for key in ("templates", "unit", "cutoff", "support", "shuffle", "constrain", "labels_scheme", "weights"):
            assert getattr(ours, key) == getattr(theirs, key), key


def test_settings_that_cannot_be_known_are_told(tmp_path: Path):
    absent = Experiment("es", "basic-ner", settings(epochs=1))
    depends = Experiment("ner", "basic-ner", takes=(TakenSetting("epochs", absent, "best_epoch"),))
    outcome = carry_out([depends], NEWS, tmp_path, quick=True, **SILENT)
    assert depends not in outcome.found
    assert "has no such data" in outcome.reason(depends)


def test_without_a_choice_of_pass_training_does_not_see_dev_data(tmp_path: Path):
    last = Experiment("ner", "basic-ner", settings(epochs=3), keep="last")
    result = run(last, NEWS, tmp_path, quick=False)
    assert (result.best_epoch, result.curve) == (3, [])
    recipe, parts, _ = prepared(last, NEWS, tmp_path, quick=False)
    assert result.sha256 == to_bytes(make_plan(recipe, settles=False).train(parts.train).model())[1]


def test_another_order_moves_whole_documents(tmp_path: Path):
    given, moved, again = (load_parts(SMALL.with_order(n), NEWS, tmp_path, quick=True).train for n in (0, 1, 1))
    assert moved == again != given
    documents = [[tuple(s.tokens) for s in d] for d in split_documents(given)]
    assert sorted([[tuple(s.tokens) for s in d] for d in split_documents(moved)]) == sorted(documents)


def test_quick_tables_run_a_part(tmp_path: Path):
    assert [t.title for t in wanted(["kazama2007"], table="table 2").all_tables()] == [
        "Table 2: summary of performance"
    ]
    assert len(wanted(list(PAPERS), table="Table 2").all_tables()) == 2
    some = wanted(["kazama2007"], table="table 2")
    assert 0 < len(some.statements) < len(wanted(["kazama2007"]).statements)
    with pytest.raises(SettingError, match="expected a part of a title, found 'table 9'"):
        wanted(["collins2002"], table="table 9")


@pytest.mark.parametrize("paper", PAPERS)
def test_departures_are_those_of_the_page_of_the_paper(paper: str):
    page = Path(__file__).parents[2] / "docs" / "papers" / f"{paper}.md"
    text = " ".join(page.read_text(encoding="utf-8").replace("`", "").split())
    for departure in PAPERS[paper].DEPARTURES:
        assert departure in text


# --- statements over orders, parts and documents ---


def test_documents_are_drawn_whole():
    gold = [["A"]] * 100
    better = labels(60)  # all of what is better is in one document of two
    found = {A: a_result(better), B: a_result(labels(50))}
    by_sentence = Better("p", "t", "q", (A,), (B,)).judge(found, lambda *_: GoldPart(gold, list(range(100))))
    by_document = Better("p", "t", "q", (A,), (B,)).judge(found, lambda *_: GoldPart(gold, [0, 50]))
    assert (by_sentence.verdict, by_document.verdict) == (HOLDS, UNDECIDED)
    assert by_document.figures["drawn"] == "documents"


def test_orders_are_drawn_too():
    mixed = (labels(90), labels(10))
    found = {A: a_result(mixed[0]), A.with_order(5): a_result(mixed[1]), B: a_result(labels(40))}
    judged = Better("p", "t", "q", (A, A.with_order(5)), (B,)).judge(found, lambda *_: GOLD)
    assert judged.verdict == UNDECIDED, "it depends on the order"
    assert judged.detail.endswith("2 orders") and judged.figures["difference"] == pytest.approx(10)


def test_statements_are_judged_on_test_where_there_is_one():
    score = RunScores("accuracy", 90.0, (89.0, 91.0), {})
    found = {
        A: a_result(labels(10), test=score, predicted_test=labels(90)),
        B: a_result(labels(90), test=score, predicted_test=labels(10)),
    }
    asked: list[str] = []
    judged = Better("p", "t", "q", (A,), (B,)).judge(found, lambda _, part: asked.append(part) or GOLD)
    assert (judged.verdict, asked) == (HOLDS, ["test"])


def test_figures_of_a_type_are_those_of_its_part():
    dev, test = (RunScores("f1", score, (80.0, 90.0), {"LOC": (1.0, 2.0, score)}) for score in (85.0, 86.0))
    result = a_result(dev=dev, test=test)
    assert [of_type(part, "LOC", 2)(result).value for part in ("dev", "test")] == [85.0, 86.0]
    assert of_type("test", "LOC", 2)(a_result(dev=dev)) is None and of_type("dev", "PER", 2)(result) is None


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


def test_error_reductions_are_relative():
    errors = [RunScores("accuracy", score, (0.0, 1.0), {}) for score in (95.0, 90.0)]
    found = {A: a_result(dev=errors[0]), B: a_result(dev=errors[1])}
    ours = Figure("11.9", (A,), dev_error, against=(B,)).ours(found)
    assert ours is not None and ours.mean == pytest.approx(50)
    assert Figure("11.9", (A,), dev_error, against=(SMALL,)).ours(found) is None


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


def test_the_published_form_is_for_one_paper(tmp_path: Path):
    done = perceptag("reproduce", "all", "--data", "shipped", "--as-published", "--output", tmp_path)
    assert done.status == 2 and "expected the paper kazama2007" in done.err
    done = perceptag("reproduce", "kazama2007", "--data", "shipped", "--as-published", "--quick", "--output", tmp_path)
    assert done.status == 2 and "expected one of them" in done.err


def test_the_start_from_runs_is_compared_with_none():
    for published in (False, True):
        of = kazama2007.runs(published)
        for started, plain in of.bpm.values():
            assert (started.configured(False, "ner").bpm, plain.configured(False, "ner").bpm) == (10, 0)
    assert of.bpm["Proposed"][0] == of.proposed, "the published form has the start in table 2 already"


def test_units_are_documents_where_they_are_marked():
    sentences = [Sentence({"form": ["a"]}, starts_document=i in (0, 3)) for i in range(5)]
    assert unit_starts(sentences) == [0, 3]
    assert unit_starts([Sentence({"form": ["a"]}) for _ in range(3)]) == [0, 1, 2]
    report_data = NEWS.load(CORPORA["ner"])
    assert len(unit_starts(report_data.dev)) == 7 < len(report_data.dev)

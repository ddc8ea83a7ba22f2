"""The tables of the papers: what they need, what is run, what is shown, what is judged."""

from __future__ import annotations

import json
from html.parser import HTMLParser
from pathlib import Path

import pytest

from command_line import run as perceptag
from perceptag.errors import DataError, SettingError
from perceptag.recipe.recipe import load
from perceptag.reproduce import charts, collins2002, kazama2007, shen2007
from perceptag.reproduce.corpora import CORPORA, Folder
from perceptag.reproduce.experiment import Experiment, settings
from perceptag.reproduce.report import PAPERS, make_report
from perceptag.reproduce.results import PassScores, Result, Results, RunScores, Variant
from perceptag.reproduce.run import run
from perceptag.reproduce.schedule import RunOutcomes, carry_out
from perceptag.reproduce.statements import FAILS, HOLDS, NOT_RUN, UNDECIDED, Better, Faster, Rises, Steadier
from perceptag.reproduce.tables import Figure, PaperRow, PaperTable, dev_error, dev_score, seconds
from perceptag.reproduce.views import view_table
from perceptag.text import Sentence, write_columns

ALL_RUNS = [e for m in PAPERS.values() for t in m.tables() for e in t.experiments()]
ALL_RUNS += [e for m in PAPERS.values() for s in m.statements() for e in s.experiments()]
SMALL = Experiment("ner", "basic-ner", settings(epochs=3), settings(epochs=2))


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
    passes = {e.configured(True, "x").epochs for e in ALL_RUNS if e.recipe not in ("maxent", "crf", "crf-np")}
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
    first = run(SMALL, "shipped", tmp_path, quick=True)
    assert len(first.curve) == 2 and first.dev.types["overall"][2] == pytest.approx(first.dev.score)
    monkeypatch.setattr("perceptag.reproduce.run.Training", None)  # would fail if it were called
    assert run(SMALL, "shipped", tmp_path, quick=True) == first
    with pytest.raises(TypeError):
        run(SMALL, "shipped", tmp_path, quick=False)


def test_test_sets_variants_and_final_models_are_measured(tmp_path: Path):
    experiment = Experiment(
        "ner", "basic-ner", settings(epochs=2), variants=(("epochs", (7,)),), final="all"
    )  # a key that tagging does not look at: the same score
    result = run(experiment, "shipped", tmp_path, quick=False)
    assert result.test is not None and result.final is not None
    assert result.variants == {"epochs=7": Variant(result.dev, result.test, result.predicted)}


def test_retagged_data_has_other_tags_and_the_same_words(tmp_path: Path):
    experiment = Experiment("ner", "basic-ner", settings(epochs=1), retagged=True)
    run(experiment, "shipped", tmp_path, quick=True)
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
    outcome = carry_out([bad, SMALL, absent], "shipped", tmp_path, quick=True, jobs=1, **told)
    assert shown == [(0, 2), (1, 2), (2, 2)]
    assert list(outcome.found) == [SMALL]
    assert "nothing" in outcome.failed[bad] and "has no such data" in outcome.skipped[absent]
    assert len(said) == 2 and said[-1].startswith("[2/2]") and "left)" in said[-1]


# --- tables ---


def test_seeds_are_averaged_and_what_is_missing_is_said():
    runs = tuple(SMALL.with_seed(seed) for seed in (0, 1))
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
    fast, slow = SMALL.with_seed(0), SMALL.with_seed(1)
    outcome = RunOutcomes({fast: a_result(test=VARIANT.dev, cpu_seconds=2.4), slow: a_result(cpu_seconds=1234.0)})
    one, two = Figure("", (fast,), dev_error), Figure("", (slow,), dev_score)
    assert view_table(
        PaperTable("p", "t", ("a", "b"), (PaperRow("r", (one, two)), PaperRow("s", (two, two)))), outcome
    ).rows == [
        ["r", "10.00 (9.0–11.0)", "90.00 (89.0–91.0)", "2 / 1,234"],
        ["s", "90.00 (89.0–91.0)", "90.00 (89.0–91.0)", "1,234"],
    ]
    alike = view_table(PaperTable("p", "t", ("a",), (PaperRow("r", (one,)), PaperRow("s", (one,)))), outcome)
    assert (alike.head, alike.notes) == (["", "a, ours"], ["2 CPU seconds of training"])
    timed = Figure("", (fast,), seconds, digits=0)
    assert view_table(PaperTable("p", "t", ("s",), (PaperRow("r", (timed,)), PaperRow("s", (two,)))), outcome).rows[
        0
    ] == ["r", "2"]


def test_a_grid_is_run_value_by_value_and_the_best_on_dev_is_shown(tmp_path: Path):
    experiment = Experiment("ner", "basic-ner", settings(epochs=1), settings(epochs=1), grid=("cutoff", (0, 100)))
    table = PaperTable("p", "t", ("F",), (PaperRow("tuned", (Figure("", (experiment,), dev_score),)),))
    outcome = carry_out([experiment], "shipped", tmp_path, quick=False, jobs=1, say=lambda _: None)
    found = {e.describe(False): r for e, r in outcome.found.items() if e.grid is None}
    assert list(found) == ["cutoff=0, epochs=1", "cutoff=100, epochs=1"]
    assert outcome.found[experiment] == found["cutoff=0, epochs=1"]
    assert found["cutoff=0, epochs=1"].dev.score > found["cutoff=100, epochs=1"].dev.score
    assert "Chosen on dev, cutoff from 0, 100. tuned: 0." in view_table(table, outcome).notes
    quick = carry_out([experiment], "shipped", tmp_path, quick=True, jobs=1, say=lambda _: None)
    assert len([e for e in quick.found if e.grid is None]) == 1
    assert not any("Chosen" in note for note in view_table(table, quick).notes)


def test_a_grid_with_a_value_that_fails_says_why(tmp_path: Path):
    experiment = Experiment("ner", "basic-ner", settings(epochs=1), grid=("cutoff", (0, -1)))
    outcome = carry_out([experiment], "shipped", tmp_path, quick=False, jobs=1, say=lambda _: None)
    assert experiment not in outcome.found
    assert "cutoff" in outcome.reason(experiment)


# --- statements ---

GOLD = [["A"]] * 100
A, B = SMALL.with_seed(1), SMALL.with_seed(2)


def labels(right: int) -> list[list[str]]:
    return [["A"]] * right + [["B"]] * (100 - right)


@pytest.mark.parametrize(
    ("right", "wrong", "verdict"), [(90, 50, HOLDS), (50, 90, FAILS), (51, 50, UNDECIDED), (50, 50, UNDECIDED)]
)
def test_better_is_judged_by_intervals(right, wrong, verdict):
    found = {A: a_result(labels(right)), B: a_result(labels(wrong))}
    judged = Better("p", "t", (A,), (B,)).judge(found, lambda _: GOLD)
    assert judged.verdict == verdict
    assert f"{right - wrong:+.2f} points" in judged.detail


def test_better_counts_spans_where_there_are_spans():
    gold = [["B-X", "I-X", "O"]] * 50
    found = {A: a_result(gold), B: a_result([["B-X", "O", "O"]] * 50)}
    judged = Better("p", "t", (A,), (B,)).judge(found, lambda _: gold)
    assert (judged.verdict, judged.detail.split(",")[0]) == (HOLDS, "+100.00 points")


def test_a_statement_without_its_runs_is_not_judged():
    for statement in [s for m in PAPERS.values() for s in m.statements()]:
        assert statement.judge({}, lambda _: GOLD).verdict == NOT_RUN


def test_steadier_faster_rises():
    calm = [PassScores(i, 0.0, 90.0) for i in range(8)]
    wild = [PassScores(i, 0.0, 90.0 + i % 2) for i in range(8)]
    found = {A: a_result(curve=calm), B: a_result(curve=wild)}
    assert Steadier("p", "t", A, B).judge(found, lambda _: GOLD).verdict == HOLDS
    assert Steadier("p", "t", B, A).judge(found, lambda _: GOLD).verdict == FAILS
    short = {A: a_result(), B: a_result()}
    assert Steadier("p", "t", A, B).judge(short, lambda _: GOLD).verdict == UNDECIDED
    for fast, verdict in ((1.0, HOLDS), (9.0, UNDECIDED), (40.0, FAILS)):
        times = {A: a_result(cpu_seconds=fast), B: a_result(cpu_seconds=10.0)}
        assert Faster("p", "t", A, B).judge(times, lambda _: GOLD).verdict == verdict
    for high, verdict in ((90, HOLDS), (51, UNDECIDED), (20, FAILS)):
        variants = {name: Variant(VARIANT.dev, None, labels(right)) for name, right in (("n=1", 50), ("n=9", high))}
        judged = Rises("p", "t", A, "n=1", "n=9").judge({A: a_result(variants=variants)}, lambda _: GOLD)
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


def test_the_report_is_whole_and_stands_alone(tmp_path: Path):
    report = make_report(["carreras2003"], "shipped", tmp_path, quick=True, jobs=2, say=lambda _: None)
    parser = Counter()
    parser.feed(report.path.read_text(encoding="utf-8"))
    assert parser.open == [] and parser.outside == []
    assert "@media print" in report.path.read_text(encoding="utf-8"), "the style is in the file"
    assert parser.seen["svg"] == 1 and parser.seen["h3"] == len(report.sections[0].tables) == 6
    data = json.loads((tmp_path / "report.json").read_text())
    assert data["tables"]["carreras2003"][0]["rows"][-1][0] == "overall"
    assert {row[2] for row in data["statements"]["rows"]} <= {HOLDS, FAILS, UNDECIDED}
    assert report.facts["data"] == "shipped: the perceptag news corpus, which comes with the package"
    assert report.facts["data: ner"].startswith("the perceptag news corpus, which comes with the package; labels: ner;")
    assert report.facts["kind of run"] == "quick: few passes"


@pytest.mark.parametrize("paper", PAPERS)
def test_the_shipped_corpus_is_called_what_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, paper: str):
    everything = RunOutcomes({e: a_result() for e in ALL_RUNS})
    monkeypatch.setattr("perceptag.reproduce.report.carry_out", lambda *_, **__: everything)
    monkeypatch.setattr(PAPERS[paper], "statements", list)
    report = make_report([paper], "shipped", tmp_path, quick=False, jobs=1, say=lambda _: None)
    told = [f"{name}: {value}" for name, value in report.facts.items() if name.startswith("data")]
    told += [note for section in report.sections for table in section.tables for note in table.notes]
    assert not [text for text in told if "EWT" in text or "CoNLL" in text]
    for table in report.sections[0].tables:
        assert [note for note in table.notes if note.startswith("Data: the perceptag news corpus")], table.title


def test_data_that_stands_in_for_the_papers_is_told_below_their_tables():
    outcome = RunOutcomes({})
    figure_4, table_2 = (view_table(m.tables()[0], outcome) for m in (collins2002, shen2007))
    assert [note for note in figure_4.notes if "POS: UD English EWT in place of the Penn Treebank" in note]
    assert [note for note in table_2.notes if note.startswith("UD English EWT dev in place of the Penn Treebank")]


def test_every_paper_has_plots_when_its_runs_are_there():
    found = {e: a_result(variants={f"nbest_tagging={n}": VARIANT for n in (20, 100)}) for e in ALL_RUNS}
    counts = {paper: len(charts.of_paper(paper, found)) for paper in PAPERS}
    assert counts == {"collins2002": 6, "carreras2003": 1, "kazama2007": 3, "shen2007": 5}
    assert all(charts.of_paper(paper, {}) == [] for paper in PAPERS)


def test_the_command_says_what_it_lacks(tmp_path: Path):
    done = perceptag("reproduce", "collins2002", "--data", tmp_path, "--out", tmp_path / "out")
    assert done.status == 1
    assert f"no conll2000/train.txt under {tmp_path}" in done.err
    assert "93.53" in done.out, "the paper's figures are shown all the same"
    assert perceptag("reproduce", "collins2003", "--data", "shipped").status == 2
    assert perceptag("reproduce", "shen2007", "--data", tmp_path / "none", "--out", tmp_path / "new").status == 2
    done = perceptag("reproduce", "shen2007", "--data", "shipped", "--out", tmp_path / "new", "-j", -1)
    assert done.status == 2
    assert "'--jobs'" in done.err
    assert not (tmp_path / "new").exists()


def test_the_recipes_of_the_papers_are_those_of_the_tables():
    assert {e.recipe for e in collins2002.NP.values()} == {"collins-np", "maxent"}
    assert shen2007.SETS["e"][0].settings == (("seed", 0),)
    assert load(kazama2007.PROPOSED.recipe).margin == 5657
    with pytest.raises(SettingError):
        Experiment("ner", "basic-ner", settings(no_such_key=1)).configured(False, "ner")

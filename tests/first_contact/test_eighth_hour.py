"""Data in another span scheme than the model's; messages, files and pages that misled."""

import json
from pathlib import Path

import pytest

from command_line import CORPUS, run, succeed
from perceptag import Tagger, evaluate
from perceptag.evaluation import top_confusions
from perceptag.labels.schemes import convert, keep_types
from perceptag.pipeline.pipeline_file import is_compressed
from perceptag.text.formats import FORMATS

# --- one scheme for gold and predicted labels ---

SPANS = ["B-PER", "I-PER", "O", "B-LOC", "B-LOC"]
NAMES = ["IOB1", "IOB2", "IOBES", "BILOU"]


@pytest.mark.parametrize("gold", NAMES)
@pytest.mark.parametrize("predicted", NAMES)
def test_equal_spans_have_equal_tokens_in_every_scheme(gold: str, predicted: str) -> None:
    sides = [[convert(SPANS, scheme, "IOB2")] for scheme in (gold, predicted)]
    report = evaluate(*sides, tokens=[["a", "b", "c", "d", "e"]], known={"a", "d"}, repair="scheme", bootstrap=0)
    assert (report.f1, report.accuracy) == (100, 100)
    assert report.known is not None and report.known.recall == 100
    assert top_confusions(*sides) == []
    assert ("compared in" in report.render()) == (report.gold_scheme != report.predicted_scheme)


def test_labels_of_no_scheme_are_compared_as_they_are() -> None:
    report = evaluate([["I-PER", "I-PER", "_"]], [["B-PER", "I-PER", "O"]], bootstrap=0)
    assert report.correct_tokens == 2


X = [["Ann", "Lee", "saw", "Rome"], ["Bob", "met", "Eve", "Ray"], ["We", "like", "Oslo", "."]] * 8
Y = [["B-PER", "I-PER", "O", "B-LOC"], ["B-PER", "O", "B-PER", "B-PER"], ["O", "O", "B-LOC", "O"]] * 8


def in_scheme(scheme: str) -> list[list[str]]:
    return [convert(labels, scheme, "IOB2") for labels in Y]


@pytest.mark.parametrize(("mine", "other"), [("IOB2", "IOB1"), ("IOB1", "IOB2"), ("IOB2", "IOBES"), ("IOBES", "IOB2")])
def test_confidence_by_data_in_another_scheme(mine: str, other: str) -> None:
    model = Tagger("ner", epochs=3).fit(X, in_scheme(mine), dev=(X, in_scheme(mine)))
    expected = model.predict_confidence(X[:3])
    assert (
        Tagger("ner", epochs=3).fit(X, in_scheme(mine), dev=(X, in_scheme(other))).predict_confidence(X[:3]) == expected
    )
    assert model.calibrate(X, in_scheme(other)).predict_confidence(X[:3]) == expected
    assert model.reliability(X, in_scheme(other)) == model.reliability(X, in_scheme(mine))
    assert model.calibrate(X, in_scheme(other), beta=1).evaluate(X, in_scheme(other)).accuracy == 100


def write_columns(path: Path, labels: list[list[str]]) -> Path:
    rows = (zip(xs, ys, strict=True) for xs, ys in zip(X, labels, strict=True))
    path.write_text("\n".join("".join(f"{x} {y}\n" for x, y in sentence) for sentence in rows))
    return path


def test_commands_read_gold_labels_of_another_scheme(tmp_path: Path) -> None:
    Tagger("ner", epochs=3).fit(X, Y).save(tmp_path / "a.model")
    gold = write_columns(tmp_path / "gold.txt", in_scheme("IOBES"))
    scored = succeed("eval", "-m", tmp_path / "a.model", gold).out
    assert "accuracy: 100.00%" in scored and "scheme: gold IOBES, predicted IOB2" in scored
    errors = succeed("eval", "--errors", "-m", tmp_path / "a.model", gold, "--json").out
    assert json.loads(errors)["score"]["accuracy"] == 100
    Tagger.load(tmp_path / "a.model").calibrate(X, Y).save(tmp_path / "b.model")
    found = succeed("eval", "-m", tmp_path / "b.model", gold, "--confidence", "--json").out
    assert json.loads(found)["reliability"]["ece"] < 0.1


def test_dev_data_in_another_scheme_with_kept_types() -> None:
    model = Tagger("ner", epochs=3, labels_keep=("PER",)).fit(X, Y, dev=(X, in_scheme("IOBES")))
    assert model.evaluate(X, [keep_types(labels, "PER") for labels in in_scheme("IOBES")]).accuracy == 100


# --- what commands say, and how they name files ---


def fails(*words: object) -> str:
    result = run(*words)
    assert result.status != 0
    return result.err


def test_help_of_tag_names_all_formats_and_columns() -> None:
    shown = " ".join(succeed("tag", "--help").out.split())
    assert f"--to FORMAT {', '.join(FORMATS)};" in shown
    assert "the column of its name (lemma, upos, xpos, feats)" in shown


def test_messages_of_pipeline(tmp_path: Path) -> None:
    Tagger("ner", epochs=1).fit(X, Y).save(tmp_path / "ner.model")
    output = tmp_path / "a.pipeline"
    assert "missing argument: [NAME=]MODEL" in fails("pipeline", "-o", output)
    assert "and --replace ner=" in fails("pipeline", "en", f"ner={tmp_path / 'ner.model'}", "-o", output)
    assert "found 'nerr'; did you mean 'ner'?" in fails("pipeline", "en", "--drop", "nerr", "-o", output)


@pytest.mark.usefixtures("quick_compression")
def test_a_pipeline_made_of_a_compressed_one_is_compressed(tmp_path: Path) -> None:
    succeed("pipeline", "en", "--drop", "ner", "-o", tmp_path / "a.pipeline")
    assert is_compressed(str(tmp_path / "a.pipeline"))
    Tagger("ner", epochs=1).fit(X, Y).save(tmp_path / "ner.model")
    succeed("pipeline", tmp_path / "ner.model", "-o", tmp_path / "b.pipeline")
    assert not is_compressed(str(tmp_path / "b.pipeline"))


def test_files_in_a_folder_have_the_ending_of_their_format(tmp_path: Path) -> None:
    texts = tmp_path / "texts"
    texts.mkdir()
    (texts / "a.txt").write_text("Anna saw Rome.\n")
    assert f"'{texts}/*.txt'" in fails("tag", "-m", "en", "--out-dir", tmp_path / "out", texts)
    for name, ending in {"jsonl": "jsonl", "conllu": "conllu", "inline": "txt"}.items():
        succeed("tag", "-m", "en", "--out-dir", tmp_path / name, texts / "a.txt", "--to", name)
        assert (tmp_path / name / f"a.{ending}").is_file()


def test_tag_writes_no_csv_unless_a_format_is_named(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("Anna saw Rome.\n")
    assert "--to columns" in fails("tag", "-m", "en", tmp_path / "a.txt", "-o", tmp_path / "a.csv")
    succeed("tag", "-m", "en", tmp_path / "a.txt", "-o", tmp_path / "a.csv", "--to", "columns")


def test_export_of_annotate_names_json(tmp_path: Path) -> None:
    assert ".json " in fails("annotate", tmp_path / "a.ptag", "--import", CORPUS / "dev.txt", "--export", "x.csv")

"""``perceptag eval``, with a model and without, and ``compare``."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from command_line import TOY, check, run, succeed, toy_model
from perceptag import evaluate
from perceptag.evaluation.comparison import compare

PREDICTED = TOY.replace("dog NN I-NP", "dog NN B-NP")  # one chunk becomes two


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return toy_model(tmp_path_factory.mktemp("models"))


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    gold, predicted = tmp_path / "gold.txt", tmp_path / "predicted.txt"
    gold.write_text(TOY)
    predicted.write_text(PREDICTED)
    return gold, predicted


def test_eval_prints_conlleval_and_known_words(model: Path, tmp_path: Path) -> None:
    gold = tmp_path / "gold.txt"
    gold.write_text(TOY.replace("cat", "lynx"))
    lines = succeed("eval", "--model", model, gold).out.split("\n")
    assert lines[0] == "processed 8 tokens with 3 phrases; found: 3 phrases; correct: 3."
    assert lines[1] == "accuracy: 100.00%; precision: 100.00%; recall: 100.00%; FB1: 100.00"
    assert "accuracy on known words: 100.00% of 7 tokens" in lines
    assert "accuracy on unknown words: 100.00% of 1 tokens" in lines


def test_eval_json_is_one_object(model: Path, files: tuple[Path, Path]) -> None:
    found = json.loads(succeed("eval", "--model", model, files[1], "--json").out)
    assert found["accuracy"] == 87.5
    assert found["per_type"]["NP"] == {
        "precision": pytest.approx(200 / 3),
        "recall": 50.0,
        "f1": pytest.approx(400 / 7),
        "correct": 2,
        "predicted": 3,
        "gold": 4,
    }
    assert (found["precision"], found["recall"], found["f1"]) == pytest.approx((200 / 3, 50, 400 / 7))


def test_a_rare_unknown_label_counts_as_missed(model: Path, tmp_path: Path) -> None:
    gold = tmp_path / "gold.txt"
    gold.write_text((TOY + "\n") * 20 + "Hm UH B-INTJ\n")
    result = succeed("eval", "-m", model, gold)
    assert f"warning: {gold}:221: unknown label 'B-INTJ'" in result.err
    assert "(1 of 161 tokens have such labels and count as missed)" in result.err
    assert "INTJ: precision:   0.00%; recall:   0.00%" in result.out
    assert succeed("eval", "-m", model, gold, "-q").err == ""


def test_score_two_files_and_one(files: tuple[Path, Path], tmp_path: Path) -> None:
    gold, predicted = files
    two = succeed("eval", gold, predicted).out
    assert two.startswith("processed 8 tokens with 3 phrases; found: 4 phrases; correct: 2.\n")
    both = tmp_path / "both.txt"
    pairs = zip(TOY.split("\n"), PREDICTED.split("\n"), strict=True)
    both.write_text("".join(f"{g} {p.rpartition(' ')[2]}".strip() + "\n" for g, p in pairs))
    assert succeed("eval", both).out == two
    assert succeed("eval", "-", stdin=both.read_bytes()).out == two


def test_failed_check_is_status_1(files: tuple[Path, Path], model: Path) -> None:
    assert run("eval", *files, "--fail-below", 57.1).status == 0
    result = run("eval", *files, "--fail-below", 57.2)
    assert (result.status, result.err) == (1, "perceptag: f1 57.14 is below 57.2\n")
    assert result.out.startswith("processed")
    assert run("eval", "-m", model, files[1], "--fail-below", 99).status == 1
    assert run("compare", files[0], files[0], files[1], "--fail-below", 0).status == 1


def test_compare(files: tuple[Path, Path]) -> None:
    gold, predicted = files
    text = succeed("compare", gold, predicted, gold).out
    assert text.startswith(f"a: {predicted}\nb: {gold}\nFB1: a 57.14, b 100.00; difference +42.86\n")
    found = json.loads(succeed("compare", gold, predicted, gold, "--json").out)
    assert (found["better"], found["worse"], found["equal"], found["rounds"]) == (1, 0, 2, 10_000)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("dog NN", "cow NN"), "{p}:2: expected the token 'dog' of {g}:2, found 'cow'"),
        (("barks VBZ O\n", ""), "{p}:1: expected a sentence of 3 tokens, as at {g}:1, found 2"),
        (
            ("\nDogs NNS B-NP\nbark VBP O\n", ""),
            "{g}:9: expected the same sentences in both files, found one that is not in {p}",
        ),
    ],
)
def test_files_that_do_not_match(files: tuple[Path, Path], change: tuple[str, str], message: str) -> None:
    gold, predicted = files
    predicted.write_text(TOY.replace(*change))
    for words in (("eval", gold, predicted), ("compare", gold, gold, predicted)):
        result = run(*words)
        assert (result.status, result.out) == (2, "")
        assert result.err == f"perceptag: error: {message.format(g=gold, p=predicted)}\n"


CONLLU = "1\tThe\t_\t{}\t{}\t_\t_\t_\t_\t_\n\n"


def test_score_names_the_column_of_conllu(tmp_path: Path) -> None:
    """The gold labels decide which one it is, for all files."""
    gold, xpos_only = tmp_path / "gold.conllu", tmp_path / "b.conllu"
    gold.write_text(CONLLU.format("DET", "DT"))
    xpos_only.write_text(CONLLU.format("_", "DT"))
    for verb, files in (("eval", (gold, xpos_only)), ("compare", (gold, gold, xpos_only))):
        told = succeed(verb, *files, "--json")
        assert told.err == "note: comparing column 'upos'; --label names another\n"
        assert json.loads(told.out).get("accuracy", 0) == 0
        assert succeed(verb, *files, "--label", "xpos", "--json").err == ""
    assert json.loads(succeed("eval", gold, xpos_only, "--label", "xpos", "--json").out)["accuracy"] == 100
    column = tmp_path / "predicted.txt"
    column.write_text("The DET\n")
    assert json.loads(succeed("eval", gold, column, "--json").out)["accuracy"] == 100


def test_score_says_nothing_about_columns_of_column_files(files: tuple[Path, Path]) -> None:
    assert succeed("eval", *files).err == ""


def test_a_file_without_predicted_labels_needs_a_model(files: tuple[Path, Path], tmp_path: Path) -> None:
    words = tmp_path / "words.txt"
    words.write_text("The B-NP\ndog I-NP\n")
    check(run("eval", words), "found 'The', 'B-NP' and no value that is in both; --model names a model")
    for option in ("--strict", "--confidence", "--raw"):
        check(run("eval", *files, option), f"{option}: expected --model, which predicts the labels; found none")
    check(
        run("eval", "-m", "m.model", *files), "expected one file with gold labels, which --model tags; found a second"
    )


def test_an_interval_that_the_p_value_does_not_confirm_is_noted() -> None:
    gold = [["A", "B", "A", "B"] for _ in range(50)]
    for few, is_noted in ((4, True), (12, False)):
        worse = [["A", "B", "A", "A"] if n < few else list(tags) for n, tags in enumerate(gold)]
        assert ("the p-value does not confirm it" in compare(gold, worse, gold, rounds=999).render()) == is_noted


def test_spans_without_a_name_are_shown_with_one_to_people() -> None:
    report = evaluate([["O", "B", "I"]], [["O", "B", "I"]])
    assert "SPAN" in report.render_for_terminal()
    assert "SPAN" not in report.render()  # these are the lines of conlleval, which has no name for it
    assert str(report).startswith("processed 3 tokens")

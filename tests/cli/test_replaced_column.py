"""``perceptag tag``: a column whose values are not labels is not replaced without a word."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from command_line import TOY, check, run, succeed

WORDS = "Hello world\nhow are\nyou today\n\n"  # two words on a line
PATHS = [(), ("--batch", 1), ("--nbest", 2), ("--confidence",)]


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Models of labels of tokens and of chunks; both look at the form only."""
    folder = tmp_path_factory.mktemp("models")
    rows = [line.split() for line in TOY.split("\n")]
    made = {}
    for name, place in (("pos", 1), ("chunk", 2)):
        train, made[name] = folder / f"{name}.txt", folder / f"{name}.model"
        train.write_text("\n".join(f"{row[0]} {row[place]}" if row else "" for row in rows))
        words = ("--train", train, "--dev", train, "-m", made[name], "--epochs", 2, "-q")
        succeed("train", "-r", "collins-pos", *words)
    return made


@pytest.mark.parametrize("way", PATHS, ids=str)
@pytest.mark.parametrize("kind", ["pos", "chunk"])
def test_words_are_not_taken_for_labels(models: dict[str, Path], kind: str, way: tuple[object, ...]) -> None:
    result = run("tag", "-m", models[kind], *way, stdin=WORDS.encode())
    message = (
        r"<stdin>: the labels would replace column 'label', but 3 of its 3 values are not labels of the model, such as "
        r"'world', 'are', 'today'; --columns can .* than 'label', which keeps it, --replace replaces it all the same"
    )
    check(result, message)
    kept = succeed("tag", "-m", models[kind], *way, "--columns", "form,second", stdin=WORDS.encode()).out
    assert [line.split()[:2] for line in kept.split("\n") if line and line[0] != "#"][:3] == [
        ["Hello", "world"],
        ["how", "are"],
        ["you", "today"],
    ]
    replaced = succeed("tag", "-m", models[kind], *way, "--replace", stdin=WORDS.encode()).out
    assert "Hello " in replaced and "world" not in replaced


def test_a_file_is_not_touched(models: dict[str, Path], tmp_path: Path) -> None:
    text, out = tmp_path / "in.txt", tmp_path / "out.txt"
    text.write_text(f"-DOCSTART- -X-\n\n{WORDS}")
    out.write_text("old O\n\n")
    check(run("tag", "-m", models["pos"], text, "-o", out), "in.txt: the labels would replace column 'label'")
    assert out.read_text() == "old O\n\n"


@pytest.mark.parametrize("way", [*PATHS[:2], ("-j", 1), ("-j", 2)], ids=str)
@pytest.mark.parametrize(
    "text",
    [
        "The DT\ndog NN\nxyz FW\n",  # one label that the model does not know
        "The DT\ndog XX\n",
        "The _\ndog _\n",
        "The ?\n",
        "The NONE\ndog NONE\n",  # one value that fills the column
    ],
)
def test_columns_of_labels_are_replaced(models: dict[str, Path], text: str, way: tuple[object, ...]) -> None:
    plain = "".join(f"{line.partition(' ')[0]}\n" for line in text.split("\n"))
    tagged = succeed("tag", "-m", models["pos"], stdin=plain.encode()).out
    assert succeed("tag", "-m", models["pos"], *way, stdin=text.encode()).out == tagged


def test_the_first_block_decides(models: dict[str, Path]) -> None:
    """Sentences that come later are not judged: what was written before them cannot be taken back."""
    text = "The DT\n\n" + WORDS * 3
    assert succeed("tag", "-m", models["pos"], "--batch", 1, stdin=text.encode()).out.count("\n\n") == 4


def test_chunks_of_other_types_are_labels(models: dict[str, Path]) -> None:
    """The model may have been trained on some types, or in another scheme, than the file has."""
    text = "The S-PER\ndog U-LOC\nbarks B-XYZ\nloud E-XYZ\nly L-ORG\n"
    assert succeed("tag", "-m", models["chunk"], stdin=text.encode()).out.count("\n") == 6
    check(run("tag", "-m", models["pos"], stdin=text.encode()), "5 of its 5 values are not labels")


def test_other_formats(models: dict[str, Path]) -> None:
    line = json.dumps({"tokens": ["The", "dog"], "labels": ["first", "second"]}).encode() + b"\n"
    common = ("tag", "-m", models["pos"], "-f", "jsonl")
    check(run(*common, stdin=line), "--label NAME puts the labels into another column, --replace replaces it")
    unlabelled = b"[]\n" + json.dumps(["The", "dog"]).encode() + b"\n"
    labels = json.loads(succeed(*common, stdin=unlabelled).out.split("\n")[1])["labels"]
    kept = json.loads(succeed(*common, "--label", "mine", stdin=line).out)
    assert (kept["labels"], kept["mine"]) == (["first", "second"], labels)
    for way in (("--replace",), ("--label", "label")):  # a column that the user has named is the one that is meant
        assert json.loads(succeed(*common, *way, stdin=line).out)["labels"] == labels

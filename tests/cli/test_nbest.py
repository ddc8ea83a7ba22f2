"""``perceptag tag --nbest`` and `Tagger.predict_nbest`: the lists, and how each format holds them."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from command_line import succeed, toy_model
from document_toys import corpus, document_recipe, write_corpus
from perceptag import Tagger

TEXT = "The DT\ndog NN\n\nCats NNS\n"
ROWS = [{"form": ["The", "dog"], "pos": ["DT", "NN"]}, {"form": ["Cats"], "pos": ["NNS"]}]


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return toy_model(tmp_path_factory.mktemp("models"))


def test_a_block_for_each_candidate(model: Path) -> None:
    lists = Tagger.load(str(model)).predict_nbest(ROWS, 4)
    assert [len(best) for best in lists] == [4, 3]  # one token has three labels
    expected = ""
    for row, best in zip(ROWS, lists, strict=True):
        for k, (labels, score) in enumerate(best):
            lines = [" ".join(token) for token in zip(row["form"], row["pos"], labels, strict=True)]
            expected += f"# {k} {score:.6f}\n" + "\n".join(lines) + "\n\n"
    result = succeed("tag", "-m", model, "--nbest", 4, stdin=TEXT.encode())
    assert result.out == expected
    assert result.err == ""
    assert [labels for (labels, _), *_ in lists] == Tagger.load(str(model)).predict(ROWS)
    for best in lists:
        assert [score for _, score in best] == sorted((score for _, score in best), reverse=True)
        assert len({tuple(labels) for labels, _ in best}) == len(best)


def test_json_lines_hold_a_list(model: Path) -> None:
    line = {"id": 7, "tokens": ["The", "dog"], "pos": ["DT", "NN"], "note": "x"}
    out = succeed("tag", "-m", model, "--nbest", 2, "-f", "jsonl", stdin=json.dumps(line).encode() + b"\n").out
    [best] = Tagger.load(str(model)).predict_nbest(ROWS[:1], 2)
    listed = [{"labels": labels, "score": score} for labels, score in best]
    assert json.loads(out) == line | {"chunk": best[0][0], "nbest": listed}
    assert list(json.loads(out))[-1] == "nbest"
    # The output of a list can be tagged again, with another list.
    again = succeed("tag", "-m", model, "--nbest", 1, "-f", "jsonl", stdin=out.encode()).out
    assert json.loads(again)["nbest"] == listed[:1]
    bare = succeed("tag", "-m", model, "--nbest", 2, "--to", "jsonl", stdin=TEXT.encode()).out.split("\n")[0]
    assert json.loads(bare) == {k: line[k] for k in ("tokens", "pos")} | {"chunk": best[0][0], "nbest": listed}


def test_conllu_holds_comments(tmp_path: Path) -> None:
    model = toy_model(tmp_path, "-r", "collins-pos", "--label", "pos")
    text = "# newdoc\n# sent_id = 1\n1-2\tThedog\t" + "_\t" * 7 + "_\n"
    text += "".join(f"{i}\t{word}\t" + "_\t" * 7 + "_\n" for i, word in enumerate(("The", "dog"), 1)) + "\n"
    out = succeed("tag", "-m", model, "--nbest", 2, "--label", "xpos", "-f", "conllu", stdin=text.encode()).out
    first, second = out.strip("\n").split("\n\n")
    assert first.split("\n")[0] == "# nbest = 0"
    assert re.fullmatch(r"# score = -?[\d.]+", first.split("\n")[1])
    assert first.split("\n")[2:5] == text.split("\n")[:3]
    assert second.split("\n")[0] == "# nbest = 1"
    assert "# newdoc" not in second and "1-2\tThedog" in second
    [best] = Tagger.load(str(model)).predict_nbest([["The", "dog"]], 2)
    for (labels, _), block in zip(best, (first, second), strict=True):
        assert [line.split("\t")[4] for line in block.split("\n") if line[:2] in ("1\t", "2\t")] == labels


# --------------------------------------------------------------------------- documents as sequences


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("models") / "m"
    recipe = document_recipe("margin", unit="document", nonlocal_features=[], labels_column="ner")
    Tagger(recipe).fit(corpus(1, 12)).save(str(path))
    return path


def test_lists_of_whole_documents(whole: Path, tmp_path: Path) -> None:
    sentences = corpus(5, 3)
    tagger = Tagger.load(str(whole))
    lists = tagger.predict_nbest(sentences, 3)
    assert [len(best) for best in lists] == [3] * 3
    assert [y for best in lists for y in best[0][0]] == [y for labels in tagger.predict(sentences) for y in labels]
    file = write_corpus(sentences, tmp_path / "in.txt", labels=False)
    out = succeed("tag", "-m", whole, "--nbest", 3, file).out
    assert len(re.findall(r"^-DOCSTART-.*\n\n# 0 ", out, re.MULTILINE)) == out.count("-DOCSTART-") == 3
    blocks = re.split(r"^# (\d) (-?[\d.]+)\n", out, flags=re.MULTILINE)
    assert [int(k) for k in blocks[1::3]] == [0, 1, 2] * 3
    flat = [(labels, score) for best in lists for labels, score in best]
    for score, text, (labels, expected) in zip(blocks[2::3], blocks[3::3], flat, strict=True):
        lines = [line.split() for line in text.split("\n") if line and "-DOCSTART-" not in line]
        assert [line[-1] for line in lines] == labels
        assert float(score) == pytest.approx(expected, abs=1e-6)
    objects = succeed("tag", "-m", whole, "--nbest", 3, file, "--to", "jsonl").out.split("\n")[:-1]
    first = [json.loads(line) for line in objects[:3]]
    for k, (labels, score) in enumerate(lists[0]):
        assert [y for o in first for y in o["nbest"][k]["labels"]] == labels
        assert {o["nbest"][k]["score"] for o in first} == {score}


def test_more_labellings_than_a_model_with_non_local_features_ranks(tmp_path: Path) -> None:
    path = tmp_path / "m"
    tagger = Tagger(document_recipe("ascent"), nbest_tagging=3).fit(corpus(1, 12))
    tagger.save(str(path))
    file = write_corpus(corpus(5, 2), tmp_path / "in.txt", labels=False)
    result = succeed("tag", "-m", path, "--nbest", 5, file)
    told = "lists of 5: the model ranks 3 labellings of a sentence (nbest_tagging), so lists have 3 at most"
    assert result.err == f"note: {told}\n"
    assert succeed("tag", "-m", path, "--nbest", 3, file).err == ""
    with pytest.warns(UserWarning, match=re.escape(told)):
        lists = tagger.predict_nbest(corpus(5, 2), 5)
    assert {len(best) for best in lists} == {3}
    scores = [score for best in lists for _, score in best]
    assert [float(s) for s in re.findall(r"^# \d (-?[\d.]+)$", result.out, re.MULTILINE)] == pytest.approx(scores)


def test_blank_lines_do_not_come_between_labellings_and_their_scores(tmp_path: Path) -> None:
    model = toy_model(tmp_path)
    close = b"-DOCSTART- O\n\nThe DT\n\ndog NN\n\n-DOCSTART- O\n\ndog NN\n\n"
    apart = b"\n\n-DOCSTART- O\n\n\nThe DT\n\n\n\ndog NN\n\n\n-DOCSTART- O\n\ndog NN\n\n\n\n"
    expected = succeed("tag", "-m", model, "--nbest", 2, stdin=close).out
    assert succeed("tag", "-m", model, "--nbest", 2, stdin=apart).out == expected


def test_the_mark_of_a_document_comes_before_the_score(model: Path) -> None:
    out = succeed("tag", "-m", model, "--nbest", 2, stdin=b"-DOCSTART- O\n\nThe DT\n\n").out
    blocks = out.rstrip("\n").split("\n\n")
    assert blocks[0] == "-DOCSTART- O O"
    assert [re.sub(r" -?[\d.]+\n.*", "", block) for block in blocks[1:]] == ["# 0", "# 1"]

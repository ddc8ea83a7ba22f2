"""Data as people have them: names of columns, labels that are not known, encodings, rules, repeated sentences."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from command_line import check, run, succeed
from perceptag import Pipeline, Tagger
from perceptag.rules.rules import Rules

QUICK = ("-r", "basic-ner", "--epochs", 2, "-m", "a.model")
PAIRS = [("Anna", "B-PER"), ("Berg", "I-PER"), ("sings", "O"), ("in", "O"), ("Oslo", "B-LOC"), (".", "O")]
RECORDS = [
    {"tokens": ["Ann", "saw", "Rome"], "tags": ["B-PER", "O", "B-LOC"]},
    {"tokens": ["Bob", "met", "Eve"], "tags": ["B-PER", "O", "B-PER"]},
] * 6
CITIES = '[[rule]]\nlabel = "CITY"\nphrases = ["Oslo"]\n'


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def columns(line: str) -> None:
    """Write eight sentences; `line` shows how a word is written."""
    rows = [line.format(n=n, word=word, label=label) for n, (word, label) in enumerate(PAIRS, 1)]
    Path("a.txt").write_text("\n".join([*rows, "", ""]) * 8)


def lines_of(path: str, name: str) -> str:
    lines = (json.dumps({"tokens": record["tokens"], name: record["tags"]}) for record in RECORDS)
    Path(path).write_text("\n".join(lines) + "\n")
    return path


def columns_of(path: str) -> str:
    rows = ("".join(f"{a} {b}\n" for a, b in zip(r["tokens"], r["tags"], strict=True)) for r in RECORDS)
    Path(path).write_text("\n".join(rows))
    return path


# --- names of columns ---


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ("{n}\t{word}\t{label}", "id,form,label"),
        ("{n} {word} NN {label}", "id,form,c2,label"),
        ("1-{n}\t0-3\t{word}\t{label}", "id,offsets,form,label"),
        ("{label}\t{word}", "label,form"),
        ("{label} NN {word}", "label,c1,form"),
    ],
)
def test_the_names_that_a_message_proposes_work(line: str, names: str) -> None:
    columns(line)
    order = ("train", "--train", "a.txt", *QUICK, "--no-dev")
    refused = run(*order)
    assert refused.status == 2 and f"--columns {names} names the columns" in refused.err
    succeed(*order, "--columns", names, "--label", "label")
    assert "first column" not in run("check", "a.txt", "--columns", names, "--label", "label").out


@pytest.mark.parametrize("name", ["ner_tags", "labels", "tags"])
def test_labels_of_dev_data_may_have_another_usual_name(name: str) -> None:
    train, dev = columns_of("train.txt"), lines_of("dev.jsonl", name)
    succeed("train", "--train", train, "--dev", dev, *QUICK)
    digest = Path("a.model").read_bytes()[-64:]
    assert f"dev: {len(RECORDS)} sentences" in succeed("train", "--train", train, "--dev", train, *QUICK).err
    assert Path("a.model").read_bytes()[-64:] == digest
    assert f"dev: {len(RECORDS)} sentences" in succeed("train", "--train", dev, "--dev", train, *QUICK).err
    succeed("eval", "-m", "a.model", dev)


@pytest.mark.parametrize("ending", ["jsonl", "conllu"])
def test_tags_are_learned_and_not_misc(ending: str) -> None:
    rows = "1\t{}\t_\t_\tNNP\t_\t_\t_\t_\t_\n2\tran\t_\t_\tVBD\t_\t_\t_\t_\tSpaceAfter=No\n\n"
    Path("a.conllu").write_text("".join(map(rows.format, ("Ann", "Bob"))))
    succeed("convert", "a.conllu", f"b.{ending}")
    assert "2 labels from column 'xpos'" in succeed("train", "--train", f"b.{ending}", "--no-dev", "-m", "m").err


def test_sentences_without_labels_do_not_cost_the_labels_of_others() -> None:
    Path("some.jsonl").write_text('{"tokens": ["Anna"], "labels": ["B-PER"]}\n{"tokens": ["Bob"]}\n')
    result = run("convert", "some.jsonl", "some.txt")
    assert result.status == 2 and "some.jsonl:2: " in result.err and not Path("some.txt").exists()


def test_comments_of_conllu_may_have_as_many_columns_as_a_token() -> None:
    text = (
        "# sent_id = 1\nAnna N B-NP B-PER\n# N O O\n\n# sent_id = 2\n# text = Bob\nBob N B-NP B-PER\nleft V B-VP O\n\n"
    )
    Path("a.txt").write_text(text)
    succeed("convert", "a.txt", "b.txt", "--comment", "#")
    assert Path("b.txt").read_text() == text
    way = ("--comment", "#", "--columns", "form,pos,chunk,label")
    succeed("train", "--train", "a.txt", "--no-dev", *QUICK, *way)
    tagged = succeed("tag", "-m", "a.model", "a.txt", *way).out.splitlines()
    assert [line for line in tagged if "=" in line] == ["# sent_id = 1", "# sent_id = 2", "# text = Bob"]


# --- labels that are not known ---


@pytest.mark.parametrize("every", [2, 3, 10])
def test_unknown_labels_among_spans_are_refused_or_learned_around(every: int) -> None:
    labels = [label for record in RECORDS for label in record["tags"]]
    mixed = ["_" if i % every == 1 else label for i, label in enumerate(labels)]
    Path("a.txt").write_text("".join(f"w{i} {label}\n" + "\n" * (i % 6 == 5) for i, label in enumerate(mixed)))
    words = ("train", "--train", "a.txt", "--no-dev", "-m", "a.model")
    result = run(*words)
    assert result.status == 2 and "a.txt:2: " in result.err and not Path("a.model").exists()
    succeed(*words, "--set", "labels.missing=_")
    assert "_" not in Tagger.load("a.model").labels_


def test_sentences_with_unknown_labels_are_not_scored() -> None:
    gold = [["B-PER", "O", "B-LOC"], ["B-PER", "_", "_"], ["B-PER", "O", "O"]]
    found = [["B-PER", "O", "B-LOC"], ["B-PER", "O", "B-LOC"], ["B-PER", "O", "B-LOC"]]
    for name, side in (("gold.txt", gold), ("found.txt", found)):
        Path(name).write_text("\n".join("".join(f"w{n} {y}\n" for n, y in enumerate(one)) for one in side))
    compared = succeed("compare", "gold.txt", "found.txt", "gold.txt", "--json")
    assert json.loads(compared.out)["a"] == pytest.approx(85.71, abs=0.01)
    assert "gold.txt: 1 sentence left out, some of whose gold labels are '_'" in compared.err
    Path("train.txt").write_text("w0 B-PER\nw1 O\nw2 B-LOC\n\n" * 9)
    told = succeed("train", "--train", "train.txt", "--dev", "gold.txt", *QUICK).err
    assert "1 of 3 sentences left out, some of whose labels are '_' (not known)" in told
    assert "processed 6 tokens with 3 phrases" in succeed("eval", "-m", "a.model", "gold.txt").out


# --- encodings, labels with spaces ---


def test_a_file_in_latin_1_is_split_learned_and_not_replaced() -> None:
    german = "".join(f"Jürgen B-PER\nwohnt O\nin O\nKöln{n} B-LOC\n\n" for n in range(20))
    Path("a.txt").write_bytes(german.encode("latin-1"))
    latin = ("--encoding", "latin-1")
    succeed("split", "a.txt", *latin)
    assert "Jürgen" in Path("a.train.txt").read_text("utf-8")
    assert "is UTF-8" in succeed("train", "--train", "a.train.txt", *latin, "--no-dev", *QUICK).err
    assert succeed("tag", "-m", "a.model", stdin="Jürgen\nwohnt\n".encode()).out == "Jürgen B-PER\nwohnt O\n\n"
    for encoding in ("latin-1", "utf-16"):
        Path("b.txt").write_bytes(german.encode(encoding))
        named = latin if encoding == "latin-1" else ()
        assert run("tag", "-m", "a.model", "b.txt", *named, "--in-place").status == 2
        assert Path("b.txt").read_bytes() == german.encode(encoding)


@pytest.mark.parametrize("options", [(), ("--nbest", 1), ("--batch", 1)])
def test_labels_with_spaces_are_written_with_tabs(options: tuple[object, ...]) -> None:
    Path("a.tsv").write_text("I\tB-Own Name\nhave\tO\n\n" * 5)
    succeed("train", "--train", "a.tsv", "--no-dev", "-m", "x.model", "-q")
    assert "I\tB-Own Name\nhave\tO\n" in succeed("tag", "-m", "x.model", "-", *options, stdin=b"I\nhave\n").out
    for name, separator in (("b.tsv", "\t"), ("b.txt", "\t")):
        succeed("tag", "-m", "x.model", "a.tsv", "-o", name, "-q")
        assert Path(name).read_text().startswith(f"I{separator}B-Own Name\n")


# --- rules and layers ---

ROWS = "In X x O\nOslo Y y B-LOC\n\nfor X x O\nAnna Z y B-PER\n\n" * 30


def test_rules_and_a_model_take_the_columns_of_the_training_data() -> None:
    Path("a.txt").write_text(ROWS)
    Path("my.toml").write_text('column = "cities"\n' + CITIES)
    how = ("--columns", "form,pos,kind,ner", "--no-dev", "-q", "--epochs", 2, "--set", "inner_folds=0")
    succeed("train", "--train", "a.txt", "--rules", "my.toml", "-m", "x.model", *how)
    check(run("tag", "-m", "x.model", "a.txt"), "found 4; column 'cities' is what rules found in training")
    tag = ("tag", "-m", "x.model", "--rules", "my.toml", "-")
    tagged = succeed(*tag, stdin=b"In X x O\nOslo Y y O\n").out
    assert tagged == "In X x O O\nOslo Y y B-LOC B-CITY\n\n"
    assert succeed(*tag, stdin=b"Oslo Y y\n").out == "Oslo Y y B-CITY B-LOC\n\n"


def test_the_layer_that_is_shown_is_that_of_tags_where_rules_and_lemmas_come_behind() -> None:
    words = [["cats", "dogs", "mats"], ["dogs", "cats", "mats"]] * 4
    tags = Tagger("pos", epochs=2, labels_column="upos").fit(
        [{"form": s, "upos": ["VERB" if word == "dogs" else "NOUN" for word in s]} for s in words]
    )
    lemmas = Tagger("lemma", epochs=2, labels_column="lemma").fit(
        [{"form": s, "lemma": [word[:-1] for word in s]} for s in words]
    )
    rules = Rules.parse('column = "values"\n[[rule]]\nlabel = "PET"\nphrases = ["cats"]\n')
    nlp = Pipeline([tags, rules, lemmas])
    assert (nlp.names, nlp.usual.name, nlp.upto("values").usual.name) == (["upos", "values", "lemma"], "upos", "values")
    nlp.save("p.pipeline")
    Path("c.txt").write_text("cats\ndogs\n\n")
    order = ("tag", "--model", "p.pipeline", "c.txt")
    assert succeed(*order, "--to", "inline").out == "cats/NOUN dogs/VERB\n"
    assert succeed(*order, "--to", "inline", "--layer", "lemma").out == "cats/cat dogs/dog\n"
    assert succeed(*order, "--pretty").out.strip() == "[cats PET] dogs"


# --- many files ---


def test_good_files_are_tagged_next_to_bad_ones() -> None:
    columns("{word} {label}")
    succeed("train", "--train", "a.txt", "--no-dev", *QUICK)
    Path("good.txt").write_text("Anna\nsings\n\n")
    Path("bad.txt").write_bytes(b"Anna\n\0\n")
    Path("worse.txt").write_bytes(b"Anna\n\xff\n")
    words = ("tag", "-m", "a.model", "--out-dir", "out", "bad.txt", "good.txt", "worse.txt")
    refused = run(*words)
    assert refused.status == 2 and "bad.txt:2: " in refused.err and "worse.txt:2: " in refused.err
    assert Path("out/good.txt").read_text() == succeed("tag", "-m", "a.model", "good.txt").out
    assert not any(Path("out", name).exists() for name in ("bad.txt", "worse.txt", "_SUCCESS.json"))
    Path("bad.txt").write_text("Anna\n")
    Path("worse.txt").write_text("Oslo\n")
    assert "done before: 1 part" in succeed(*words).err
    assert Path("out/bad.txt").read_text().startswith("Anna ") and Path("out/_SUCCESS.json").exists()

"""Labels without a name, span groups, comments of CoNLL in columns, lists of labels, keys that are kept."""

import json
from pathlib import Path

import pytest

from command_line import check, run
from perceptag import DataError, Tagger
from perceptag.evaluation import evaluate
from perceptag.text import read as read_sentences
from perceptag.text import read_columns

ASPECTS = "The O\nbattery B\nlife I\nis O\ngreat O\n\nNice O\nscreen B\n. O\n\n"


def rows_of(path: Path) -> list[list[str]]:
    rows = [line.split() for line in path.read_text().splitlines()]
    return [row for row in rows if row and row[0] != "-DOCSTART-"]


# --- labels without a name ---


@pytest.mark.parametrize(
    ("tool", "name"), [("doccano", "b.jsonl"), ("label-studio", "b.json"), ("spacy", "b.json"), ("brat", "b.ann")]
)
def test_spans_without_a_name_get_one_in_other_tools(tool: str, name: str, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text(ASPECTS)
    done = run("convert", tmp_path / "a.txt", tmp_path / name, "--to", tool)
    assert (done.status, "such as B and I, are called SPAN" in done.err) == (0, True)
    assert run("convert", tmp_path / name, tmp_path / "c.txt", "--from", tool).status == 0
    labels = [row[-1] for row in rows_of(tmp_path / "c.txt")]
    assert labels == ["O", "B-SPAN", "I-SPAN", "O", "O", "O", "B-SPAN", "O"]


def test_spans_with_names_keep_them(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("Anna B-PER\nLee I-PER\nleft O\nRome _\n")
    done = run("convert", tmp_path / "a.txt", tmp_path / "b.jsonl", "--to", "doccano")
    assert (done.status, "without a name" in done.err) == (0, False)


def test_spans_without_a_name_are_shown_with_one(tmp_path: Path) -> None:
    data, model = tmp_path / "a.txt", tmp_path / "a.model"
    data.write_text(ASPECTS * 8)
    assert run("train", "--train", data, "--model", model, "--recipe", "chunk", "--quiet").status == 0
    assert "[battery life SPAN]" in run("tag", "--model", model, data, "--pretty").out
    listed = run("tag", "--model", model, "--tokenizer", "en", "--to", "jsonl", "-", stdin=b"Nice screen.\n").out
    assert [span["label"] for span in json.loads(listed)["spans"]] == ["SPAN"]
    report = evaluate([["O", "B", "I"]], [["O", "B", "I"]])
    assert "SPAN" in report.render_for_terminal()
    assert "SPAN" not in report.render()  # these are the lines of conlleval, which has no name for it
    assert " SPAN " in run("check", "--stats", data).out


def test_a_label_of_no_scheme_is_not_written_as_a_span(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("Acme B-ORG\nCorp I-ORG\nhired 0\nAnn B-PER\n")
    done = run("convert", tmp_path / "a.txt", tmp_path / "b.jsonl", "--to", "doccano")
    check(done, "a.txt:3: expected a label of IOB2, such as O, found '0'")


# --- groups of spans of spaCy ---


def spacy_file(folder: Path, *documents: tuple[list[object], dict[str, object]]) -> Path:
    tokens = [{"id": 0, "start": 0, "end": 4}, {"id": 1, "start": 5, "end": 10}]
    records = [{"text": "Anna sings", "ents": ents, "tokens": tokens, "spans": spans} for ents, spans in documents]
    (folder / "a.json").write_text(json.dumps(records))
    return folder / "a.json"


NAME = {"start": 0, "end": 4, "label": "PER"}
BOTH = {"start": 0, "end": 10, "label": "FACT"}


def test_the_only_group_of_spans_has_the_labels(tmp_path: Path) -> None:
    done = run("convert", spacy_file(tmp_path, ([], {"sc": [NAME]}), ([], {"sc": []})), tmp_path / "b.txt")
    assert "there are no entities; the labels are those of the spans 'sc'" in done.err
    assert [row[-1] for row in rows_of(tmp_path / "b.txt")] == ["B-PER", "O", "O", "O"]


@pytest.mark.parametrize(
    ("ents", "groups"), [([NAME], {"sc": [BOTH]}), ([], {"sc": [NAME, BOTH]}), ([], {"sc": [NAME], "other": [NAME]})]
)
def test_other_groups_of_spans_are_left_out_with_a_note(
    ents: list[object], groups: dict[str, object], tmp_path: Path
) -> None:
    done = run("convert", spacy_file(tmp_path, (ents, groups)), tmp_path / "b.txt")
    assert "'spans.sc'" in done.err
    assert [row[-1] for row in rows_of(tmp_path / "b.txt")] == ["B-PER" if ents else "O", "O"]


# --- comments of CoNLL-U in column files ---

COMMENTED = (
    "# sent_id = 1\nAnna NNP B-NP B-PER\n# NN O O\n\n"
    "# sent_id = 2\n# text = Bob\nBob NNP B-NP B-PER\nleft VBD B-VP O\n\n"
)


def test_comments_of_conllu_may_have_as_many_columns_as_a_token(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text(COMMENTED)
    first, second = read_columns(tmp_path / "a.txt", comment="#")
    assert (first.tokens, second.tokens) == (["Anna", "#"], ["Bob", "left"])
    assert run("convert", tmp_path / "a.txt", tmp_path / "b.txt", "--comment", "#").status == 0
    assert (tmp_path / "b.txt").read_text() == COMMENTED


def test_tagging_takes_and_keeps_the_same_comments(tmp_path: Path) -> None:
    data, model = tmp_path / "a.txt", tmp_path / "a.model"
    data.write_text(COMMENTED)
    way = ("--comment", "#", "--columns", "form,pos,chunk,label")
    assert run("train", "--train", data, "--model", model, "--recipe", "chunk", "--quiet", *way).status == 0
    tagged = run("tag", "--model", model, data, *way).out.splitlines()
    assert [line for line in tagged if "=" in line] == ["# sent_id = 1", "# sent_id = 2", "# text = Bob"]


def test_comments_that_are_read_as_tokens_are_noted(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text(COMMENTED * 3)
    told = run("check", tmp_path / "a.txt").out
    assert "'# sent_id = 1' is read as a token: --comment '#' skips such lines" in " ".join(told.split())
    done = run("train", "--train", tmp_path / "a.txt", "--model", tmp_path / "a.model", "--recipe", "chunk")
    assert "9 lines were read as tokens that look like comments" in done.err
    assert f"first: {tmp_path / 'a.txt'}:1" in done.err


# --- check: labels that are not known, labels of no scheme ---


def test_texts_that_nobody_has_looked_at_break_no_scheme(tmp_path: Path) -> None:
    records = [{"text": "Anna sings", "label": [[0, 4, "PER"]]}, {"text": "Nobody has read this", "label": []}]
    (tmp_path / "a.jsonl").write_text("".join(json.dumps(record) + "\n" for record in records))
    assert run("convert", tmp_path / "a.jsonl", tmp_path / "b.jsonl", "--unlabelled", "missing").status == 0
    done = run("check", tmp_path / "b.jsonl")
    assert (done.status, "broken scheme" in done.out) == (0, False)
    assert "all labels of the sentence are '_', so they are not known" in " ".join(done.out.split())


@pytest.mark.parametrize("label", ["0", "o", "OUT", "OTHER", "PER"])
def test_the_suggestion_for_a_label_of_no_scheme(label: str, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text(f"Acme B-ORG\nCorp I-ORG\nhired {label}\nAnn B-PER\n. O\n")
    told = " ".join(run("check", tmp_path / "a.txt").out.split())
    assert f"{label} is not a label of IOB2: expected {'B-PER' if label == 'PER' else 'O'}" in told


# --- which list has the labels ---

SPANS, WORDS_TAGS = ["B-ORG", "O"], ["NNP", "VBZ"]


@pytest.mark.parametrize(
    ("spans", "tags", "column"),
    [
        ("tags", "pos", "tags"),
        ("ner_tags", "pos_tags", "ner_tags"),
        ("ner", "pos", "ner"),
        ("labels", "chunk", "label"),
        ("ner", "terms", "terms"),  # as a pipeline writes its layers
        ("terms", "ner", "ner"),
    ],
)
def test_the_list_of_labels_in_json_lines(spans: str, tags: str, column: str, tmp_path: Path) -> None:
    record = {"tokens": ["EU", "rejects"], spans: SPANS, tags: WORDS_TAGS}
    (tmp_path / "a.jsonl").write_text(json.dumps(record) + "\n")
    assert json.loads(run("check", tmp_path / "a.jsonl", "--json").out)["label"] == column


def parquet(folder: Path, **lists: list[list[object]]) -> Path:
    table = pytest.importorskip("pyarrow").table({"tokens": [["EU", "rejects"]], **lists})
    pytest.importorskip("pyarrow.parquet").write_table(table, folder / "a.parquet")
    return folder / "a.parquet"


def test_numbers_in_parquet_get_names(tmp_path: Path) -> None:
    data = parquet(tmp_path, pos_tags=[[1, 0]], ner_tags=[[1, 0]])
    way = ("--label-names", "O,B-ORG", "--to", "columns")
    assert run("convert", data, tmp_path / "b.txt", *way).status == 0
    assert rows_of(tmp_path / "b.txt") == [["EU", "B-ORG"], ["rejects", "O"]]
    assert run("convert", data, tmp_path / "c.txt", "--label", "pos_tags", *way).status == 0
    assert json.loads(run("check", data, *way[:2], "--json").out)["label"] == "ner_tags"


def test_numbers_in_parquet_need_names(tmp_path: Path) -> None:
    data = parquet(tmp_path, pos_tags=[WORDS_TAGS], ner_tags=[[1, 0]])
    check(run("check", data), "'ner_tags' are numbers: expected their names in order, such as --label-names O,B-PER")
    assert json.loads(run("check", data, "--label", "pos_tags", "--json").out)["label"] == "pos_tags"


# --- keys of texts ---

TEXTS = {
    "a.jsonl": '{"id": "a", "text": "Nice screen.", "url": "http://x", "meta": {"n": 1}, "spans": "of mine"}\n',
    "a.csv": "ID,Text,Url,tokens\na,Nice screen.,http://x,2\n",
}


@pytest.mark.parametrize("name", TEXTS)
def test_tagged_texts_keep_their_keys(name: str, tmp_path: Path) -> None:
    data, model = tmp_path / "t.txt", tmp_path / "a.model"
    data.write_text(ASPECTS * 8)
    (tmp_path / name).write_text(TEXTS[name])
    assert run("train", "--train", data, "--model", model, "--recipe", "chunk", "--quiet").status == 0
    record = json.loads(run("tag", "--model", model, "--tokenizer", "en", tmp_path / name).out)
    assert (record["id"], record["url"], record["tokens"]) == ("a", "http://x", ["Nice", "screen", "."])
    assert [span["text"] for span in record["spans"]] == ["screen"]
    assert record.get("meta") == ({"n": 1} if name == "a.jsonl" else None)


# --- further lists in tables ---

LISTS = (
    "Sentence #,Sentence,POS,Tag,Note\n"
    "Sentence: 1,Anna left Oslo,\"['NNP', 'VBD', 'NNP']\",\"['B-per', 'O', 'B-geo']\",x\n"
)


def test_further_lists_in_a_table_are_columns(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text(LISTS)
    done = run("convert", tmp_path / "a.csv", tmp_path / "b.txt")
    assert rows_of(tmp_path / "b.txt")[0] == ["Anna", "NNP", "B-per"]
    assert "the key 'note'" in done.err
    assert json.loads(run("check", tmp_path / "a.csv", "--label", "pos", "--json").out)["label"] == "pos"


def test_further_lists_next_to_a_list_of_tokens(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("tokens,ner_tags,pos_tags\n\"['Anna']\",\"['B-PER']\",\"['NNP']\"\n")
    assert run("convert", tmp_path / "a.csv", tmp_path / "b.txt").status == 0
    assert rows_of(tmp_path / "b.txt") == [["Anna", "NNP", "B-PER"]]


# --- what a message says ---


def test_pretty_output_names_the_option_that_was_given(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("Anna left.\n")
    done = run("tag", "--model", "en", tmp_path / "a.txt", "--pretty", "--confidence")
    check(done, "--pretty: it cannot show the confidence of a token; --to columns, conllu or jsonl can")


def test_rules_are_not_a_model_of_a_pipeline(tmp_path: Path) -> None:
    (tmp_path / "r.toml").write_text('[[rule]]\nlabel = "X"\nphrases = ["a"]\n')
    done = run("pipeline", "en", tmp_path / "r.toml", "-o", tmp_path / "p.pipeline")
    check(done, f"expected models, found '{tmp_path / 'r.toml'}'; --rules {tmp_path / 'r.toml'} adds rules")


def test_eval_without_the_rules_of_training(tmp_path: Path) -> None:
    rules, data, model = tmp_path / "r.toml", tmp_path / "a.jsonl", tmp_path / "a.model"
    rules.write_text('column = "terms"\n[[rule]]\nlabel = "SCREEN"\nphrases = ["screen"]\n')
    data.write_text('{"tokens": ["Nice", "screen", "."], "labels": ["O", "B", "O"]}\n' * 8)
    way = ("--train", data, "--model", model, "--rules", rules, "--quiet")
    assert run("train", *way).status == 0
    check(run("eval", "--model", model, data), "'perceptag pipeline MODEL --rules FILE -o OUT'")


def test_the_first_line_of_excel(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("sep=;\nWord;Tag\nHe;O\nleft;O\nOslo;B-LOC\n")
    done = run("convert", tmp_path / "a.csv", tmp_path / "b.txt")
    assert (done.status, rows_of(tmp_path / "b.txt")[-1]) == (0, ["Oslo", "B-LOC"])
    (tmp_path / "a.csv").write_text("sep=;\nWord;Tag\nHe;O\n;B-LOC\n")
    check(run("convert", tmp_path / "a.csv", tmp_path / "b.txt", "--overwrite"), "a.csv:4: expected a word")


@pytest.mark.parametrize(("begin", "what"), [(b"PK\3\4\x14\0\0\0", "a zip archive"), (b"%PDF-1.4\n\xe2\xe3", "a PDF")])
def test_the_true_reason_comes_first(begin: bytes, what: str, tmp_path: Path) -> None:
    data = tmp_path / "a.txt"
    data.write_bytes(begin + bytes(range(256)))
    check(run("train", "--train", data, "--model", tmp_path / "a.model"), f"{data}: this looks like {what}")
    findings = json.loads(run("check", data, "--json").out)["findings"]
    assert [finding["message"].startswith(f"this looks like {what}") for finding in findings] == [True]


def test_words_without_spaces(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text(json.dumps({"text": "王小明在北京大学学习。", "label": [[0, 3, "PER"]]}) + "\n")
    done = run("convert", tmp_path / "a.jsonl", tmp_path / "b.txt")
    assert (
        "words without spaces between them, which en does not cut: 'perceptag convert --tokenizer' names another"
        in done.err
    )


def test_reading_a_table_in_python(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("Sentence #;Word;Tag\nSentence: 1;He;O\n;left;O\n")
    with pytest.raises(DataError, match=r"a\.csv:3: .*'perceptag convert FILE sentences\.jsonl' reads tables"):
        len(read_sentences(tmp_path / "a.csv"))


def test_words_and_labels_that_are_swapped() -> None:
    words, labels = [[f"w{n}", "left"] for n in range(9)], [["B-PER", "O"]] * 9
    with pytest.warns(UserWarning, match="10 different labels, 2 different words: are words and labels swapped"):
        Tagger("pos", epochs=1).fit(labels, words)

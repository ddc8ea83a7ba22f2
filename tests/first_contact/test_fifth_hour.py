"""Lists of texts that are tagged, labels with spaces, cells of tables, empty arguments."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from command_line import check, run
from perceptag.errors import DataError, SettingError
from perceptag.foreign.header_tables import read
from perceptag.foreign.read_export import read_foreign
from perceptag.foreign.texts import ForeignToken

LISTS = {
    "a.jsonl": '{"id": 1, "text": "Anna left Oslo."}\n{"text": "Bob ran.", "meta": {"by": "me"}}\n',
    "a.json": '[{"text": "Anna left Oslo."}, {"text": "Bob ran."}]',
    "a.csv": "id,text\n1,Anna left Oslo.\n2,Bob ran.\n",
}


def by_spaces(text: str) -> list[ForeignToken]:
    return [ForeignToken(match[0], *match.span()) for match in re.finditer(r"\w+", text)]


# --- lists of texts ---


@pytest.mark.parametrize("name", LISTS)
def test_tag_takes_lists_of_texts(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(LISTS[name])
    done = run("tag", "--model", "en", tmp_path / name)
    assert f"note: {tmp_path / name}: a list of texts" in done.err
    found = [json.loads(line) for line in done.out.splitlines()]
    assert [one["tokens"] for one in found] == [["Anna", "left", "Oslo", "."], ["Bob", "ran", "."]]
    assert [one["document"] for one in found] == [1, 2]
    assert [span["text"] for span in found[0]["spans"]] == ["Anna", "Oslo"]


def test_a_list_is_not_replaced_and_a_model_without_a_tokeniser_is_told_how(tmp_path: Path) -> None:
    table = tmp_path / "a.csv"
    table.write_text(LISTS["a.csv"])
    assert run("tag", "--model", "en", table, "--in-place").status == 2
    assert table.read_text() == LISTS["a.csv"]
    (tmp_path / "pos.txt").write_text("Anna N\nran V\n\n" * 5)
    assert run("train", "--train", tmp_path / "pos.txt", "--model", tmp_path / "x.model", "-q").status == 0
    check(run("tag", "--model", tmp_path / "x.model", table), "expected a tokeniser, found none; --tokenizer en")


def test_a_labelled_export_is_not_a_list_of_texts(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text('{"text": "Anna left.", "label": [[0, 4, "PER"]]}\n')
    check(run("tag", "--model", "en", tmp_path / "a.jsonl"), "recognised as doccano export; 'perceptag convert")
    assert run("convert", tmp_path / "a.jsonl", tmp_path / "b.jsonl").status == 0
    assert run("tag", "--model", "en", tmp_path / "b.jsonl", "-q").status == 0


# --- labels with spaces ---


@pytest.mark.parametrize("options", [(), ("--nbest", 1), ("--batch", 1)])
def test_labels_with_spaces_are_written_with_tabs(options: tuple[object, ...], tmp_path: Path) -> None:
    (tmp_path / "a.tsv").write_text("I\tB-Own Name\nhave\tO\n\n" * 5)
    model = ("--model", tmp_path / "x.model")
    assert run("train", "--train", tmp_path / "a.tsv", *model, "-q").status == 0
    done = run("tag", *model, "-", *options, stdin=b"I\nhave\n")
    assert "I\tB-Own Name\nhave\tO\n" in done.out, done.err


def test_a_file_named_tsv_has_tabs(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("I A\nhave B\n\n" * 5)
    model = ("--model", tmp_path / "x.model")
    assert run("train", "--train", tmp_path / "a.txt", *model, "-q").status == 0
    for name, separator in (("b.tsv", "\t"), ("b.txt", " ")):
        assert run("tag", *model, tmp_path / "a.txt", "-o", tmp_path / name, "-q").status == 0
        assert (tmp_path / name).read_text().startswith(f"I{separator}A\nhave{separator}B\n\n")


# --- cells of tables ---


def test_an_object_in_a_cell_is_not_a_row_of_tags() -> None:
    """It has as many blanks as the text has words."""
    table = 'text,entities\nBob left.,"{""PER"": [""Bob""]}"\n'
    (found,) = read(table, "a.csv")
    assert [(span.start, span.end, span.label) for span in found.first.spans] == [(0, 3, "PER")]
    with pytest.raises(DataError, match=r"a.csv:2: 'entities': expected 2 tags, one for each word, .*found 'Bob: PER'"):
        list(read("text,entities\nBob left.,Bob: PER\n", "a.csv"))
    (tagged,) = read("sentence,tags\nwell : yes,UH : UH\n", "a.csv")
    assert tagged.labels == ["UH", ":", "UH"]


# --- empty arguments ---


@pytest.mark.parametrize(
    "words", [("tag", "--model", "en", ""), ("tokenize", ""), ("check", ""), ("train", "--model", "x", "--train", "")]
)
def test_an_empty_name_of_a_file_is_refused(words: tuple[str, ...]) -> None:
    check(run(*words), "found an empty string; is a variable of the shell empty?")


def sentences(table: str, names: tuple[str, ...] = ()) -> list[tuple[list[str], list[str] | None]]:
    return [(one.tokens, one.labels) for one in read(table, "a.csv", names)]


def test_arrays_of_numpy_are_lists() -> None:
    """Python joins strings without commas into one."""
    table = "tokens,ner_tags\n\"['Anna' 'left'\n 'for' 'Rome']\",\"['B-PER' 'O'\n 'O' 'B-LOC']\"\n"
    assert sentences(table) == [(["Anna", "left", "for", "Rome"], ["B-PER", "O", "O", "B-LOC"])]


@pytest.mark.parametrize("tags", ["[1, 0]", "[1 0]"])
def test_numbers_in_tables_have_names(tags: str) -> None:
    table = f'tokens,ner_tags\n"[""Anna"", ""left""]","{tags}"\n'
    assert sentences(table, ("O", "B-PER")) == [(["Anna", "left"], ["B-PER", "O"])]
    with pytest.raises(SettingError, match=r"a.csv:2: 'ner_tags' are numbers up to 1 here: .*--label-names"):
        sentences(table)


@pytest.mark.parametrize("tags", ["B-PER O", '"B-PER, O"', '"B-PER,O"'])
@pytest.mark.parametrize("header", ["tokens,ner_tags", "sentence,labels"])
def test_rows_of_words_and_tags(header: str, tags: str) -> None:
    table = f"{header}\nAnna left,{tags}\nBob went home,B-PER O O\n"
    if header.startswith("tokens") and tags == '"B-PER,O"':
        with pytest.raises(DataError, match=r"a.csv:3: expected one word and its tag, as in the first row, found 3 of"):
            sentences(table)
    else:
        assert sentences(table)[0] == (["Anna", "left"], ["B-PER", "O"])
        assert len(sentences(table)) == 2


def test_line_ends_in_cells_are_counted() -> None:
    (found,) = read('text;start;end;label\r\n"Hi\r\nA B C";4;7;PER\r\n', "a.csv")
    span = found.first.spans[0]
    assert found.text[span.start : span.end] == "A B"


def test_the_rule_of_a_table_in_markdown_is_not_a_word() -> None:
    assert sentences("| word | tag |\n|---|:--:|\n| Anna | B-PER |\n| left | O |\n") == [
        (["Anna", "left"], ["B-PER", "O"])
    ]


def test_quotation_marks_are_words() -> None:
    table = 'sentence_id\tword\ttag\n1\t"\tO\n1\tAnna\tB-PER\n1\t"\tO\n1\tsaid\tO\n2\tBob\tB-PER\n'
    assert [tokens for tokens, _ in sentences(table)] == [['"', "Anna", '"', "said"], ["Bob"]]
    assert sentences('word,tag\n"""",X\n"5,000",CD\n') == [(['"', "5,000"], ["X", "CD"])]
    assert sentences('word,tag\n"""",X\n"a",B\n') == [(['"', "a"], ["X", "B"])]
    with pytest.raises(
        DataError, match=r"a.csv:3: expected a word; the quotation mark before it is closed in another row"
    ):
        sentences('word,tag\n"5,000",CD\n",X\nAnna,B\n",X\nBob,B\n')


def test_lists_of_bare_words_are_refused() -> None:
    with pytest.raises(DataError, match=r"a.csv:2: 'tokens': expected a list of strings, such as \['Anna', 'sings'\]"):
        sentences('tokens,tags\n"[Anna, left]","[B-PER, O]"\n')


@pytest.mark.parametrize("options", [(), ("--label", "pos")])
def test_a_table_of_words_and_tags_of_another_kind(options: tuple[str, ...], tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("word,pos\nAnna,NNP\nleft,VBD\n")
    into = ("--no-dev", "--model", tmp_path / "x.model")
    done = run("train", "--train", tmp_path / "a.csv", *options, *into)
    assert done.status == 0 and "2 labels from column 'pos'" in done.err


@pytest.mark.parametrize("entity", ['{"text": "Anna", "label": "PER"}', '{"start": 0, "end": 4, "label": "PER"}'])
def test_an_answer_that_did_not_come_is_not_an_empty_one(entity: str, tmp_path: Path) -> None:
    lines = [f'{{"text": "Anna left", "entities": [{entity}]}}', '{"text": "Bob left"}']
    lines += ['{"text": "Eva left", "entities": null}', '{"text": "Ed left", "entities": []}']
    (tmp_path / "a.jsonl").write_text("\n".join(lines))
    done = run("convert", tmp_path / "a.jsonl", "-", "--to", "jsonl")
    labels = [json.loads(line)["labels"] for line in done.out.splitlines()]
    assert labels == [["B-PER", "O"], ["_", "_"], ["_", "_"], ["O", "O"]]
    assert done.err.count("left without labels") >= 1


# --- what is in the first column, and in the dev data ---


@pytest.mark.parametrize(
    ("rows", "found"),
    [
        ("1 Anna B\n2 left O\n\n1 Bob B\n2 sang O\n", "found numbers of tokens; --columns id,form,label"),
        ("1 Anna B\n1 left O\n\n2 Bob B\n2 sang O\n", "found numbers of sentences; --columns sentence,form,label"),
        ("1 Anna B\n1 left O\n2 Bob B\n2 sang O\n", "found numbers; a first line 'sentence word tag'"),
    ],
)
def test_numbers_in_the_first_column_are_not_words(rows: str, found: str, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text(rows)
    check(run("train", "--train", tmp_path / "a.txt", "--no-dev", "--model", tmp_path / "x"), found)


@pytest.mark.parametrize("spelt", [str.lower, lambda label: label[2:] or "O", lambda label: label.replace("-", "_")])
def test_dev_labels_in_another_spelling_are_refused(spelt: Callable[[str], str], tmp_path: Path) -> None:
    """The score that chose the pass was the share of O."""
    rows = [("Anna", "B-PER"), ("left", "O"), ("Oslo", "B-LOC")]
    (tmp_path / "a.txt").write_text("".join(f"{word} {label}\n" for word, label in rows))
    (tmp_path / "b.txt").write_text("".join(f"{word} {spelt(label)}\n" for word, label in rows))
    into = ("--train", tmp_path / "a.txt", "--dev", tmp_path / "b.txt", "--model", tmp_path / "x")
    check(run("train", *into), f"b.txt:1.*label '{spelt('B-PER')}' is not in the training data")
    (tmp_path / "b.txt").write_text("Anna B-PER\nleft O\nOslo S-CITY\n")
    done = run("train", "-r", "basic-ner", "--epochs", 1, *into)
    assert done.status == 0 and "(1 of 2 labels other than O)" in done.err


def test_json_lines_are_not_called_a_table(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text('{"tokens":["Anna","left"]}\n{"tokens":["Bob"],"labels":["B-PER"]}\n')
    done = run("check", tmp_path / "a.jsonl")
    assert done.status == 1 and "other columns" in done.out and "table" not in done.out


def test_labels_of_tokens_are_not_types_of_spans(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("Anna\nsings\n")
    into = ("annotate", tmp_path / "x.ptag", "--labels", "B-PER,I-PER,O", "--import", tmp_path / "a.txt")
    check(
        run(*into, "--export", tmp_path / "b.txt"),
        "--labels: expected types of spans, such as PER, found B-PER, I-PER, O",
    )
    assert not (tmp_path / "x.ptag").exists()


# --- answers of language models, encodings, words with labels ---


def placed(entities: str) -> list[str]:
    lines = (
        f'{{"text": "Anna left", "entities": {{"PER": ["Anna"]}}}}\n{{"text": "Plan A, Anna", "entities": {entities}}}'
    )
    found = read_foreign(lines.encode(), "a.jsonl", tokenize=lambda text: [by_spaces(text)])
    return found.sentences[1].labels or []


@pytest.mark.parametrize(
    "entities", ['{"PER": "Anna"}', '{"PER": [{"text": "Anna"}], "LOC": null}', '[["Anna", "PER"]]']
)
def test_a_name_may_stand_without_a_list(entities: str) -> None:
    assert placed(entities) == ["O", "O", "B-PER"]


@pytest.mark.parametrize(
    "entities", ["[null]", '{"PER": [["Anna", 0.9]]}', '{"PER": {"a": 1}}', '{"PER": [3]}', "[[]]"]
)
def test_other_answers_are_refused(entities: str) -> None:
    with pytest.raises(DataError, match=r"a.jsonl:2: expected names with labels, such as"):
        placed(entities)


def test_utf_16_without_a_mark_is_told(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(b"Caf\xe9 B-ORG\nx O\n")
    check(
        run("check", tmp_path / "a.txt", "--encoding", "utf-16"),
        "expected text in utf-16 with a byte order mark, found none; --encoding",
    )


def test_a_word_without_its_label_is_named(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("Anna/B-PER left/O Rome/B-LOC\n" * 9 + "Bob/B-PER sang\n")
    check(run("check", tmp_path / "a.txt"), "a.txt:10: expected a word and its label, such as word/LABEL, found 'sang'")


def test_words_alone_and_empty_lists_are_told(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("Anna\nsings\n\nBob\nran\n")
    assert "nothing found; there are words only, no labels" in run("check", tmp_path / "a.txt").out
    (tmp_path / "b.txt").write_text("Anna B-PER\nsings O\n")
    (tmp_path / "list.txt").write_text("\n")
    into = ("--no-dev", "--model", tmp_path / "x", "--gazetteer", f"city={tmp_path / 'list.txt'}")
    check(run("train", "--train", tmp_path / "b.txt", *into), "list.txt: expected phrases, one in a line, found none")


def test_an_empty_cell_of_a_text_of_one_word_has_no_entities() -> None:
    table = 'text,entities\nAnna ran.,"[[0, 4, ""PER""]]"\nThanks,\nHello!,nan\n'
    found = list(read(table, "a.csv"))
    assert [(one.text, len(one.first.spans)) for one in found] == [("Anna ran.", 1), ("Thanks", 0), ("Hello!", 0)]


def test_check_finds_sentences_whose_spans_do_not_fit(tmp_path: Path) -> None:
    rows = "".join(f"{n},I saw Bob {n}.,7,9,PER\n" for n in range(4))
    (tmp_path / "a.csv").write_text(f"id,text,start,end,label\n{rows}9,Anna ran.,0,4,PER\n")
    done = run("check", tmp_path / "a.csv", "--fail-on", "warning")
    assert done.status == 1 and re.search(r"warning +unknown labels +4 +a.csv:2 ", done.out), done.out


def test_dev_sentences_that_are_also_in_the_training_data(tmp_path: Path) -> None:
    def rows(start: int, end: int) -> str:
        return "".join(f"Anna B-PER\nmet O\nBob B-PER\nin O\n{n} O\n\n" for n in range(start, end))

    (tmp_path / "a.txt").write_text(rows(0, 30))
    into = ("--model", tmp_path / "x", "-r", "basic-ner", "--epochs", 1, "--overwrite")
    for start, is_told in ((20, True), (29, False)):
        (tmp_path / "b.txt").write_text(rows(start, 50))
        done = run("train", "--train", tmp_path / "a.txt", "--dev", tmp_path / "b.txt", *into)
        assert ("10 of 30 sentences of the dev data are also in the training data" in done.err) == is_told


def test_tags_in_the_first_column_are_not_words(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("".join(f"DET the\nNOUN dog{n}\nVERB sleeps{n}\n\n" for n in range(50)))
    check(run("train", "--train", tmp_path / "a.txt", "--model", tmp_path / "x"), "found labels; --columns label,form")


def test_a_list_in_another_encoding(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("Anna B-PER\nsings O\n")
    (tmp_path / "list.txt").write_bytes(b"Oslo\nZ\xfcrich\n")
    into = ("--no-dev", "--model", tmp_path / "x", "--gazetteer", f"city={tmp_path / 'list.txt'}")
    check(
        run("train", "--train", tmp_path / "a.txt", *into),
        "list.txt:2: invalid UTF-8: .*; lists are read as UTF-8: 'iconv",
    )


def test_unknown_labels_of_spans_are_not_learned(tmp_path: Path) -> None:
    """The model gave ``_`` as a label, and was one of parts of speech."""
    (tmp_path / "a.txt").write_text("Anna B-PER\nran O\n\nBob B-PER\nsat O\n\nEva _\nleft _\n\n")
    into = ("--no-dev", "--model", tmp_path / "x", "-r", "ner", "--epochs", 1, "--overwrite")
    done = run("train", "--train", tmp_path / "a.txt", *into)
    assert "warning: 1 of 3 sentences left out, all of whose labels are '_' (not known)" in done.err
    assert "train: 2 sentences, 4 tokens; 2 labels" in done.err
    known = run("train", "--train", tmp_path / "a.txt", *into, "--set", "labels.missing=_")
    assert known.status == 0 and "left out, all" not in known.err
    tags = (tmp_path / "a.txt").read_text().replace("B-PER", "N").replace("O", "V")
    (tmp_path / "b.txt").write_text(tags)  # there, "_" may be a label
    assert "3 labels" in run("train", "--train", tmp_path / "b.txt", "--no-dev", "--model", tmp_path / "y").err


def test_json_lines_without_labels_are_left_out(tmp_path: Path) -> None:
    lines = '{"tokens": ["Anna", "left"]}\n{"tokens": ["Bob", "ran"], "labels": ["B-PER", "O"]}\n'
    (tmp_path / "a.jsonl").write_text(lines)
    done = run("train", "--train", tmp_path / "a.jsonl", "--no-dev", "--model", tmp_path / "x")
    assert done.status == 0 and "1 of 2 sentences left out, which have no labels; first: " in done.err


def test_a_table_with_another_header_is_not_called_text(tmp_path: Path) -> None:
    rows = "".join(f'"Hello, the steel lamp {n} is broken since Monday. Why?",ORD-{n},lamp\n' for n in range(20))
    (tmp_path / "a.csv").write_text(f"message,order_number,product\n{rows}")
    said = "a table separated by commas with the header message, order_number, product; expected columns such as"
    check(run("train", "--train", tmp_path / "a.csv", "--no-dev", "--model", tmp_path / "x"), said)

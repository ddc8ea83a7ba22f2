"""Labels and words in other places and spellings than expected, and first steps in Python that used to mislead."""

from __future__ import annotations

from collections import Counter
from inspect import signature
from pathlib import Path

import numpy as np
import pytest

import perceptag
from command_line import run, typed
from perceptag import DataError, ModelError, Pipeline, Recipe, SettingError, Tagger, evaluate
from perceptag.labels.label_spellings import note_on_spelling
from perceptag.pipeline.document import Document, DocumentSentence
from perceptag.rules.rules import Rules

WORDS = [("Anna", "B-PER"), ("Berg", "I-PER"), ("sings", "O"), ("in", "O"), ("Oslo", "B-LOC"), (".", "O")]
FAST = ("--recipe", "basic-ner", "--set", "epochs=2")


def columns(line: str) -> str:
    """A column file of eight sentences; `line` shows how a word is written."""
    rows = [line.format(n=n, word=word, label=label) for n, (word, label) in enumerate(WORDS, 1)]
    return "\n".join([*rows, "", ""]) * 8


# --- labels in another spelling ---


def spelled(change: str) -> str:
    """The labels as others write them."""
    tag, kind = "{label[0]}", "{kind}"
    forms = {"_": f"{tag}_{kind}", ":": f"{tag}:{kind}", "suffix": f"{kind}-{tag}", "lower": f"{tag}-{kind}"}
    rows = []
    for word, label in WORDS:
        form = label if label == "O" else forms[change].format(label=label, kind=label[2:])
        rows.append(f"{word} {form.lower() if change == 'lower' else form}")
    return "\n".join([*rows, "", ""]) * 8


@pytest.mark.parametrize("change", ["_", ":", "suffix", "lower"])
def test_labels_of_spans_in_another_spelling_are_noticed_and_rewritten(tmp_path: Path, change: str) -> None:
    (tmp_path / "c.txt").write_text(spelled(change), "utf-8")
    _, err = typed(tmp_path, "train", "--train", "c.txt", "--model", "m.model", "--epochs", "2", "--no-dev")
    assert "seem to mark spans, but are read as labels of single tokens" in err
    assert "'perceptag convert FILE OUT --iob'" in err
    out, _ = typed(tmp_path, "check", "c.txt")
    assert "other spelling" in out
    typed(tmp_path, "convert", "c.txt", "iob.txt", "--iob")
    labels = [line.split()[1] for line in (tmp_path / "iob.txt").read_text("utf-8").split("\n") if line]
    given = [label if change != "lower" else label[:2] + label[2:].lower() for _, label in WORDS]
    assert labels == given * 8
    assert "other spelling" not in typed(tmp_path, "check", "iob.txt")[0]


TYPES = [("Anna", "PER"), ("Berg", "PER"), ("sings", "O"), ("in", "O"), ("old", "O"), ("Oslo", "LOC"), (".", "O")]


def test_types_without_b_and_i_are_noticed_and_rewritten(tmp_path: Path) -> None:
    (tmp_path / "c.txt").write_text("\n".join([*(f"{word} {label}" for word, label in TYPES), "", ""]) * 8, "utf-8")
    message = (
        "labels such as 'LOC' seem to mark spans, but are read as labels of single tokens: expected 'B-LOC' and "
        "'I-LOC'; 'perceptag convert FILE OUT --iob' writes them so"
    )
    _, err = typed(tmp_path, "train", "--train", "c.txt", "--model", "m.model", "--epochs", "2", "--no-dev")
    assert message in err
    assert message in " ".join(typed(tmp_path, "check", "c.txt")[0].split())
    with pytest.warns(UserWarning, match="y: labels such as 'LOC' seem to mark spans"):
        Tagger("pos", epochs=1).fit([[word for word, _ in TYPES]], [[label for _, label in TYPES]])
    typed(tmp_path, "convert", "c.txt", "iob.txt", "--iob")
    labels = [line.split()[1] for line in (tmp_path / "iob.txt").read_text("utf-8").split("\n") if line]
    assert labels == ["B-PER", "I-PER", "O", "O", "O", "B-LOC", "O"] * 8
    _, err = typed(tmp_path, "train", "--train", "iob.txt", "--model", "m.model", "--epochs", "2", "--no-dev")
    assert "IOB2" in err and "seem to mark spans" not in err


@pytest.mark.parametrize(
    "labels",
    [
        ["DT", "NN", "VBZ", "O", "NN", "O"],  # a tag O that is not the usual one
        ["O", "O", "O", "NN", "."],  # punctuation marks are tags of words
        ["O", "O", "O", "B-PER", "LOC"],
        ["O", "O", "O", "X"],
        ["O", "O", "O"],
    ],
)
def test_tags_of_words_are_not_taken_for_types(labels: list[str]) -> None:
    assert note_on_spelling(Counter(labels)) == ""


def test_scores_of_such_labels_have_a_note() -> None:
    assert "predicted labels such as 'B_PER'" in evaluate([["B-PER", "I-PER"]], [["B_PER", "I_PER"]]).notes[0]
    assert evaluate([["B-PER", "I_PER"]], [["O", "O"]]).notes[0].startswith("gold labels such as 'I_PER' seem")
    assert not evaluate([["B-PER", "NN"]], [["B-PER", "O"]]).notes
    assert not evaluate([["DT", "NN"]], [["DT", "B_x"]]).notes


def test_other_labels_are_not_rewritten(tmp_path: Path) -> None:
    (tmp_path / "c.txt").write_text(columns("{word} {label}"), "utf-8")
    _, err = typed(tmp_path, "convert", "c.txt", "out.txt", "--iob", status=2)
    assert "--iob: column 'label': expected labels such as B_PER" in err
    assert not (tmp_path / "out.txt").exists()


# --- words in another column ---


@pytest.mark.parametrize(
    ("line", "found", "names"),
    [
        ("{n}\t{word}\t{label}", "numbers of tokens", "id,form,label"),
        ("{n} {word} NN {label}", "numbers of tokens", "id,form,c2,label"),
        ("1-{n}\t0-3\t{word}\t{label}", "places of tokens", "id,offsets,form,label"),
        ("{label}\t{word}", "labels", "label,form"),
        ("{label} NN {word}", "labels", "label,c1,form"),
    ],
)
def test_a_first_column_that_has_no_words_is_refused_with_names_that_work(
    tmp_path: Path, line: str, found: str, names: str
) -> None:
    (tmp_path / "c.txt").write_text(columns(line), "utf-8")
    order = ("train", "--train", "c.txt", "--model", "m.model", *FAST, "--no-dev")
    _, err = typed(tmp_path, *order, status=2)
    assert f"expected words in the first column, found {found}; --columns {names} names the columns" in err
    assert f"found {found}" in typed(tmp_path, "check", "c.txt", status=1)[0].replace("\n", " ")
    typed(tmp_path, *order, "--columns", names, "--label", "label")
    assert "first column" not in typed(tmp_path, "check", "c.txt", "--columns", names, "--label", "label")[0]


def test_words_that_are_numbers_are_words(tmp_path: Path) -> None:
    (tmp_path / "c.txt").write_text("1 B\n2 I\n\n7 O\n8 B\n9 I\n5 O\n\n", "utf-8")
    assert "first column" not in typed(tmp_path, "check", "c.txt")[0]


# --- words with labels on one line ---


@pytest.mark.parametrize("mark", ["/", "_"])
def test_words_with_labels_on_one_line_are_read(tmp_path: Path, mark: str) -> None:
    (tmp_path / "c.txt").write_text((" ".join(f"{word}{mark}{label}" for word, label in WORDS) + "\n") * 8, "utf-8")
    _, err = typed(tmp_path, "convert", "c.txt", "out.txt")
    assert "words with labels (word/label), 8 sentences" in err
    lines = [line for line in (tmp_path / "out.txt").read_text("utf-8").split("\n") if line.strip()]
    assert [tuple(line.split()) for line in lines if not line.startswith("-DOCSTART-")] == WORDS * 8
    typed(tmp_path, "train", "--train", "c.txt", "--model", "m.model", *FAST, "--no-dev")


def test_what_inline_writes_is_read_back(tmp_path: Path) -> None:
    (tmp_path / "c.txt").write_text(columns("{word} {label}") + "1/2 O\n/ O\n\n", "utf-8")
    typed(tmp_path, "convert", "c.txt", "inline.txt", "--to", "inline")
    typed(tmp_path, "convert", "inline.txt", "back.jsonl")
    typed(tmp_path, "convert", "c.txt", "there.jsonl")
    there, back = (perceptag.text.read(tmp_path / name) for name in ("there.jsonl", "back.jsonl"))
    assert [sentence.columns for sentence in back] == [sentence.columns for sentence in there]


def test_a_field_without_a_label_is_told_with_its_line(tmp_path: Path) -> None:
    (tmp_path / "c.txt").write_text("Anna/B-PER sings/O\n" * 300 + "in Oslo\n", "utf-8")
    _, err = typed(tmp_path, "check", "c.txt", status=2)
    assert "c.txt:301: expected a word and its label, such as word/LABEL, found 'in'" in err


@pytest.mark.parametrize("word", ["Hamlet/B-WORK_OF_ART", "https://a.example/b/NN", "his_/PRP$"])
def test_words_with_labels_that_contain_other_marks(tmp_path: Path, word: str) -> None:
    (tmp_path / "c.txt").write_text(f"Anna/B-PER sings/O\nof/O {word}\n", "utf-8")
    typed(tmp_path, "convert", "c.txt", "back.jsonl")
    [_, sentence] = perceptag.text.read(tmp_path / "back.jsonl")
    form, _, label = word.rpartition("/")
    assert [list(column) for column in sentence.columns.values()] == [["of", form], ["O", label]]


@pytest.mark.parametrize(
    "text",
    ["http://a.b/c http://a.b/d\n", "New_York B_LOC\nin O\n\n", "a/b\n\nc/d\n", "New_York\tB_LOC\nOld_Town\tB_LOC\n"],
)
def test_slashes_and_underscores_of_other_files_are_left_alone(tmp_path: Path, text: str) -> None:
    (tmp_path / "c.txt").write_text(text, "utf-8")
    done = run("check", str(tmp_path / "c.txt"))
    assert "word/label" not in done.err


def test_check_says_what_a_file_looks_like_that_it_cannot_read(tmp_path: Path) -> None:
    (tmp_path / "c.txt").write_text("<PER>Anna Berg</PER> sings.\nIn <LOC>Oslo</LOC>, too, she does.\n", "utf-8")
    assert "this looks like XML or HTML" in typed(tmp_path, "check", "c.txt", status=1)[0]


# --- layers ---


@pytest.fixture(scope="module")
def with_lemmas() -> Pipeline:
    """A pipeline whose last layer gives lemmas."""
    words = [["cats", "dogs", "mats"], ["dogs", "cats", "mats"]] * 4
    tags = Tagger("pos", epochs=2, labels_column="upos").fit(
        [{"form": s, "upos": ["VERB" if word == "dogs" else "NOUN" for word in s]} for s in words]
    )
    lemmas = Tagger("lemma", epochs=2, labels_column="lemma").fit(
        [{"form": s, "lemma": [word[:-1] for word in s]} for s in words]
    )
    rules = Rules.parse('column = "values"\n[[rule]]\nlabel = "PET"\nphrases = ["cats"]\n')
    return Pipeline([tags, rules, lemmas])


def test_the_usual_layer_is_that_of_tags_where_rules_and_lemmas_come_behind(with_lemmas: Pipeline) -> None:
    assert with_lemmas.names == ["upos", "values", "lemma"]
    assert with_lemmas.usual.name == "upos"
    assert with_lemmas.upto("values").usual.name == "values"


def test_inline_and_pretty_write_no_lemmas(tmp_path: Path, with_lemmas: Pipeline) -> None:
    with_lemmas.save(tmp_path / "p.pipeline")
    (tmp_path / "c.txt").write_text("cats\ndogs\n\n", "utf-8")
    order = ("tag", "--model", "p.pipeline", "c.txt")
    assert typed(tmp_path, *order, "--to", "inline")[0] == "cats/NOUN dogs/VERB\n"
    assert typed(tmp_path, *order, "--to", "inline", "--layer", "lemma")[0] == "cats/cat dogs/dog\n"
    assert typed(tmp_path, *order, "--pretty")[0].strip() == "[cats PET] dogs"
    typed(tmp_path, *order, "--to", "inline", "--out-dir", "out")
    assert next((tmp_path / "out").glob("c*")).read_text("utf-8") == "cats/NOUN dogs/VERB\n"


# --- commands ---


def test_text_is_cut_by_en_unless_a_model_is_named(tmp_path: Path) -> None:
    (tmp_path / "t.txt").write_text("Anna doesn't sing.\n", "utf-8")
    assert typed(tmp_path, "tokenize", "t.txt")[0].split() == ["Anna", "does", "n't", "sing", "."]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (
            ("tag", "--model", "en", "Anna sings in Oslo"),
            "expected a file, found none; text itself comes from standard",
        ),
        (("tag", "--model", "en", "Anna sings in Oslo. " * 20), "found none; text itself comes from standard input"),
        (("tag", "--model", "en", "--json", "t.txt"), "did you mean '--to jsonl'?"),
    ],
)
def test_slips_are_answered(tmp_path: Path, words: tuple[str, ...], expected: str) -> None:
    assert expected in typed(tmp_path, *words, status=2)[1]


# --- Python ---


def test_documents_are_single_values_of_an_array() -> None:
    sentences = [DocumentSentence("Anna", 0, 4, []), DocumentSentence("sings", 5, 10, [])]
    documents = [Document("Anna sings", sentences), Document("Berg sings", sentences)]
    assert np.array(documents, dtype=object).shape == (2,)  # what has indices would become a row of its sentences


def test_a_recipe_is_not_made_of_its_name() -> None:
    with pytest.raises(SettingError, match=r"Tagger\(NAME\) trains with it"):
        Recipe("ner")
    assert Recipe(epochs=3).replace({"epochs": 4}).epochs == 4
    assert list(signature(Recipe).parameters)[:2] == ["name", "description"]


def test_names_and_shapes_of_other_libraries_are_answered() -> None:
    with pytest.raises(DataError, match="takes words and tags apart"):
        Tagger().fit([[("Anna", "NNP"), ("sings", "VBZ")]])
    with pytest.raises(ModelError, match=r"perceptag.load\('en'\)"):
        perceptag.Tokenizer.load("en")
    with pytest.raises(AttributeError, match="it has text, sentences, tokens, words and spans"):
        _ = Document("Anna sings").noun_chunks  # type: ignore[attr-defined]
    assert str(evaluate([["B-PER"]], [["B-PER"]])).startswith("processed 1 tokens")


PROJECT = b"SQLite format 3\0" + bytes(52) + b"ptag" + bytes(28)  # how a project begins


@pytest.mark.parametrize("kind", ["model", "project"])
def test_text_does_not_replace_a_model_or_a_project(tmp_path, kind):
    sentences = "".join(f"{word} {label}\n" for word, label in WORDS) + "\n"
    (tmp_path / "names.txt").write_text(sentences * 3)
    typed(tmp_path, "train", "--train", "names.txt", "--model", "names.model", *FAST)
    work = tmp_path / "hours.work"
    work.write_bytes((tmp_path / "names.model").read_bytes() if kind == "model" else PROJECT)
    before = work.read_bytes()
    for words in (
        ("tag", "--model", "names.model", "names.txt", "-o", "hours.work"),
        ("convert", "names.txt", "hours.work", "--to", "conllu"),
        ("eval", "--errors", "--model", "names.model", "names.txt", "--html", "hours.work"),
    ):
        _, said = typed(tmp_path, *words, status=2)
        assert f"to replace, found a {kind}: hours.work; --overwrite replaces it" in said
    assert work.read_bytes() == before

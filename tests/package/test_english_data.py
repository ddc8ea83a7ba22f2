"""How `models/` prepares the data of the English models."""

from __future__ import annotations

import gzip
import io
from pathlib import Path

from benchmarks import english_sentences, english_texts
from models.name_corpora import SOURCES, Corpus, in_case, read_corpora, write_training
from models.name_lists import LISTS, NAMES, write_lists
from models.open_text import capitals, sentences, tokenize
from models.tag_corpora import as_ewt
from models.token_corpora import ABBREVIATIONS, DOCUMENTS, documents
from perceptag import Sentence
from perceptag.text import read_columns, read_conllu
from perceptag.text.treebank import read_treebank


def test_plain_text_becomes_sentences_of_tokens(tmp_path: Path) -> None:
    folder = tmp_path / "open" / "text_en"
    folder.mkdir(parents=True)
    for name in ("two", "one", "wikinews_en_linked"):
        (folder / f"{name}.txt.gz").write_bytes(gzip.compress(f"Text {name}. It isn't long.\n\n".encode()))
    tokenize(tmp_path, tmp_path / "tokens")
    assert (tmp_path / "tokens").read_text().splitlines() == [
        *("Text one .", "It is n't long ."),
        *("Text two .", "It is n't long ."),
    ]


def test_no_character_of_plain_text_is_lost() -> None:
    line = "Mr. O'Neill’s e-mail (a@b.org) cost $1,200.50 at 5:30 p.m.… see https://x.org/?q=1 \U0001f62d #now"
    together = "".join(token for sentence in sentences(line) for token in sentence)
    assert together == line.replace("’", "'").replace(" ", "")


def test_lists_keep_what_plain_text_confirms(tmp_path: Path) -> None:
    data = tmp_path / "open" / "names"
    data.mkdir(parents=True)
    lists = {name: [] for name in LISTS} | {
        "first": ["Rose", "Anna"],
        "last": ["Anna", "Unseen"],
        "loc": ["Paris", "New York", "the end", "Reading"],
        "org": ["Acme Bank", "Unseen Bank"],
        "company": ["Coca-Cola", "3M", "任天堂", "North, Inc.", "Big Ltd"],
    }
    for name, file in LISTS.items():
        (data / file).write_bytes(gzip.compress("\n".join(lists[name]).encode()))
    text = tmp_path / "tokens"
    text.write_text(
        "So Anna rose and Paris rose at the end reading of Acme bank\n" * 3
        + "A Big town , big house and Old horse , old house , my Old dog , North or north of North\n" * 2
        + "A big dog in an odd house\n" * 10
        + "A old one\n"
    )
    write_lists(tmp_path, capitals(text), text, tmp_path)
    kept = {name: (tmp_path / f"{name}.txt").read_text().splitlines() for name in NAMES}
    assert kept == {
        "first": ["Anna"],
        "last": ["Anna"],
        "loc": ["Paris", "New York"],
        "org": ["Acme Bank"],
        "company": ["Coca - Cola", "North , Inc.", "North", "Big Ltd"],  # Big alone is hardly ever a name
        "capital": ["acme", "anna", "paris"],
        "seldom_capital": ["big"],
        "sometimes_capital": ["old"],
        "often_capital": ["north"],
    }


def test_corpora_come_to_one_convention(tmp_path: Path) -> None:
    for source in SOURCES.values():
        for name in filter(None, (source.train, source.dev)):
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            text = "Al-Anon\tI-ORG\nx\tI-MISC\n\n" if source.scheme == "IOB1" else "Al-Anon\tB-ORG\nx\tB-MISC\n\n"
            path.write_bytes(gzip.compress((text * 10).encode()) if path.suffix == ".gz" else text.encode())
    corpora = read_corpora(tmp_path)
    for name, source in SOURCES.items():
        forms = ["Al-Anon", "x"] if source.splits_hyphens else ["Al", "-", "Anon", "x"]
        labels = ["B-ORG", "O"] if source.splits_hyphens else ["B-ORG", "I-ORG", "I-ORG", "O"]
        assert all(s.columns == {"form": forms, "ner": labels} for part in corpora[name] for s in part)
        assert (len(corpora[name].train), len(corpora[name].dev)) == ((1, 1) if source.dev else (9, 1))


def test_dev_data_has_all_cases_and_training_data_only_one(tmp_path: Path) -> None:
    sentence = Sentence({"form": ["In", "Rome"], "ner": ["O", "B-LOC"]})
    write_training({"some": Corpus([sentence], [sentence])}, tmp_path / "train", tmp_path / "dev")
    read = [list(read_columns(tmp_path / part, ("form", "ner"))) for part in ("train", "dev")]
    assert [[s.tokens for s in part] for part in read] == [
        [["In", "Rome"]],
        [["In", "Rome"], ["in", "rome"], ["IN", "ROME"]],
    ]
    assert all(s.starts_document for part in read for s in part)
    assert in_case([sentence], "upper")[0].columns["ner"] == ["O", "B-LOC"]


def test_tags_of_other_treebanks_become_those_of_ewt() -> None:
    rows = [("Hi", "INTJ", "UH"), (";", "PUNCT", ":"), ("/", "SYM", "SYM"), (":", "PUNCT", ":"), ("2", "X", "LS")]
    rows += [("a@b.org", "PROPN", "NNP"), ("United", "VERB", "NNP"), ("united", "VERB", "VBN")]
    lines = [f"{i}\t{form}\t_\t{upos}\t{xpos}\t_\t_\t_\t_\t_" for i, (form, upos, xpos) in enumerate(rows, 1)]
    changed = as_ewt("\n".join(["# text = no", *lines, ""])).split("\n")
    assert (changed[0], changed[-1]) == ("# text = no", "")
    assert [tuple(line.split("\t")[i] for i in (1, 3, 4)) for line in changed[1:-1]] == [
        *(("Hi", "INTJ", "UH"), (";", "PUNCT", ","), ("/", "SYM", ","), (":", "PUNCT", ":"), ("2", "NUM", "LS")),
        *(("a@b.org", "PROPN", "ADD"), ("United", "ADJ", "NNP"), ("united", "VERB", "VBN")),
    ]


def test_sentences_of_patterns_are_a_treebank() -> None:
    names = {"first": ["Anna", "Tim"], "last": ["Berg", "Keller"]}
    text = "".join(documents(names))
    assert text == "".join(documents(names))
    assert not set("{}|") & set(text)
    bank = read_treebank(list(read_conllu(io.StringIO(text))))
    assert sum(gold.starts_document for gold in bank.passage().sentences) == DOCUMENTS
    tokens = {token.text for gold in bank.sentences for token in gold.tokens}
    assert len(tokens & {*ABBREVIATIONS}) > 0.7 * len({*ABBREVIATIONS})
    written = [line.removeprefix("# text = ") for line in text.split("\n") if line.startswith("# text")]
    assert [gold.text.strip() for gold in bank.sentences] == written


def test_our_own_sentences_are_marked_right() -> None:
    examples = english_sentences.read()
    assert len(examples) == 120 and len({example.kind for example in examples}) == 9
    for example in examples:
        assert not set("[]") & set(example.text)
        assert all(example.text[start:end].strip() == example.text[start:end] for start, end, _ in example.names)


def test_our_own_texts_are_marked_right() -> None:
    texts = english_texts.read()
    assert len(texts) == 60 and len({text.example.kind for text in texts}) == 9
    for example, starts in texts:
        assert not {english_texts.END, english_texts.SEPARATOR} & {*example.text, *example.text.split("\n")}
        assert all(example.text[start - 1].isspace() and not example.text[start].isspace() for start in starts)
        assert all(example.text[start:end].strip() == example.text[start:end] for start, end, _ in example.names)

"""How `models/` prepares the data of the English models."""

from __future__ import annotations

import gzip
import io
from pathlib import Path

from models.name_corpora import SOURCES, read_corpora
from models.tag_corpora import as_ewt
from models.token_corpora import ABBREVIATIONS, DOCUMENTS, documents
from perceptag.text import read_conllu
from perceptag.text.treebank import read_treebank


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

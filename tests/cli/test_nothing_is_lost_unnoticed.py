"""Whatever a file says is in the file that `convert` writes, or a note names what has no place there."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest

from command_line import succeed

JSONL = """\
{"tokens": ["Anna", "sings"], "labels": ["B-PER", "O"], "lemma": ["zz1a", "zz1b"], "zzkey": "zz2", "document": "zz3"}
{"tokens": ["Bob"], "labels": ["B-PER"], "lemma": ["zz1c"], "zzkey": {"zz4": 5}, "document": "zz3"}
"""
CONLLU = """\
# newdoc id = zz3
# sent_id = zz5
# zz6 = remark
# text = Annasings aloud.
1-2\tAnnasings\t_\t_\t_\t_\t_\t_\t_\tZz=zz7
1\tAnna\tzz1a\tPROPN\tZZ8\tZz=zz9\t2\tzz10\t_\tLABEL=B-PER|Zz=zz11
2\tsings\t_\tVERB\t_\t_\t0\troot\t2:zz12\tLABEL=O
2.1\tzz13\t_\tVERB\t_\t_\t_\t_\t_\t_
3\taloud\t_\tADV\t_\t_\t2\t_\t_\tLABEL=O|SpaceAfter=No
4\t.\t_\tPUNCT\t_\t_\t2\t_\t_\tLABEL=O

"""
COLUMNS = "-DOCSTART-\n\n# zz6\nAnna\tzz1a\tB-PER\nsings\tzz1b\tO\n\n"
# What is in each file: its words, and a part of the note that names it.
FILES: dict[str, tuple[str, dict[str, str], list[str]]] = {
    "a.jsonl": (
        JSONL,
        {"zz1a": "lemma", "zz1c": "lemma", "zz2": "zzkey", "zz3": "names of documents", "zz4": "zzkey"},
        [],
    ),
    "a.conllu": (
        CONLLU,
        {
            **{"zz1a": "lemma", "zz3": "names of documents", "zz5": "comments", "zz6": "comments"},
            **{"zz7": "lines of CoNLL-U", "zz9": "feats", "zz10": "deprel", "zz11": "misc", "zz12": "deps"},
            **{"zz13": "lines of CoNLL-U", "ZZ8": "xpos"},
        },
        [],
    ),
    "a.tsv": (
        COLUMNS,
        {"zz1a": "lemma", "zz6": "comments"},
        ["--from", "columns", "--columns", "form,lemma,ner", "--comment", "#"],
    ),
}
OUT = {
    **{"b.txt": "", "b.conllu": "", "b.jsonl": "", "b.inline": "inline", "b.text": "text"},
    **{"b.doccano.jsonl": "doccano", "b.studio.json": "label-studio", "b.spacy.jsonl": "spacy", "b.ann": "brat"},
}


@pytest.mark.parametrize(("given", "out"), [*product(FILES, OUT)])
def test_everything_is_written_or_named(given: str, out: str, tmp_path: Path) -> None:
    text, words, options = FILES[given]
    (tmp_path / given).write_text(text)
    to = ["--to", OUT[out]] if OUT[out] else []
    told = succeed("convert", tmp_path / given, tmp_path / out, *options, *to, "-q").err
    written = "".join(path.read_text() for path in tmp_path.glob("b.*"))
    lost = {word: note for word, note in words.items() if word not in written}
    assert {word: note for word, note in lost.items() if note not in told} == {}, told
    assert not [word for word in words if word in written and words[word] in told and words[word] not in lost.values()]

"""A tiny treebank of French with multiword tokens: *au* is always two words, *des* only after a verb."""

from __future__ import annotations

from pathlib import Path

NOUNS = ["roi", "chat", "mur", "port", "fils", "lac", "bois", "pays", "jeu", "feu", "car", "bar"]
VERBS = ["parl", "march", "chant", "dans", "saut", "jou", "not", "port", "tomb", "rest", "mont", "pass"]


def _row(number: object, form: str, lemma: str = "_", upos: str = "_", feats: str = "_", misc: str = "_") -> str:
    return "\t".join([str(number), form, lemma, upos, "_", feats, "_", "_", "_", misc])


def sentence(i: int) -> str:
    """Return a sentence in CoNLL-U: *Le chat parle au roi.* or *Le chat parle des rois.*"""
    noun, verb, other = NOUNS[i % 12], VERBS[(i * 5 + i // 12) % 12], NOUNS[(i * 7 + 3) % 12]
    article, token, words = ("au", "au", ("à", "le")) if i % 2 else ("des", "des", ("de", "les"))
    number = "Sing" if i % 2 else "Plur"
    form = other if i % 2 else f"{other}s"
    rows = [
        f"# text = Le {noun} {verb}e {article} {form}.",
        _row(1, "Le", "le", "DET", "Number=Sing"),
        _row(2, noun, noun, "NOUN", "Number=Sing"),
        _row(3, f"{verb}e", f"{verb}er", "VERB", "Number=Sing|Person=3"),
        _row("4-5", token),
        _row(4, words[0], words[0], "ADP"),
        _row(5, words[1], "le", "DET", f"Number={number}"),
        _row(6, form, other, "NOUN", f"Number={number}", "SpaceAfter=No"),
        _row(7, ".", ".", "PUNCT"),
    ]
    return "\n".join(rows) + "\n\n"


def write_treebank(folder: Path, train: int = 48, dev: int = 12) -> Path:
    """Write the files of a treebank; no dev data if `dev` is 0."""
    folder.mkdir()
    (folder / "fr_toy-ud-train.conllu").write_text("".join(map(sentence, range(train))), "utf-8")
    if dev:
        text = "".join(map(sentence, range(train, train + dev)))
        (folder / "fr_toy-ud-dev.conllu").write_text(text, "utf-8")
    (folder / "fr_toy-ud-test.conllu").write_text("not read", "utf-8")
    return folder

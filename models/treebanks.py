"""Corpora of other languages, brought to what `perceptag build` reads: CoNLL-U, and words with names.

    iob2   number, word, name …; `# text` tells the spaces       Universal NER
    tsv    word, tags; or word, name                             other corpora, without spaces

Where a corpus does not tell the spaces, a rule does: none in Japanese, else those that punctuation marks usually have.
Portuguese words that are contracted in writing (*de* + *o*) become tokens of two words (*do*) again.
"""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterator, Sequence
from itertools import pairwise, zip_longest
from pathlib import Path
from typing import NamedTuple

FOLDER, LISTS, ABBREVIATIONS = "open/languages", "open/names/cldr", "open/abbreviations"
PARTS = ("train", "dev")
DOCUMENT = "-DOCSTART-"
OTHER = ("B-OTH", "I-OTH")  # names of a type that the other corpora do not have
RULE, NONE, TEXT = "rule", "none", "text"  # what tells the spaces


class Word(NamedTuple):
    """A word with its tags."""

    form: str
    upos: str = "_"
    xpos: str = "_"
    feats: str = "_"


class Marked(NamedTuple):
    """A sentence: lines of fields, its text if it is known, and whether a document begins with it."""

    rows: list[list[str]]
    text: str
    starts_document: bool


class Source(NamedTuple):
    """The files of a language, `{}` in their names for the part."""

    words: str  # from which tokens are learned
    names: str = ""
    tags: tuple[str, ...] = ()  # what the fields behind a word are, in files without numbers
    spaces: str = RULE
    tag_file: str = ""  # tags of the same words, if they are in another file
    is_joined: bool = False  # whether sentences follow each other without a space


def uner(bank: str) -> Source:
    """Return the source of a treebank of Universal NER."""
    return Source(f"{bank}-ud-{{}}.iob2.gz", f"{bank}-ud-{{}}.iob2.gz", spaces=TEXT)


SOURCES = {
    "da": uner("da_ddt"),
    "fi": Source("ner_fi_turku_{}.tsv.gz", "ner_fi_turku_{}.tsv.gz"),
    "hr": uner("hr_set"),
    "hu": Source("pos_hu_nerkor_{}.tsv.gz", "ner_hu_nerkor_{}.tsv.gz", ("upos", "feats")),
    "ja": Source("pos_ja_gsd_{}.tsv.gz", "ner_ja_gsd_ne_{}.tsv.gz", ("upos",), NONE),
    "no": Source("ner_no_norne_{}.tsv.gz", "ner_no_norne_{}.tsv.gz"),
    "pt": uner("pt_bosque")._replace(tag_file="pos_pt_bosque_{}.tsv.gz", tags=("upos", "feats")),
    "sk": uner("sk_snk"),
    "sr": uner("sr_set"),
    "sv": uner("sv_talbanken"),
    "zh": uner("zh_gsdsimp")._replace(is_joined=True),
}
ABBREVIATION_FILES = {"fr": "cldr_fr.txt", "pt": "cldr_pt.txt", "da": "pysbd_danish.txt", "sk": "pysbd_slovak.txt"}
UNSPACED = ("ja", "zh")
CLDR = {"no": "nb"}  # where CLDR has another code
WORLD = ("first_names", "last_names", "loc", "org")  # lists in Latin script


def write_data(data: Path, language: str, folder: Path) -> None:
    """Write the data of a language: CoNLL-U, names, and links to plain text and lists."""
    folder.mkdir(parents=True, exist_ok=True)
    for path in sorted((data / FOLDER).glob(f"{language}_*-ud-*.conllu.gz")):
        _link(path, folder / path.name)
    source = SOURCES.get(language)
    if source:
        _write_parts(data / FOLDER, source, folder)
    code = CLDR.get(language, language)
    wanted = [data / FOLDER / f"{kind}_{language}.txt.gz" for kind in ("tatoeba", "commonvoice")]
    wanted += [data / ABBREVIATIONS / ABBREVIATION_FILES.get(language, "none")]
    for path in wanted:
        _link(path, folder / path.name)
    if source and language not in UNSPACED:
        for kind in WORLD:
            target = folder / f"{kind}.txt"
            if not target.exists():
                target.write_bytes(gzip.decompress((data / f"open/names/MERGED_{kind}.txt.gz").read_bytes()))
    for kind in ("territories", "languages", "months_days"):
        _link(data / LISTS / f"{kind}_{code}.txt", folder / f"{kind}.txt")


def _write_parts(data: Path, source: Source, folder: Path) -> None:
    for part in PARTS:
        for name, write in (("conllu", write_treebank), ("names.tsv", write_names)):
            target = folder / f"{part}.{name}"
            if not target.exists() and (lines := write(data, source, part)):
                target.write_text(lines, "utf-8")


def _link(path: Path, target: Path) -> None:
    if path.exists() and not target.exists():
        target.symlink_to(path.resolve())


def write_treebank(folder: Path, source: Source, part: str) -> str:
    """Return the CoNLL-U of a part; empty if there is no such file."""
    path = _file(folder, source.words, part)
    if not path:
        return ""
    tags = _file(folder, source.tag_file, part) if source.tag_file else None
    sentences = zip_longest(_sentences(path), _sentences(tags) if tags else ())
    return "".join(_conllu(sentence, tagged, source) for sentence, tagged in sentences)


def write_names(folder: Path, source: Source, part: str) -> str:
    """Return words with names, and marks of documents; empty if there is no such file."""
    path = _file(folder, source.names, part)
    found: list[str] = []
    for sentence in _sentences(path) if path else ():
        found += [f"{DOCUMENT}\tO\n"] if sentence.starts_document else []
        for row in sentence.rows:
            form, name = row[1:3] if len(row) > 2 else row
            found.append(f"{form}\t{'O' if name in OTHER else name}")
        found.append("")
    return "\n".join(found)


def _file(folder: Path, name: str, part: str) -> Path | None:
    spellings = (part, "devel") if part == "dev" else (part,)
    return next((path for word in spellings if (path := folder / name.format(word)).exists()), None)


def _sentences(path: Path) -> Iterator[Marked]:
    rows: list[list[str]] = []
    text, starts = "", False
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in map(str.rstrip, (*lines, "")):
            if line.startswith(DOCUMENT) or line.startswith("# newdoc"):
                starts = True
            elif line.startswith("# text ="):
                text = line.partition("=")[2].strip()
            elif line and ("\t" in line or not line.startswith("#")):
                rows.append(line.split("\t"))
            elif not line and rows:
                yield Marked(rows, text, starts)
                rows, text, starts = [], "", False


def _conllu(sentence: Marked, tagged: Marked | None, source: Source) -> str:
    if sentence.text:
        words = [Word(row[1]) for row in sentence.rows]
    else:
        words = [_tagged(row, source.tags) for row in sentence.rows]
    if tagged:
        words = [_tagged(row, source.tags) for row in tagged.rows]
        assert [word.form for word in words] == [row[1] for row in sentence.rows], sentence.text
    forms = [word.form for word in words]
    spaces = _spaces_of_text(sentence.text, forms) if source.spaces == TEXT else _spaces(forms, source.spaces)
    spaces[-1] = not source.is_joined and source.spaces != NONE
    lines = ["# newdoc"] if sentence.starts_document else []
    number = 0
    while number < len(words):
        several = _contraction(words, number) if source.tag_file else ""
        if several:
            lines.append(_line(f"{number + 1}-{number + 2}", Word(several), spaces[number + 1]))
        for _ in range(2 if several else 1):
            lines.append(_line(str(number + 1), words[number], spaces[number] or bool(several)))
            number += 1
    return "\n".join(lines) + "\n\n"


def _tagged(row: Sequence[str], tags: Sequence[str]) -> Word:
    return Word(row[0], **dict(zip(tags, (value or "_" for value in row[1:]), strict=False)))


def _line(number: str, word: Word, has_space: bool) -> str:
    tags = (word.upos, word.xpos, word.feats)
    return "\t".join([number, word.form, "_", *tags, "_", "_", "_", "_" if has_space else "SpaceAfter=No"])


# --- spaces ---

OPENING, CLOSING = frozenset("([{\u201e\u00ab\u2018"), frozenset(")]}\u201d\u00bb\u2026%")
_ENDING = re.compile(r"[.,;:!?]+")


def _spaces_of_text(text: str, forms: Sequence[str]) -> list[bool]:
    """Return whether a space follows each word, in the text that they are from."""
    found, place = [], 0
    for form in forms:
        place = text.index(form, place) + len(form)
        found.append(text[place : place + 1].isspace())
    return found


def _spaces(forms: Sequence[str], rule: str) -> list[bool]:
    """Return whether a space follows each word, by a rule.

    >>> _spaces(["(", "a", ",", "b", ")", '"', "c", '"', "."], RULE)
    [False, False, True, False, True, False, False, False, True]
    """
    if rule == NONE:
        return [False] * len(forms)
    found = []
    is_quoted = False
    for form, following in pairwise([*forms, "end"]):
        is_quoted ^= form == '"'
        is_opening = form in OPENING or (form == '"' and is_quoted)
        is_closing = following in CLOSING or _ENDING.fullmatch(following) or (following == '"' and is_quoted)
        found.append(not is_opening and not (is_closing and form != following))
    return found


# --- Portuguese ---

_ARTICLES = ("o", "a", "os", "as")
_CONTRACTED = {
    **{
        ("de", word): f"d{word}"
        for word in (*_ARTICLES, "ele", "ela", "eles", "elas", "este", "esta", "estes", "estas")
    },
    **{
        ("de", word): f"d{word}"
        for word in ("esse", "essa", "esses", "essas", "aquele", "aquela", "aqueles", "aquelas")
    },
    **{("de", word): f"d{word}" for word in ("isto", "isso", "aquilo", "aqui", "ali")},
    **{
        ("em", word): f"n{word}"
        for word in (*_ARTICLES, "ele", "ela", "eles", "elas", "este", "esta", "estes", "estas")
    },
    **{
        ("em", word): f"n{word}"
        for word in ("esse", "essa", "esses", "essas", "aquele", "aquela", "aqueles", "aquelas")
    },
    **{("em", word): f"n{word}" for word in ("um", "uma", "uns", "umas", "isto", "isso", "aquilo")},
    **{("por", word): f"pel{word}" for word in _ARTICLES},
    **{("a", word): f"\u00e0{word[1:]}" for word in ("a", "as", "aquele", "aquela", "aqueles", "aquelas", "aquilo")},
    **{("a", word): f"a{word}" for word in ("o", "os")},
}
_CLITICS = frozenset(("se", "lhe", "lhes", "me", "nos", "te"))


def _contraction(words: Sequence[Word], number: int) -> str:
    """Return how two words are written as one; empty: they are not.

    >>> _contraction([Word("Em", "ADP"), Word("os", "DET")], 0)
    'Nos'
    >>> _contraction([Word("limitou", "VERB"), Word("se", "PRON"), Word("a", "ADP")], 0)
    'limitou-se'
    """
    if number + 1 >= len(words):
        return ""
    first, second = words[number], words[number + 1]
    if first.upos == "ADP" and second.upos in ("DET", "PRON", "ADV"):
        found = _CONTRACTED.get((first.form.lower(), second.form), "")
        return found.capitalize() if first.form[0].isupper() else found
    behind = words[number + 2].upos if number + 2 < len(words) else ""
    if first.upos == "VERB" and second.upos == "PRON" and second.form in _CLITICS and behind != "VERB":
        return f"{first.form}-{second.form}"
    return ""

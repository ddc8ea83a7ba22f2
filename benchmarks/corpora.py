"""Corpora as column files that every system reads: parts of speech of EWT, noun phrases of CoNLL-2000."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from importlib import resources
from pathlib import Path

from benchmarks.features import Pattern
from benchmarks.task import Task
from perceptag.features.template import parse_all
from perceptag.labels.schemes import keep_types
from perceptag.recipe.recipe import load
from perceptag.text import Sentence, read_columns, read_conllu

Rows = Iterable[Sequence[Sequence[str]]]  # sentences as columns

# 24 templates: words and pairs of words, the spelling of the word, and a little of that of its neighbours.
POS_TEMPLATES = (
    *("form[-2]", "form[-1]", "form[0]", "form[1]", "form[2]", "form[-1] form[0]", "form[0] form[1]"),
    *("lower[0]", "prefix1[0]", "prefix2[0]", "prefix3[0]", "prefix4[0]"),
    *("suffix1[0]", "suffix2[0]", "suffix3[0]", "suffix4[0]", "shape[0]", "digit[0]", "upper[0]", "hyphen[0]"),
    *("suffix3[-1]", "suffix3[1]", "shortshape[-1]", "shortshape[1]"),
    "bias * y-1 y0",
)
NO_DATA = "the corpus in the package (set PERCEPTAG_DATA for real ones): far too small to say anything about speed"


def prepare(data: str | None, folder: Path) -> list[Task]:
    """Write the tasks' files into `folder`. Without real data the shipped corpus is used, and the note says so."""
    ewt, chunks = (Path(data, name) if data else None for name in ("ewt", "conll2000"))
    pos = _ewt(ewt, chunks) if ewt and ewt.is_dir() else _shipped(("form", "pos"))
    phrases = _chunking(chunks) if chunks and chunks.is_dir() else _shipped(("form", "pos", "chunk"))
    np_templates = tuple(t for t in load("collins-np").templates if "y-2" not in t)
    tasks = [
        write_task(folder, "ewt", ("form", "xpos"), "accuracy", POS_TEMPLATES, *pos),
        write_task(folder, "np", ("form", "pos", "chunk"), "F1", np_templates, *phrases),
    ]
    for task in tasks:
        task.save(folder / f"{task.name}.json")
    return tasks


def write_task(
    folder: Path,
    name: str,
    columns: tuple[str, ...],
    metric: str,
    templates: tuple[str, ...],
    title: str,
    parts: Sequence[Rows],
    note: str,
) -> Task:
    """Write training data, dev data and text as column files."""
    paths = [folder / f"{name}-{part}.txt" for part in ("train", "dev", "text")]
    for path, sentences in zip(paths, parts, strict=True):
        with path.open("w", encoding="utf-8") as out:
            out.writelines("\n".join(map("\t".join, zip(*s, strict=True))) + "\n\n" for s in sentences)
    train, dev, text = map(str, paths)
    return Task(name, title, columns, train, dev, text, metric, templates, patterns_of(templates, columns), note)


def patterns_of(templates: Sequence[str], columns: Sequence[str]) -> list[Pattern]:
    """Return what templates look at, for systems that take attribute strings; they have transitions of their own."""
    parsed = [t for t in parse_all(templates, columns) if not t.is_plain_transition]
    return [[(f.column, f.attributes, f.offset) for f in t.fields] for t in parsed]


def ewt_tags(folder: Path) -> list[list[Sequence[Sequence[str]]]]:
    """Return the words and tags of the training and the dev data."""
    return [[*_two(read_conllu(folder / f"en_ewt-ud-{part}.conllu"), "xpos")] for part in ("train", "dev")]


def _ewt(folder: Path, more: Path | None) -> tuple[str, list[Rows], str]:
    train, dev = ewt_tags(folder)
    text = list(dev)
    if more and more.is_dir():  # text of another kind, with words that training has not seen
        text += [s for part in ("test", "train") for s in _two(_read(more / f"{part}.txt"), "pos")]
    return "parts of speech, UD English EWT", [train, dev, text], ""


def _two(sentences: Iterable[Sentence], label: str) -> Iterator[Sequence[Sequence[str]]]:
    # Spaces separate the columns of a file, but a few forms of EWT contain them.
    return (([w.replace(" ", "_") for w in s.tokens], s.columns[label]) for s in sentences)


def _read(path: Path) -> Iterator[Sentence]:
    return read_columns(path, ["form", "pos", "chunk"])


def _chunking(folder: Path) -> tuple[str, list[Rows], str]:
    train, test = ([*_noun_phrases(_read(folder / f"{part}.txt"))] for part in ("train", "test"))
    return "noun phrases, CoNLL-2000", [train, test, test], ""


def _noun_phrases(sentences: Iterable[Sentence]) -> Iterator[Sequence[Sequence[str]]]:
    return ((s.columns["form"], s.columns["pos"], keep_types(s.columns["chunk"], ["NP"])) for s in sentences)


def _shipped(columns: tuple[str, ...]) -> tuple[str, list[Rows], str]:
    folder = Path(str(resources.files("perceptag") / "data"))
    names = ["form", "pos", "chunk", "ner"]
    parts = [[s for s in read_columns(folder / f"{p}.txt", names) if len(s)] for p in ("train", "dev")]
    train, dev = (
        [*_noun_phrases(part)] if "chunk" in columns else [[s.columns[c] for c in columns] for s in part]
        for part in parts
    )
    what = "noun phrases" if "chunk" in columns else "parts of speech"
    return f"{what}, {NO_DATA}", [train, dev, dev], NO_DATA

"""``perceptag split``: split labelled data into parts, such as train, dev and test."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from perceptag.cli.declare import Argument, Option
from perceptag.cli.foreign_files import take_in
from perceptag.cli.input_files import taken_for_words
from perceptag.cli.options import Json, LabelledColumns, Quiet, Seed
from perceptag.cli.streams import write_json, write_stderr, write_stdout
from perceptag.cli.table import Table, render
from perceptag.errors import DataError, SettingError
from perceptag.foreign.file_hints import explained, looks_like, own_format
from perceptag.foreign.label_column import choose_label
from perceptag.inspecting.limits import EQUAL_IN_DOCUMENTS
from perceptag.system.file_kinds import TEXT
from perceptag.system.output_files import open_output
from perceptag.system.replacing import check_output, refuse_file_for_folder
from perceptag.tagging.naming import format_of
from perceptag.text import Sentence, jsonl, write
from perceptag.text import format as formats
from perceptag.text.lines import keeps_encoding

if TYPE_CHECKING:  # the help does not need it
    from perceptag.inspecting.splitting import CorpusSplit

PARTS = "train=0.8,dev=0.1,test=0.1"
COMPRESSED = (".gz", ".bz2", ".xz", ".zst")
SHOWN = 20  # labels in the table, the rarest


class By(str, Enum):
    """The unit that is kept whole."""

    DOCUMENT = "document"
    SENTENCE = "sentence"


@dataclass(eq=False, repr=False)
class SplitOptions:
    """How a file is split, and where its parts go."""

    parts: Annotated[
        str, Option("NAME=SHARE,...", "The parts and their shares, which add up to 1, or to 100 per cent.")
    ] = PARTS
    out: Annotated[str, Option("--output -o DIR", "Folder for the parts; default: that of FILE.")] = ""
    by: Annotated[
        By | None, Option("UNIT", "What stays whole: document or sentence; default: documents if marked.")
    ] = None
    stratify: Annotated[bool, Option("--stratify", "Give every part its share of each label, rare ones first.")] = False
    seed: Seed = 0
    overwrite: Annotated[bool, Option("--overwrite", "Replace existing files.")] = False


def split_cli(
    file: Annotated[str, Argument("FILE", "Labelled sentences.")],
    reading: LabelledColumns,
    how: SplitOptions,
    quiet: Quiet = False,
    json_: Json = False,
) -> None:
    """Split labelled data into parts.

    Each part is a file next to FILE, such as news.train.txt for news.txt. Sentences keep their order and their bytes,
    comments included; parts of a file in another encoding are UTF-8. Parts of tables and of exports of annotation tools
    are JSON lines. Marked documents stay whole, and equal sentences stay in one part.

    The same file, options and seed give the same parts.
    """
    report = split(file, reading, how)
    for line in () if quiet else report.notes():
        write_stderr(line)
    if not keeps_encoding(file):
        write_stderr("note: the parts are written in UTF-8: read them without --encoding")
    write_json(report.to_dict()) if json_ else write_stdout(report.render())


def split(file: str, reading: LabelledColumns, how: SplitOptions) -> Parts:
    """Write the parts of a file."""
    from perceptag.inspecting.splitting import split as split_sentences
    from perceptag.inspecting.splitting import usual_unit

    shares, format_, label = parse_parts(how.parts), formats_of(file, reading), reading.label
    taken = take_in(file) if reading.format is None and reading.names is None else None
    format_ = format_ if taken is None else jsonl.FORMAT
    targets = {
        part: part_file(file, part, how.out, "" if taken is None else jsonl.FORMAT.endings[0]) for part in shares
    }
    make_folder(how.out)
    check_targets(targets, file, how.overwrite)
    sentences, pieces = read_own(file, format_, reading) if taken is None else (taken, [])
    if not any(map(len, sentences)):
        raise DataError("there is no sentence to split", where=file)
    column = choose_label(sentences, label, format_) if label or len(sentences[0].columns) > 1 else ""
    if how.stratify and not column:
        raise SettingError("--stratify: expected a column of labels, found words only")
    unit = how.by.value if how.by else usual_unit(sentences)
    smallest = EQUAL_IN_DOCUMENTS if unit == By.DOCUMENT else 1
    chosen: dict[str, Any] = {"stratify": how.stratify, "equal": smallest, "seed": how.seed}
    found = split_sentences(sentences, shares, by=unit, column=column, **chosen)
    for part, target in targets.items():
        write_part(found.numbers(part), sentences, pieces, format_, target)
    return Parts(file, found, sentences, summed(sentences, found, targets, column), smallest)


def write_part(
    numbers: Sequence[int], sentences: Sequence[Sentence], pieces: Sequence[bytes], format_: formats.Format, target: str
) -> None:
    """Write some sentences: as they are in a file of text, else in their format."""
    from perceptag.text.verbatim import joined

    if not pieces:
        write([sentences[i] for i in numbers], target, format_.name, overwrite=True)
        return
    with open_output(target) as stream:
        stream.write(joined([pieces[i] for i in numbers], format_))


def formats_of(path: str, reading: LabelledColumns) -> formats.Format:
    """The format of a file that is read twice, once as bytes."""
    if path == "-":
        raise SettingError("split: expected a file, whose name the parts get; found standard input")
    return format_of(path, reading.format or (own_format(path) if reading.names is None else None))


def read_own(path: str, format_: formats.Format, reading: LabelledColumns) -> tuple[list[Sentence], list[bytes]]:
    """The sentences of a file of perceptag's own formats, and the bytes of each; an error says what else it may be."""
    from perceptag.text.verbatim import read_verbatim

    try:
        sentences, pieces = read_verbatim(path, format_, reading.names)
    except DataError as error:
        hint = looks_like(path) if reading.format is None else ""
        raise explained(error, hint) from None
    is_guessed = reading.format is None and reading.names is None
    if is_guessed and (hint := taken_for_words(path, sentences)):
        raise DataError(hint, path)
    return sentences, pieces


def make_folder(name: str) -> None:
    """Create the folder of the parts, unless it is there; that one only, since its path may be misspelt."""
    refuse_file_for_folder("--output", name)
    try:
        Path(name).mkdir(exist_ok=True)
    except FileNotFoundError:
        raise SettingError(f"--output {name}: there is no folder {str(Path(name).parent)!r}") from None
    except OSError as error:
        raise SettingError(f"--output: cannot make the folder {name}: {error.strerror}") from None


def parse_parts(text: str) -> dict[str, float]:
    """The names and shares in ``--parts train=0.8,dev=0.2``, or ``train=80,dev=20``, with or without ``%``.

    >>> parse_parts("train=80%,dev=20%")
    {'train': 0.8, 'dev': 0.2}
    """
    shares: dict[str, float] = {}
    for word in text.split(","):
        name, equals, value = (part.strip() for part in word.partition("="))
        try:
            share = float(value.removesuffix("%"))
        except ValueError:
            share = math.nan
        if not name or not equals or not 0 < share <= 100 or name in shares or {"/", "\0"} & {*name}:
            raise SettingError(f"--parts: expected different names with shares, such as {PARTS}; found {word!r}")
        shares[name] = share
    total = sum(shares.values())
    if "%" not in text and math.isclose(total, 1, abs_tol=1e-6):
        return shares
    if not math.isclose(total, 100, abs_tol=1e-4):
        raise SettingError(f"--parts: expected shares that are 1 together, or 100 per cent; found {total:g}")
    return {name: share / 100 for name, share in shares.items()}


def part_file(path: str, part: str, folder: str, ending: str = "") -> str:
    """The file of a part: its name stands before the ending. It is not compressed.

    >>> part_file("data/news.txt", "dev", ""), part_file("data/eng", "dev", "out"), part_file("a.txt.gz", "dev", "")
    ('data/news.dev.txt', 'out/eng.dev', 'a.dev.txt')
    """
    source = Path(path)
    source = source.with_suffix("") if source.suffix in COMPRESSED else source
    return str((Path(folder) if folder else source.parent) / f"{source.stem}.{part}{ending or source.suffix}")


def check_targets(targets: Mapping[str, str], source: str, overwrite: bool) -> None:
    """Refuse to write over files, before anything is read."""
    for target in targets.values():
        check_output("--parts", target, TEXT, [source], overwrite=True)
        if Path(target).exists() and not overwrite:
            raise SettingError(f"{target}: the file is there already; --overwrite replaces it")


@dataclass(frozen=True, slots=True)
class Part:
    """The size of a part, and its labels."""

    name: str
    file: str
    documents: int
    sentences: int
    tokens: int
    labels: dict[str, int]


def summed(sentences: Sequence[Sentence], found: CorpusSplit, targets: Mapping[str, str], column: str) -> list[Part]:
    """Count what is in each part."""
    from perceptag.inspecting.splitting import marks_of

    marks = marks_of(sentences, column) if column else [[] for _ in sentences]
    parts = []
    for name, target in targets.items():
        numbers = found.numbers(name)
        counts = Counter(label for i in numbers for label in marks[i])
        documents = sum(sentences[i].starts_document for i in numbers)
        tokens = sum(len(sentences[i]) for i in numbers)
        parts.append(Part(name, target, documents, len(numbers), tokens, dict(sorted(counts.items()))))
    return parts


@dataclass(frozen=True, slots=True)
class Parts:
    """All parts of a file."""

    file: str
    split: CorpusSplit
    sentences: Sequence[Sentence]
    parts: list[Part]
    equal: int

    def to_dict(self) -> dict[str, Any]:
        """A dictionary for JSON."""
        facts = {"file": self.file, "by": self.split.by, "groups": self.split.groups, "equal": self.equal}
        return facts | {"shared": self.split.shared, "parts": [asdict(part) for part in self.parts]}

    def notes(self) -> list[str]:
        """Return notes for the user."""
        sentences = self.sentences
        notes = []
        if self.split.shared:
            short = f"all shorter than {self.equal} tokens"
            notes.append(f"note: {self.split.shared} different sentences are in several parts, {short}")
        if self.split.largest > max(1, len(sentences) / 5):
            share = f"{self.split.largest} of {len(sentences)} sentences"
            notes.append(f"note: {share} stay together: they are one document, or have equal sentences")
        if self.split.by != By.DOCUMENT and any(sentence.starts_document for sentence in sentences):
            notes.append("note: documents are cut into sentences; their marks stay with their first sentences")
        return notes

    def render(self) -> str:
        """A table of the parts, and one of the rarest labels."""
        total = sum(part.sentences for part in self.parts)
        table = Table(["part", "documents", "sentences", "share", "tokens", "file"], numbers=(1, 2, 3, 4))
        for part in self.parts:
            share = f"{100 * part.sentences / total:.1f} %"
            sizes = f"{part.documents:,}", f"{part.sentences:,}", share, f"{part.tokens:,}"
            table.add(part.name, *sizes, part.file)
        counts = Counter[str]()
        for part in self.parts:
            counts.update(part.labels)
        if not counts:
            return render(table)
        labels = Table(["label", *(part.name for part in self.parts)], numbers=range(1, len(self.parts) + 1))
        for label, _ in sorted(counts.items(), key=lambda item: (item[1], item[0]))[:SHOWN]:
            labels.add(label, *(f"{part.labels.get(label, 0):,}" for part in self.parts))
        title = "labels" if len(counts) <= SHOWN else f"the {SHOWN} rarest of {len(counts)} labels"
        return render(table) + "\n" + render(labels, title)

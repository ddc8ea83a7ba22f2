"""``perceptag convert``: convert sentences to another file format, or to and from other annotation tools."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator, Sequence
from pathlib import PurePath
from typing import Annotated

from perceptag.cli.declare import Argument, Option
from perceptag.cli.input_files import choose_label, read_all, refuse_same_file
from perceptag.cli.options import INPUT, ColumnOptions, Columns, Comment, Quiet
from perceptag.cli.streams import write_nothing, write_stderr
from perceptag.cli.tokenize import open_tokenizer
from perceptag.errors import SettingError, brief, nearest
from perceptag.foreign.brat import ENDING, NAME, read_brat, text_file
from perceptag.foreign.marking import marked
from perceptag.foreign.read_export import (
    MISSING,
    TOOLS,
    ForeignFile,
    as_jsonl,
    fit_texts,
    foreign_tool,
    read_foreign,
    words_of,
)
from perceptag.foreign.write_export import WRITTEN, left_out, write_foreign
from perceptag.pipeline.installed import path_of
from perceptag.system.compression import without_ending
from perceptag.text import FORMATS, Sentence, jsonl, write
from perceptag.text.compressed import decompressed
from perceptag.text.format import Format
from perceptag.text.formats import choose
from perceptag.text.lines import byte_chunks

READ = (*(name for name in FORMATS if name not in ("text", "inline")), *TOOLS, NAME)
TO = tuple(dict.fromkeys((*FORMATS, *WRITTEN)))


def convert_cli(
    source: Annotated[str, Argument("IN", "The file to read; '-': stdin.")],
    target: Annotated[str, Argument("OUT", "The file to write; '-': stdout.")],
    from_: Annotated[str, Option("FORMAT", f"{', '.join(READ)}; default: by the name and the records.")] = "",
    to: Annotated[str, Option("FORMAT", f"{', '.join(TO)}; default: by the name.")] = "",
    columns: Columns = "",
    comment: Comment = "",
    label: Annotated[str, Option("NAME", "The column with the labels of spans.", group=INPUT)] = "",
    tokenizer: Annotated[str, Option("MODEL", "A tokeniser, for texts without tokens: a file, or e.g. en.")] = "",
    quiet: Quiet = False,
) -> None:
    """Convert a file of sentences to another format.

    Formats are those of the other commands, and those of other tools, which mark spans of characters: doccano,
    label-studio, spacy (Doc.to_json) and brat (.ann, next to .txt) are read and written, prodigy is read. A span that
    does not fit the tokens is reported, and its sentence has '_' for labels that are not known.
    """
    count = convert(
        *(source, target, from_, to),
        columns=columns,
        comment=comment,
        label=label,
        tokenizer=tokenizer,
        note=write_nothing if quiet else write_stderr,
    )
    if not quiet and target != "-":
        write_stderr(f"converted {count} sentence{'' if count == 1 else 's'}: {target}")


def convert(
    source: str,
    target: str,
    from_: str = "",
    to: str = "",
    *,
    columns: str = "",
    comment: str = "",
    label: str = "",
    tokenizer: str = "",
    note: Callable[[str], object] = write_nothing,
) -> int:
    """Convert a file; return the number of its sentences. `note` is told what the user should know."""
    for option, name, known in (("--from", from_, READ), ("--to", to, TO)):
        if name and name not in known:
            raise SettingError(f"{option}: expected {', '.join(known)}, found {brief(name)}{nearest(name, known)}")
    written = to or (NAME if PurePath(target).suffix == ENDING else choose(None, target).name)
    _refuse_inputs(source, from_, target, written)
    other = _read_foreign(source, from_, tokenizer)
    if other is None:
        reading = ColumnOptions(columns, from_, comment)
        read_as = choose(reading.format, source)
        sentences = read_all(source, read_as, reading.names, "input")
    else:
        read_as, sentences = jsonl.FORMAT, _filled(other)
    spans_in = choose_label(sentences, label, read_as) if written in WRITTEN else ""
    if written in WRITTEN:
        write_foreign(marked(sentences, spans_in), target, written)
    else:
        write(_fitted(sentences, FORMATS[written]), target, written)
    for text in (*(other.notes if other else ()), *left_out(sentences, written, spans_in)):
        note(f"note: {text}")
    return len(sentences)


def _refuse_inputs(source: str, from_: str, target: str, written: str) -> None:
    """Refuse to write over what is read; brat has a file of text next to the file that is named."""
    inputs = [source, *([str(text_file(source))] if _is_brat(source, from_) else [])]
    for file in [target, *([str(text_file(target))] if written == NAME else [])]:
        refuse_same_file("OUT", file, inputs)


def _is_brat(source: str, from_: str) -> bool:
    return from_ == NAME or (not from_ and PurePath(source).suffix == ENDING)


def _read_foreign(source: str, from_: str, tokenizer: str) -> ForeignFile | None:
    """Read the file of another tool: one that is named, or .ann, or JSON whose records show it."""
    words = words_of(open_tokenizer(path_of(tokenizer))) if tokenizer else None
    if _is_brat(source, from_):
        return fit_texts([read_brat(source)], NAME, source, words, keeps_all=False)
    is_json = PurePath(without_ending(source)).suffix.lower() in jsonl.FORMAT.endings
    if from_ not in TOOLS and (from_ or not is_json):
        return None
    with decompressed(source) as stream:
        data = b"".join(byte_chunks(stream, stream.name))  # type: ignore[arg-type]
        tool = from_ or foreign_tool(data)
        return read_foreign(data, stream.name, tool, words, keeps_all=False) if tool else None


def _filled(other: ForeignFile) -> list[Sentence]:
    """Return sentences, all of which have labels; those that are not known are '_'."""
    sentences = list(jsonl.read_jsonl(io.BytesIO(as_jsonl(other.sentences))))
    for sentence, origin in zip(sentences, other.sentences, strict=True):
        sentence.columns.setdefault("label", [MISSING] * len(sentence))
        sentence.source, sentence.line = origin.where, 0
    return sentences


def _fitted(sentences: Sequence[Sentence], format_: Format) -> Iterator[Sentence]:
    """Yield sentences that a format can hold: CoNLL-U puts columns that it does not have into misc."""
    for sentence in sentences:
        yield _in_misc(sentence, format_) if format_.columns and format_.with_labels else sentence


def _in_misc(sentence: Sentence, format_: Format) -> Sentence:
    assert format_.with_labels is not None
    for name in [name for name in sentence.columns if name not in format_.columns]:
        sentence = format_.with_labels(sentence, name, sentence.columns[name])
    return sentence

"""``perceptag convert``: convert sentences to another file format, or to and from other annotation tools."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import PurePath
from typing import Annotated

from perceptag.cli.declare import Argument, Option
from perceptag.cli.foreign_files import read_foreign_file, tell
from perceptag.cli.input_files import read_all
from perceptag.cli.options import (
    INPUT,
    ColumnOptions,
    Columns,
    Comment,
    Encoding,
    LabelNames,
    Overwrite,
    Quiet,
    TextIn,
    TokenizerIn,
    names_in,
)
from perceptag.cli.streams import write_stderr
from perceptag.errors import DataError, LostLabel, SettingError, brief, nearest
from perceptag.foreign import text_in_parquet
from perceptag.foreign.as_sentences import as_sentences
from perceptag.foreign.brat import ENDING, NAME, text_file
from perceptag.foreign.file_hints import own_format
from perceptag.foreign.intake import READ as FOREIGN
from perceptag.foreign.intake import brat_files, is_brat
from perceptag.foreign.label_column import choose_label, column_from_misc
from perceptag.foreign.marking import marked
from perceptag.foreign.text_in_conllu import in_conllu
from perceptag.foreign.write_export import KINDS, WRITTEN, left_out, refuse_other_text, write_foreign
from perceptag.labels.label_spellings import usual_spellings
from perceptag.labels.schemes import in_scheme
from perceptag.system.compression import without_ending
from perceptag.system.file_kinds import ANY_TEXT
from perceptag.system.given_file import NO_FACTS, FileFacts, GivenFile
from perceptag.system.replacing import check_output
from perceptag.text import FORMATS, Sentence, jsonl, parquet, write
from perceptag.text.columns import asks_for_tabs, write_columns
from perceptag.text.format import Format
from perceptag.text.formats import choose, told_by_name
from perceptag.text.sentence import with_last
from perceptag.text.shared_columns import SAME_COLUMNS, SharedColumns

COLUMNS, CONLLU = "columns", "conllu"
READ = (*(name for name in FORMATS if name not in ("text", "inline")), *FOREIGN)
TO = (*(name for name in FORMATS if name != "crfsuite"), *WRITTEN)


def convert_cli(
    source: Annotated[str, Argument("IN", "The file to read; '-': stdin.")],
    target: Annotated[str, Argument("OUT", "The file to write; '-': stdout.")],
    from_: Annotated[
        str, Option("FORMAT", f"{', '.join(READ)}; default: by the name and the records.", complete=lambda _: [*READ])
    ] = "",
    to: Annotated[str, Option("FORMAT", f"{', '.join(TO)}; default: by the name.", complete=lambda _: [*TO])] = "",
    columns: Columns = "",
    comment: Comment = "",
    encoding: Encoding = "",
    label: Annotated[str, Option("NAME", "The column with the labels of spans.", group=INPUT)] = "",
    tokenizer: TokenizerIn = "",
    unlabelled: Annotated[
        str, Option("O|missing", "Tokens of texts without spans: O, the default, or missing labels.", group=INPUT)
    ] = "O",
    label_names: LabelNames = "",
    text: TextIn = "",
    iob: Annotated[bool, Option("--iob", "Write labels such as B_PER, B:PER, b-per, PER-B and PER as B-PER.")] = False,
    overwrite: Overwrite = False,
    quiet: Quiet = False,
) -> None:
    """Convert a file of sentences to another format.

    Formats are those of the other commands, and those of other tools, which mark spans of characters: doccano,
    label-studio, spacy (Doc.to_json) and brat (.ann, next to .txt) are read and written, prodigy is read. A span that
    does not fit the tokens is reported, and its sentence has '_' for labels that are not known. Records of tokens and
    tags, texts with names but without offsets (mentions), tables with a header and DocBin are read, too. IN may be a
    folder or a pattern of files of brat.
    """
    count = convert(
        *(source, target, from_, to),
        columns=columns,
        comment=comment,
        label=label,
        facts=FileFacts(encoding, tokenizer, unlabelled, names_in(label_names), text=text),
        iob=iob,
        overwrite=overwrite,
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
    facts: FileFacts = NO_FACTS,
    iob: bool = False,
    overwrite: bool = False,
) -> int:
    """Convert a file; return the number of its sentences. What is lost is written to standard error.

    `iob`: labels in another spelling, such as ``B_PER``, are written in the usual one.
    """
    for option, name, known in (("--from", from_, READ), ("--to", to, TO)):
        if name and name not in known:
            raise SettingError(f"{option}: expected {', '.join(known)}, found {brief(name)}{nearest(name, known)}")
    written = to or _by_name(target)
    _check_target(source, from_, target, written, overwrite)
    source = GivenFile(source, replace(facts, label=label))
    is_foreign = from_ in FOREIGN or not (from_ or columns or comment)
    other = read_foreign_file(source, from_) if is_foreign else None
    if other is None:
        reading = ColumnOptions(columns, from_, comment)
        read_as = choose(reading.format or own_format(source), source)
        sentences = read_all(source, None if is_foreign else read_as, reading.names, "input")
    else:
        read_as, sentences = jsonl.FORMAT, as_sentences(other, facts.unlabelled)
    if iob:
        sentences = _in_usual_spelling(sentences, choose_label(sentences, label, read_as))
    has_misc = read_as.name == CONLLU and written != CONLLU  # where labels may be, which others have a column for
    column = column_from_misc(sentences) if has_misc and not label else ""
    shows_one = written in WRITTEN or FORMATS[written].shows_last
    if not column and (shows_one or has_misc or (label and other is None)):  # an unknown --label is an error
        column = choose_label(sentences, label, read_as)
    spans_in = column if written in WRITTEN else ""
    if written in SAME_COLUMNS and read_as.name not in SAME_COLUMNS:
        sentences = _with_shared_columns(sentences, label, read_as)
    if written in WRITTEN:
        texts = list(marked(sentences, spans_in))
        if written == NAME and not overwrite:
            refuse_other_text(texts, target)
        write_foreign(texts, target, written)
    elif written == COLUMNS:
        ordered = sentences if read_as.name == COLUMNS else _in_usual_order(sentences)
        write_columns(ordered, target, separator=_separator(sentences, target))
    else:
        if FORMATS[written].shows_last:
            sentences = [with_last(sentence, column) for sentence in sentences]
        write(_fitted(sentences, FORMATS[written]), target, written, overwrite=overwrite)
    tell(map(LostLabel, left_out(sentences, written, spans_in)))
    return len(sentences)


def _in_usual_spelling(sentences: Sequence[Sentence], column: str) -> list[Sentence]:
    usual = usual_spellings(Counter(label for sentence in sentences for label in sentence.columns.get(column, ())))
    if not usual:
        found = f"column {column!r}: expected labels such as B_PER, B:PER, b-per, PER-B or PER, found others"
        raise DataError(f"--iob: {found}", sentences[0].source)
    changed = [[usual[label] for label in sentence.columns[column]] for sentence in sentences]
    if all(new in ("O", f"I-{label}") for label, new in usual.items()):
        changed = [in_scheme(labels, "IOB2", "IOB1") for labels in changed]
    return [replace(s, columns={**s.columns, column: labels}) for s, labels in zip(sentences, changed, strict=True)]


def _with_shared_columns(sentences: list[Sentence], label: str, read_as: Format) -> list[Sentence]:
    """Leave out columns that some sentences lack, and say so; the labels must be in all of them."""
    shared = SharedColumns.of(sentences)
    if not shared.lost or choose_label(sentences, label, read_as) in shared.lost:
        return sentences
    write_stderr(f"note: {shared.told()}")
    return list(shared.only(sentences))


def _in_usual_order(sentences: Sequence[Sentence]) -> Iterator[Sentence]:
    """Yield sentences with the words in the first column and the labels in the last, where column files have them."""
    for s in sentences:
        names = sorted(s.columns, key=lambda name: {"form": 0, "label": 2}.get(name, 1))
        yield replace(s, columns={name: s.columns[name] for name in names})


def _by_name(target: str) -> str:
    """Return the format that the name of a file tells; names without an ending, and .txt, are column files."""
    ending = PurePath(without_ending(target)).suffix
    if ending == ENDING:
        return NAME
    if (format_ := told_by_name(target)) is None:
        raise SettingError(f"{target}: the ending {ending} tells no format: --to names a format, such as --to columns")
    return format_.name


def _check_target(source: str, from_: str, target: str, written: str, overwrite: bool) -> None:
    """Refuse to replace what is read, or another file; brat has a file of text next to the file that is named."""
    is_brat_source = from_ == NAME or (not from_ and is_brat(source))
    spans = brat_files(source) if is_brat_source else []
    inputs = [source, *spans, *map(str, map(text_file, spans))]
    check_output("OUT", target, KINDS.get(written) or FORMATS[written].kind, inputs, overwrite=overwrite)
    if written == NAME:
        check_output("OUT", str(text_file(target)), ANY_TEXT, inputs, overwrite=overwrite)


def _separator(sentences: Sequence[Sentence], target: str) -> str | None:
    """Return a tab if the name asks for tabs or a value needs them, since it has a space; None: as it was read."""
    has_space = any(" " in value for s in sentences for values in s.columns.values() for value in values)
    return "\t" if has_space or asks_for_tabs(target) else None


def _fitted(sentences: Sequence[Sentence], format_: Format) -> Iterator[Sentence]:
    """Return sentences that a format can hold.

    CoNLL-U puts white space and columns that it does not have into misc.
    """
    has_misc = bool(format_.columns and format_.with_labels)
    if format_ is parquet.FORMAT:
        sentences = list(text_in_parquet.with_text(sentences))
    return in_conllu(sentences) if has_misc else iter(sentences)

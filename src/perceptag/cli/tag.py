"""``perceptag tag``: read sentences, add or replace their labels, and write them as they come."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import IO, Annotated, Any, Protocol

import typer

from perceptag.cli.confidence import ConfidenceWriter
from perceptag.cli.input_files import (
    naming_for_tagging,
    output_of_tagging,
    refuse_same_file,
    trained_columns,
)
from perceptag.cli.models import open_pipeline
from perceptag.cli.nbest import CandidateWriter
from perceptag.cli.options import (
    AllowCode,
    Columns,
    Comment,
    Format,
    Layer,
    ModelIn,
    Quiet,
    Threads,
    comparable,
    cores,
    file_format,
    names,
)
from perceptag.cli.replaced_column import ReplacedColumn, checked
from perceptag.cli.running_text import Finish, check_text_use, input_format, read_sentences
from perceptag.cli.streams import guarded, write_nothing, write_stderr
from perceptag.confidence.confident import calibration_of
from perceptag.confidence.margins import Margins
from perceptag.errors import SettingError, nearest
from perceptag.labels.label_set import labels_of
from perceptag.models.column_files import tag_columns
from perceptag.models.list_memory import MAX_NBEST, too_few_candidates
from perceptag.models.protocol import Ranked, ReadyModel
from perceptag.pipeline.installed import path_of
from perceptag.pipeline.pipeline import Pipeline
from perceptag.system.writing import text_writer
from perceptag.text import Sentence, open_output
from perceptag.text.batches import batches, batchwise
from perceptag.text.columns import FORMAT as COLUMNS
from perceptag.text.columns import ColumnReader
from perceptag.text.format import Format as FileFormat
from perceptag.text.format import FormatLike
from perceptag.text.formats import by_ending, by_name
from perceptag.text.label_column import LabelColumn
from perceptag.text.plain_text import TEXT

BATCH = 20_000  # tokens; larger batches are not faster
MISSING = "_"  # stands where a label is not given


@guarded
def tag_cli(
    model: ModelIn,
    source: Annotated[
        str, typer.Argument(metavar="[IN]", help="The file to tag; default: stdin.", show_default=False)
    ] = "-",
    output: Annotated[
        str, typer.Option("--output", "-o", metavar="OUT", help="Where to write; default: stdout.", show_default=False)
    ] = "-",
    in_place: Annotated[bool, typer.Option("--in-place", help="Write to the file that is tagged.")] = False,
    replace: Annotated[
        bool, typer.Option("--replace", help="Replace the column of the labels even if no labels seem to be there.")
    ] = False,
    keep_given: Annotated[
        bool, typer.Option("--keep-given", help="Keep the labels that are there; find those of tokens that have '_'.")
    ] = False,
    format_: Format = "",
    comment: Comment = "",
    to: Annotated[
        str, typer.Option(metavar="FORMAT", help="Format of the output; default: as the input; for text: columns.")
    ] = "",
    columns: Columns = "",
    label: Annotated[str, typer.Option(metavar="NAME", help="The column of the labels; default: as in training.")] = "",
    layer: Layer = "",
    nbest: Annotated[
        int | None, typer.Option(min=1, max=MAX_NBEST, metavar="N", help="Write the N best labellings with scores.")
    ] = None,
    confidence: Annotated[
        bool, typer.Option("--confidence", help="Add the probability that each label, or its span, is right.")
    ] = False,
    min_confidence: Annotated[
        float,
        typer.Option(
            min=0,
            max=1,
            callback=comparable,
            metavar="P",
            help="Below this confidence, spans become O and other labels '_'.",
        ),
    ] = 0.0,
    threads: Threads = 0,
    batch: Annotated[
        int, typer.Option(min=1, metavar="N", help="Tokens to tag at once; 1: each sentence as soon as it arrives.")
    ] = BATCH,
    allow_code: AllowCode = False,
    quiet: Quiet = False,
) -> None:
    """Tag a file or a stream.

    Adds the label column, or replaces it if it is there. If most of its values are not labels of the model, that is an
    error. --keep-given keeps the values instead; tokens whose value is '_' get the labels that go best with them.

    A column file must have the columns that the model was trained on, with or without the labels; columns at the end
    that the model does not use may be missing. If the columns are in another order, name them with --columns. A model
    that uses whole documents gets them whole: --batch never cuts one.

    --confidence needs a calibrated model: trained with --dev, or written by 'perceptag calibrate'. Confidence goes into
    one more column, into misc of CoNLL-U (Confidence=0.97), or into the keys confidence and spans of JSON lines.

    With a pipeline that begins with a tokeniser, standard input and files called .txt are running text, unless --format
    says otherwise; column files need --format columns. Every layer adds its column, which in CoNLL-U goes into misc
    (NER=B-PER) unless it is named upos or xpos. --to inline writes words with the labels of the last layer
    (Paris/B-LOC), --to text the tokens alone.
    """
    target = output_of_tagging(source, output, in_place)
    tokens = tag(
        model,
        source,
        target,
        replace=replace,
        keep_given=keep_given,
        format=file_format(format_, comment),
        to=to or None,
        columns=names(columns),
        label=label,
        layer=layer,
        nbest=nbest,
        confidence=confidence,
        min_confidence=min_confidence,
        threads=cores(threads),
        batch=batch,
        allow_code=allow_code,
        note=write_nothing if quiet else write_stderr,
    )
    if not quiet and target != "-":
        write_stderr(f"tagged {tokens} tokens: {target}")


def tag(
    model: str,
    source: str = "-",
    target: str = "-",
    *,
    replace: bool = False,
    keep_given: bool = False,
    format: FormatLike = None,  # noqa: A002
    to: str | None = None,
    columns: list[str] | None = None,
    label: str = "",
    layer: str = "",
    nbest: int | None = None,
    confidence: bool = False,
    min_confidence: float = 0.0,
    threads: int = 1,
    batch: int = BATCH,
    allow_code: bool = False,
    note: Callable[[str], None] = write_nothing,
) -> int:
    """Tag `source` into `target` with the model in a file; return the number of tokens."""
    _check_options(bool(nbest), bool(confidence or min_confidence), keep_given)
    opened = open_pipeline(model, allow_code=allow_code, layer=layer)
    ready = opened.top.ready
    loaded, known = ready.model, None
    if confidence or min_confidence:
        known = calibration_of(loaded, ready.margins_are_log_odds)  # before anything is written
    column = label or opened.top.name
    refuse_same_file("--output", target, [path_of(model)])
    read_as = input_format(opened, source, format)
    write_as = by_name(to) if to else by_ending(target) or (COLUMNS if read_as is TEXT else read_as)
    if read_as is TEXT:
        check_text_use(source == target != "-", keep_given)
    _check_column(column, write_as, opened)
    if nbest and ready.most_candidates is not None and nbest > ready.most_candidates:
        note(f"note: {too_few_candidates(nbest, ready.most_candidates)}")
    naming = columns or naming_for_tagging(opened, column, source)
    labels = LabelColumn(column, trained_columns(opened, column))
    is_named = bool(label) and (columns is not None or read_as.names_columns)  # by the user: that column and no other
    replaced = None if replace or is_named or keep_given else ReplacedColumn(column, loaded.label_set, read_as)
    stays = nbest is None and read_as.name == write_as.name == COLUMNS.name  # a column file with all its blank lines
    plain = known is None and not keep_given and batch == BATCH and _is_alone(opened)  # labels and nothing else
    if stays and plain and ready.takes_column_text:
        with open_output(target) as stream:
            check = replaced.check if replaced else None
            return tag_columns(ready, source, naming, stream, labels, threads, check, read_as.comment)
    file = ColumnReader(naming, comment=read_as.comment) if stays else None
    if read_as is TEXT:
        sentences = read_sentences(opened, source, write_as)
    else:
        sentences = file.read(source) if file else read_as.read(source, naming)
    with open_output(target) as stream:
        if known is not None:
            scheme = loaded.label_set.outer
            writer = ConfidenceWriter(known, scheme, write_as, confidence, min_confidence, labels)
            way: Way = _WithConfidence(ready, threads, writer)
        elif nbest is None:
            way = (_Given if keep_given else _Labels)(ready, threads, labels)
        else:
            way = _Lists(ready, threads, nbest, CandidateWriter(labels, write_as, text_writer(stream)))
        groups = batches(sentences, batch // (nbest or 1), opened.looks_at_documents())  # lists take memory
        for one in (replaced, *_replaced_below(opened, read_as)) if replaced else ():
            groups = checked(groups, one)
        progress = _Progress(stream)
        tagged = progress.tagged(way, _with_lower(opened, groups, threads), ahead=threads > 1 < batch)
        done = tagged if _is_alone(opened) else Finish(opened.layers, column, write_as, read_as is TEXT).all(tagged)
        write_as.write(done, stream)
        text_writer(stream)(file.text_at_end() if file else "")
    return progress.tokens


def _is_alone(opened: Pipeline) -> bool:
    """Whether this is a single model, without a tokeniser."""
    return len(opened.layers) == 1 and opened.tokenizer is None


def _replaced_below(opened: Pipeline, read_as: FileFormat) -> list[ReplacedColumn]:
    """The columns that the layers below the last one replace."""
    return [ReplacedColumn(layer.name, layer.ready.model.label_set, read_as) for layer in opened.layers[:-1]]


def _with_lower(opened: Pipeline, groups: Iterable[list[Sentence]], threads: int) -> Iterator[list[Sentence]]:
    """The same batches with the columns that the last layer reads."""
    for group in groups:
        opened.add_lower(group, threads)
        yield group


class Way(Protocol):
    """What to do with a batch of sentences, and what to write."""

    def work(self, group: list[Sentence]) -> Any:
        """Ask the model, perhaps in another thread."""

    def finish(self, group: list[Sentence], result: Any) -> Iterable[Sentence]:
        """The sentences to write."""


@dataclass(frozen=True, slots=True)
class _Labels:
    """Every sentence with its labels."""

    ready: ReadyModel
    threads: int
    labels: LabelColumn

    def work(self, group: list[Sentence]) -> list[list[str]]:
        return self.ready.tag(group, self.threads)

    def finish(self, group: list[Sentence], result: list[list[str]]) -> Iterator[Sentence]:
        return map(self.labels.add, group, result)


@dataclass(frozen=True, slots=True)
class _Given(_Labels):
    """Every sentence with its labels; those that it has are kept."""

    def work(self, group: list[Sentence]) -> list[list[str]]:
        given = [labels_of(sentence, self.labels.name) for sentence in group]
        return self.ready.tag_given(group, [[None if y == MISSING else y for y in ys] for ys in given], self.threads)


@dataclass(frozen=True, slots=True)
class _WithConfidence:
    """Every sentence with its labels and their confidence."""

    ready: ReadyModel
    threads: int
    writer: ConfidenceWriter

    def work(self, group: list[Sentence]) -> list[Margins]:
        return self.ready.margins(group, self.threads)

    def finish(self, group: list[Sentence], result: list[Margins]) -> list[Sentence]:
        return self.writer.labelled(group, result)


@dataclass(frozen=True, slots=True)
class _Lists:
    """Every sequence with its n best labellings."""

    ready: ReadyModel
    threads: int
    n: int
    writer: CandidateWriter

    def work(self, group: list[Sentence]) -> list[Ranked]:
        return self.ready.nbest(group, self.n, self.threads)

    def finish(self, group: list[Sentence], result: list[Ranked]) -> Iterator[Sentence]:
        for sequence, best in zip(self.ready.reader.sequences(group), result, strict=True):
            yield from self.writer.candidates(sequence, best)


@dataclass(slots=True)
class _Progress:
    """Counts the tagged tokens, and flushes the output after every batch."""

    stream: IO[Any]
    tokens: int = 0

    def tagged(self, way: Way, groups: Iterable[list[Sentence]], ahead: bool) -> Iterator[Sentence]:
        """The sentences to write, batch by batch."""
        for group, result in batchwise(way.work, groups, ahead):
            self.tokens += sum(map(len, group))
            yield from way.finish(group, result)
            self.stream.flush()  # the writer has asked for more, so it has written these


def _check_options(lists: bool, confidence: bool, keep_given: bool) -> None:
    if lists and confidence:
        raise SettingError("--nbest: the labellings in a list have scores, not confidence; leave out one of the two")
    if keep_given and (lists or confidence):
        raise SettingError("--keep-given: labels that are given have no confidence and no lists; leave out the other")


def _check_column(column: str, format_: FileFormat, opened: Pipeline) -> None:
    if column in (*opened.inputs, *opened.names[:-1]):
        raise SettingError(f"--label: the model uses column {column!r} as input, so its labels cannot be written there")
    if format_.columns and column not in format_.columns and _is_alone(opened):
        raise SettingError(
            f"--label: {format_.title} has no column {column!r} for the labels; choose one of "
            f"{', '.join(format_.columns)}{nearest(column, format_.columns)}"
        )

"""``perceptag tag``: read sentences, add or replace their labels, write them, as they come."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import partial
from typing import Annotated, Any

import typer

from perceptag.cli.confidence import ConfidenceWriter
from perceptag.cli.input_files import (
    format_of,
    looks_at,
    looks_at_documents,
    naming_for_tagging,
    refuse_same_file,
    takes_whole_documents,
    trained_columns,
)
from perceptag.cli.models import open_model
from perceptag.cli.nbest import candidates
from perceptag.cli.options import AllowCode, Columns, Format, ModelIn, Quiet, Threads, comparable, cores, names
from perceptag.cli.streams import guarded, write_nothing, write_stderr
from perceptag.confidence.confident import calibration_of, find_margins
from perceptag.errors import SettingError, nearest
from perceptag.models.linear import column_files as plain_columns
from perceptag.models.protocol import Compiled
from perceptag.store.model import Model
from perceptag.system.writing import text_writer
from perceptag.tagger import MAX_NBEST
from perceptag.text import CONLLU_COLUMNS, Sentence, detect_format, open_output, read, write
from perceptag.text.batches import batches, batchwise
from perceptag.text.documents import split_documents

BATCH = 20_000  # tokens; larger batches are not faster


@guarded
def tag_cli(
    model: ModelIn,
    source: Annotated[str, typer.Argument(metavar="[IN]", help="The file to tag; '-' or nothing: stdin.")] = "-",
    output: Annotated[str, typer.Option("--output", "-o", metavar="OUT", help="Where to write; else stdout.")] = "-",
    format_: Format = "",
    to: Annotated[str, typer.Option(metavar="FORMAT", help="Format of the output, if it is to be another.")] = "",
    columns: Columns = "",
    label: Annotated[str, typer.Option(metavar="NAME", help="The column that takes the labels.")] = "",
    nbest: Annotated[
        int | None, typer.Option(min=1, max=MAX_NBEST, metavar="N", help="The N best labellings, with scores.")
    ] = None,
    confidence: Annotated[
        bool, typer.Option("--confidence", help="Add the probability that a label, or the span it is in, is right.")
    ] = False,
    min_confidence: Annotated[
        float,
        typer.Option(
            min=0, max=1, callback=comparable, metavar="P", help="Spans below P become O; labels of tokens become '_'."
        ),
    ] = 0.0,
    threads: Threads = 0,
    batch: Annotated[
        int, typer.Option(min=1, metavar="N", help="Tokens tagged at once; 1: each sentence as soon as it has come.")
    ] = BATCH,
    allow_code: AllowCode = False,
    quiet: Quiet = False,
) -> None:
    """Tag a file or a stream.

    Adds the label column, or replaces it if it is there. A column file has the columns that the model was
    trained on, with or without the labels; columns at the end that the model does not look at may be missing.
    If they stand in another order, name them with --columns. A model that looks at documents gets them whole:
    --batch never cuts one. Confidence needs a model that was calibrated: trained with --dev, or by 'calibrate'. It
    is in one more column, in misc of CoNLL-U (Confidence=0.97), or under the keys confidence and spans of JSON lines.
    """
    tokens = tag(
        model,
        source,
        output,
        format=format_ or None,
        to=to or None,
        columns=names(columns),
        label=label,
        nbest=nbest,
        confidence=confidence,
        min_confidence=min_confidence,
        threads=cores(threads),
        batch=batch,
        allow_code=allow_code,
        note=write_nothing if quiet else write_stderr,
    )
    if not quiet and output != "-":
        write_stderr(f"tagged {tokens} tokens: {output}")


def tag(
    model: str,
    source: str = "-",
    target: str = "-",
    *,
    format: str | None = None,  # noqa: A002
    to: str | None = None,
    columns: list[str] | None = None,
    label: str = "",
    nbest: int | None = None,
    confidence: bool = False,
    min_confidence: float = 0.0,
    threads: int = 1,
    batch: int = BATCH,
    allow_code: bool = False,
    note: Callable[[str], None] = write_nothing,
) -> int:
    """Tag `source` into `target` with the model in a file; return the number of tokens."""
    if nbest and (confidence or min_confidence):
        raise SettingError("--nbest: the labellings of a list have scores, not confidence; leave out one of the two")
    loaded, compiled = open_model(model, allow_code=allow_code)
    known = calibration_of(loaded) if confidence or min_confidence else None  # before anything is written
    column = label or loaded.label_set.column
    refuse_same_file("--output", target, [model])
    read_as = format_of(source, format, loaded)
    write_as = to or _format_of_output(target, read_as)
    _check_column(column, write_as, looks_at(loaded))
    if nbest and loaded.facts.get("kind") in ("nonlocal", "rerank"):
        note("note: these are the best labellings of the local part of the model, without its non-local features")
    naming = columns or naming_for_tagging(loaded, column, source)
    add_labels = partial(with_column, column=column, trained=trained_columns(loaded, column))
    is_plain = nbest is None and known is None and batch == BATCH and read_as == write_as == "columns"
    if is_plain and plain_columns.is_possible(compiled):
        with open_output(target) as stream:
            return plain_columns.tag_columns(compiled, source, naming, stream, column, add_labels, threads)
    sentences = read(source, read_as, naming)
    count = 0
    with open_output(target) as stream:
        show = partial(candidates, add_labels=add_labels, format_=write_as, write_stdout=text_writer(stream))
        if known is not None:
            scheme = loaded.label_set.outer
            writer = ConfidenceWriter(known, scheme, write_as, confidence, min_confidence, add_labels)
            work, finish = _judging(loaded, compiled, threads, writer)
        elif nbest is None:
            work, finish = _tagging(compiled, threads, add_labels)
        else:
            work, finish = _listing(compiled, threads, nbest, takes_whole_documents(loaded), show)

        def tagged() -> Iterator[Sentence]:
            nonlocal count
            groups = batches(sentences, batch // (nbest or 1), looks_at_documents(loaded))  # lists take memory
            for group, result in batchwise(work, groups, ahead=threads > 1 < batch):
                count += sum(map(len, group))
                yield from finish(group, result)
                stream.flush()  # the writer has asked for more, so it has written these

        write(tagged(), stream, write_as)
    return count


Work = Callable[[list[Sentence]], Any]  # on a batch, perhaps in another thread
Finish = Callable[[list[Sentence], Any], Iterable[Sentence]]  # what to write of a batch and its result
AddLabels = Callable[[Sentence, list[str]], Sentence]


def _tagging(compiled: Compiled, threads: int, add_labels: AddLabels) -> tuple[Work, Finish]:
    def finish(group: list[Sentence], labels: list[list[str]]) -> Iterator[Sentence]:
        return map(add_labels, group, labels)

    return lambda group: compiled.tag(group, threads), finish


def _judging(model: Model, compiled: Compiled, threads: int, writer: ConfidenceWriter) -> tuple[Work, Finish]:
    return lambda group: find_margins(model, compiled, group, threads), writer


def _listing(
    compiled: Compiled, threads: int, n: int, whole_documents: bool, show: Callable[..., Iterator[Sentence]]
) -> tuple[Work, Finish]:
    def finish(group: list[Sentence], lists: list[list[tuple[list[str], float]]]) -> Iterator[Sentence]:
        sequences = split_documents(group) if whole_documents else [[sentence] for sentence in group]
        for sequence, best in zip(sequences, lists, strict=True):
            yield from show(sequence, best)

    return lambda group: compiled.nbest(group, n, threads), finish


def _check_column(column: str, format_: str, inputs: Collection[str]) -> None:
    if column in inputs:
        raise SettingError(f"--label: the model looks at column {column!r}; its labels must not take that place")
    if format_ == "conllu" and column not in CONLLU_COLUMNS:
        raise SettingError(
            f"--label: CoNLL-U has no column {column!r} for the labels; choose one of "
            f"{', '.join(CONLLU_COLUMNS)}{nearest(column, CONLLU_COLUMNS)}"
        )


def _format_of_output(target: str, read_as: str) -> str:
    """The format that the name tells, if it tells one; else that of the input."""
    told = detect_format(target)
    return told if told != "columns" else read_as


def with_column(sentence: Sentence, labels: list[str], column: str, trained: Sequence[str]) -> Sentence:
    """The sentence with its labels: in their old place, or where the training data had them, or at the end."""
    columns = sentence.columns
    if column not in columns and trained[-1] != column and [*columns] == [c for c in trained if c != column]:
        sentence.columns = {name: labels if name == column else columns[name] for name in trained}
    else:
        columns[column] = labels
    return sentence

"""``perceptag tag``: read sentences, add or replace their labels, write them, as they come."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Annotated

import typer

from perceptag.cli.data import format_of, naming_for_tagging, trained_columns
from perceptag.cli.models import open_model
from perceptag.cli.options import AllowCode, Columns, Format, ModelIn, Quiet, Threads, cores, names
from perceptag.cli.shell import guarded, say
from perceptag.compiled import Compiled
from perceptag.errors import SettingError, nearest
from perceptag.text import CONLLU_COLUMNS, Sentence, detect_format, open_output, read, write

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
    If they stand in another order, name them with --columns.
    """
    tokens = tag(
        model,
        source,
        output,
        format=format_ or None,
        to=to or None,
        columns=names(columns),
        label=label,
        threads=cores(threads),
        batch=batch,
        allow_code=allow_code,
    )
    if not quiet and output != "-":
        say(f"tagged {tokens} tokens: {output}")


def tag(
    model: str,
    source: str = "-",
    target: str = "-",
    *,
    format: str | None = None,  # noqa: A002
    to: str | None = None,
    columns: list[str] | None = None,
    label: str = "",
    threads: int = 1,
    batch: int = BATCH,
    allow_code: bool = False,
) -> int:
    """Tag `source` into `target` with the model in a file; return the number of tokens."""
    loaded, compiled = open_model(model, allow_code=allow_code)
    column = label or loaded.labelling.column
    read_as = format_of(source, format)
    write_as = to or _format_of_output(target, read_as)
    if write_as == "conllu" and column not in CONLLU_COLUMNS:
        raise SettingError(
            f"--label: CoNLL-U has no column {column!r} for the labels; choose one of "
            f"{', '.join(CONLLU_COLUMNS)}{nearest(column, CONLLU_COLUMNS)}"
        )
    sentences = read(source, read_as, columns or naming_for_tagging(loaded, column, source))
    trained = trained_columns(loaded, column)
    count = 0
    with open_output(target) as stream:

        def tagged() -> Iterator[Sentence]:
            nonlocal count
            for part in tag_batches(compiled, batches(sentences, batch), threads, ahead=threads > 1 < batch):
                for sentence, labels in part:
                    count += len(labels)
                    yield with_column(sentence, column, labels, trained)
                stream.flush()  # the writer has asked for more, so it has written these

        write(tagged(), stream, write_as)
    return count


def _format_of_output(target: str, read_as: str) -> str:
    """The format that the name tells, if it tells one; else that of the input."""
    told = detect_format(target)
    return told if told != "columns" else read_as


def batches(sentences: Iterable[Sentence], tokens: int) -> Iterator[list[Sentence]]:
    """Group sentences into batches of at least so many tokens."""
    batch: list[Sentence] = []
    size = 0
    for sentence in sentences:
        batch.append(sentence)
        size += len(sentence)
        if size >= tokens:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def tag_batches(
    compiled: Compiled, groups: Iterable[list[Sentence]], threads: int, ahead: bool = True
) -> Iterator[Iterable[tuple[Sentence, list[str]]]]:
    """Tag batch after batch. With `ahead` the next one is read while native code is busy with this one."""
    if not ahead:
        for group in groups:
            yield zip(group, compiled.tag(group, threads), strict=True)
        return
    with ThreadPoolExecutor(1) as pool:
        waiting: deque[tuple[list[Sentence], Future[list[list[str]]]]] = deque()
        for group in groups:
            waiting.append((group, pool.submit(compiled.tag, group, threads)))
            if len(waiting) > 1:
                yield _result(*waiting.popleft())
        while waiting:
            yield _result(*waiting.popleft())


def _result(group: list[Sentence], labels: Future[list[list[str]]]) -> Iterable[tuple[Sentence, list[str]]]:
    return zip(group, labels.result(), strict=True)


def with_column(sentence: Sentence, column: str, labels: list[str], trained: Sequence[str]) -> Sentence:
    """The sentence with its labels: in their old place, or where the training data had them, or at the end."""
    columns = sentence.columns
    if column not in columns and trained[-1] != column and [*columns] == [c for c in trained if c != column]:
        sentence.columns = {name: labels if name == column else columns[name] for name in trained}
    else:
        columns[column] = labels
    return sentence

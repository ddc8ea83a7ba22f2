"""``perceptag tag``: read sentences, add or replace their labels, and write them as they come."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

import typer

from perceptag.cli.input_files import output_of_tagging, refuse_same_file
from perceptag.cli.models import open_pipeline
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
from perceptag.cli.streams import guarded, write_nothing, write_stderr
from perceptag.errors import SettingError
from perceptag.models.list_memory import MAX_NBEST
from perceptag.pipeline.installed import path_of
from perceptag.tagging.file import BATCH, tag_file
from perceptag.text.format import FormatLike


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
    pretty: Annotated[
        bool, typer.Option("--pretty", help="Write for people: spans in colour at a terminal, else in brackets.")
    ] = False,
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
        to=_output_format(to, pretty),
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


def _output_format(to: str, pretty: bool) -> FormatLike:
    if not pretty:
        return to or None
    if to:
        raise SettingError(f"--pretty: expected no --to, since it is a format of its own; found {to!r}")
    from perceptag.tagging.pretty import FORMAT

    return FORMAT


def tag(
    model: str,
    source: str = "-",
    target: str = "-",
    *,
    layer: str = "",
    allow_code: bool = False,
    note: Callable[[str], object] = write_nothing,
    **options: Any,
) -> int:
    """Tag `source` into `target` with the model in a file; return the number of tokens. `tag_file` has the options."""
    opened = open_pipeline(model, allow_code=allow_code, layer=layer)
    refuse_same_file("--output", target, [path_of(model)])
    return tag_file(opened, source, target, note=note, **options)

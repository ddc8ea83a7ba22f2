"""A file or a stream tagged by a pipeline: read sentences, add or replace their labels, and write them as they come."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from perceptag.errors import SettingError, nearest
from perceptag.models.column_files import tag_columns
from perceptag.models.conllu_files import tag_conllu, takes_conllu
from perceptag.models.list_memory import too_few_candidates
from perceptag.pipeline.pipeline import Pipeline
from perceptag.system.output_files import Target, text_writer
from perceptag.tagging.naming import naming_for_tagging, trained_columns
from perceptag.tagging.replaced_column import ReplacedColumn, checked
from perceptag.tagging.running_text import Finish, check_text_use, input_format, read_sentences
from perceptag.text import Sentence, open_output
from perceptag.text.batches import batches
from perceptag.text.columns import FORMAT as COLUMNS
from perceptag.text.columns import ColumnReader
from perceptag.text.conllu import FORMAT as CONLLU
from perceptag.text.format import Format as FileFormat
from perceptag.text.format import FormatLike
from perceptag.text.formats import by_ending, choose
from perceptag.text.label_column import LabelColumn
from perceptag.text.lines import Source
from perceptag.text.parquet import FORMAT as PARQUET
from perceptag.text.parquet import check_installed, refuse_terminal
from perceptag.text.plain_text import TEXT

BATCH = 20_000  # tokens; larger batches are not faster


def tag_file(
    opened: Pipeline,
    source: Source,
    target: Target,
    *,
    replace: bool = False,
    keep_given: bool = False,
    format: FormatLike = None,  # noqa: A002
    to: FormatLike = None,
    columns: list[str] | None = None,
    label: str = "",
    nbest: int | None = None,
    confidence: bool = False,
    min_confidence: float = 0.0,
    threads: int = 1,
    batch: int = BATCH,
    note: Callable[[str], object] = str,
    seen: Callable[[Sentence], Sentence] | None = None,
) -> int:
    """Tag `source` into `target`; return the number of tokens. `note` is told what the user should know.

    `seen` gets every sentence before it is written in another format than that of its columns.
    """
    _check_options(bool(nbest), bool(confidence or min_confidence), keep_given)
    ready = opened.top.ready
    loaded, known = ready.model, None
    if confidence or min_confidence:
        from perceptag.confidence.confident import calibration_of  # labels alone need not wait for it

        known = calibration_of(loaded, ready.margins_are_log_odds)  # before anything is written
    column = label or opened.top.name
    read_as = input_format(opened, source, format)
    write_as = choose(to, target) if to else by_ending(target) or (COLUMNS if read_as is TEXT else read_as)
    if read_as is TEXT:
        check_text_use(source == target != "-", keep_given)
    _check_output(column, write_as, opened, target)
    if nbest and ready.most_candidates is not None and nbest > ready.most_candidates:
        note(f"note: {too_few_candidates(nbest, ready.most_candidates)}")
    naming = columns or naming_for_tagging(opened, column, source)
    labels = LabelColumn(column, trained_columns(opened, column))
    is_named = bool(label) and (columns is not None or read_as.names_columns)  # by the user: that column and no other
    replaced = None if replace or is_named or keep_given else ReplacedColumn(column, loaded.label_set, read_as)
    stays = nbest is None and read_as.name == write_as.name == COLUMNS.name  # a column file with all its blank lines
    plain = known is None and not keep_given and batch == BATCH and _is_alone(opened)  # labels and nothing else
    check = replaced.check if replaced else None
    if stays and plain and ready.takes_column_text:
        with open_output(target) as stream:
            return tag_columns(ready, source, naming, stream, labels, threads, check, read_as.comment)
    if nbest is None and read_as.name == write_as.name == CONLLU.name and plain and takes_conllu(ready):
        with open_output(target) as stream:
            return tag_conllu(ready, source, naming, stream, column, threads, check, batch)
    in_arrays = nbest is None and read_as.name == write_as.name == PARQUET.name and plain and ready.takes_types
    if in_arrays and (tokens := _tag_parquet(opened, source, target, columns, labels, threads, check)) is not None:
        return tokens
    file = ColumnReader(naming, comment=read_as.comment) if stays else None
    if read_as is TEXT:
        sentences = read_sentences(opened, source, write_as)
    else:
        sentences = file.read(source) if file else read_as.read(source, naming)
    with open_output(target) as stream:
        from perceptag.tagging import ways  # the short ways start without it

        way: ways.Way
        if known is not None:
            way = ways.with_confidence(ready, threads, known, write_as, confidence, min_confidence, labels)
        elif nbest is None:
            way = (ways.Given if keep_given else ways.Labels)(ready, threads, labels)
        else:
            way = ways.lists(ready, threads, nbest, labels, write_as, stream)
        groups = batches(sentences, batch // (nbest or 1), opened.looks_at_documents())  # lists take memory
        for one in (replaced, *_replaced_below(opened, read_as)) if replaced else ():
            groups = checked(groups, one)
        progress = ways.Progress(stream)
        tagged = progress.tagged(way, _with_lower(opened, groups, threads), ahead=threads > 1 < batch)
        done = tagged if _is_alone(opened) else Finish(opened.layers, column, write_as, read_as is TEXT).all(tagged)
        write_as.write(map(seen, done) if seen else done, stream)
        text_writer(stream)(file.text_at_end() if file else "")
    return progress.tokens


def _tag_parquet(opened: Pipeline, source: Source, target: Target, *options: Any) -> int | None:
    """Tag a file of Parquet the short way; None if it must go the general one."""
    check_installed()
    from perceptag.tagging.parquet_files import tag_parquet  # which imports pyarrow

    return tag_parquet(opened, source, target, *options)


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


def _check_options(lists: bool, confidence: bool, keep_given: bool) -> None:
    if lists and confidence:
        raise SettingError("--nbest: the labellings in a list have scores, not confidence; leave out one of the two")
    if keep_given and (lists or confidence):
        raise SettingError("--keep-given: labels that are given have no confidence and no lists; leave out the other")


def _check_output(column: str, format_: FileFormat, opened: Pipeline, target: Target) -> None:
    if format_.name == PARQUET.name:
        refuse_terminal(target)
    if column in (*opened.inputs, *opened.names[:-1]):
        raise SettingError(f"--label: the model uses column {column!r} as input, so its labels cannot be written there")
    if format_.columns and column not in format_.columns and _is_alone(opened):
        raise SettingError(
            f"--label: {format_.title} has no column {column!r} for the labels; choose one of "
            f"{', '.join(format_.columns)}{nearest(column, format_.columns)}"
        )

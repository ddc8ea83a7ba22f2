"""The options of `perceptag tag` for one file, checked against the pipeline, the formats and the columns."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING, Any, NamedTuple

from perceptag.errors import DataError, SettingError, nearest
from perceptag.labels.label_set import LabelSet
from perceptag.labels.schemes import belongs
from perceptag.models.list_memory import too_few_candidates
from perceptag.models.protocol import ReadyModel
from perceptag.pipeline.pipeline import Pipeline
from perceptag.system.output_files import Target
from perceptag.system.replacing import is_same_file
from perceptag.tagging.naming import naming_for_tagging, trained_columns
from perceptag.tagging.running_text import Note, check_text_use, document_ends, input_format
from perceptag.text import Sentence
from perceptag.text.columns import FORMAT as COLUMNS
from perceptag.text.columns import asks_for_tabs
from perceptag.text.compressed import open_output, with_line_ends
from perceptag.text.crfsuite import FORMAT as CRFSUITE
from perceptag.text.crfsuite import refuse_to_write
from perceptag.text.format import Format, FormatLike, Names
from perceptag.text.formats import by_ending, choose
from perceptag.text.lines import Source
from perceptag.text.parquet import FORMAT as PARQUET
from perceptag.text.parquet import refuse_terminal
from perceptag.text.plain_text import TEXT
from perceptag.text.sentence import LabelColumn

if TYPE_CHECKING:
    from perceptag.models.calibration import Calibration
    from perceptag.pipeline.text_documents import DocumentRule

BATCH = 20_000  # tokens; larger batches are not faster

Check = Callable[[Sequence[Sentence]], None]  # refuses the first sentences of a file


@dataclass(frozen=True, slots=True)
class TagFileOptions:
    """The options of `perceptag tag` that hold for each file."""

    replace: bool = False  # replace the label column even if its values do not look like labels
    keep_given: bool = False  # keep labels that are in the file, and predict those that are "_"
    format: FormatLike = None  # of the input
    to: FormatLike = None  # the format of the output
    columns: Sequence[str] | None = None  # names of the columns of the input
    label: str = ""  # the column of the labels; default: as in training
    nbest: int | None = None  # write so many labellings of each sequence
    confidence: bool = False  # write the confidence of each label
    min_confidence: float = 0.0  # withhold labels below it
    threads: int = 1
    batch: int = BATCH  # tokens to tag at once
    documents: str = ""  # what ends a document of running text; default: a mark, or with a batch of 1 a blank line

    @property
    def needs_calibration(self) -> bool:
        """Whether the model must be calibrated."""
        return bool(self.confidence or self.min_confidence)

    def check(self) -> None:
        """Refuse options that exclude each other."""
        if self.nbest and self.needs_calibration:
            raise SettingError(
                "--nbest: the labellings in a list have scores, not confidence; leave out one of the two"
            )
        if self.keep_given and (self.nbest or self.needs_calibration):
            raise SettingError(
                "--keep-given: labels that are given have no confidence and no lists; leave out the other"
            )


@dataclass(frozen=True, slots=True)
class TagJob:
    """A file to tag, with everything that is settled before its first line is read."""

    opened: Pipeline
    source: Source
    target: Target
    options: TagFileOptions
    read_as: Format
    write_as: Format
    columns: Names  # of the input
    labels: LabelColumn
    replaced: ReplacedColumn | None  # the column to check before it is overwritten
    calibration: Calibration | None
    documents: DocumentRule | None  # what ends a document of running text
    note: Note  # tells the user something

    @property
    def ready(self) -> ReadyModel:
        """The model of the last layer."""
        return self.opened.top.ready

    @property
    def check(self) -> Check | None:
        """Refuses the first sentences if the labels would overwrite something else."""
        return self.replaced.check if self.replaced else None

    @property
    def wants_labels_alone(self) -> bool:
        """Whether labels are added and nothing else, which is what the short ways can do."""
        options = self.options
        is_plain = self.calibration is None and options.nbest is None and not options.keep_given
        return is_plain and options.batch == BATCH

    @property
    def has_one_column(self) -> bool:
        """Whether the labels are those of a single model, and the output has a column for them."""
        places = self.write_as.columns
        return is_single(self.opened) and (not places or self.labels.name in places)

    @property
    def separator(self) -> str | None:
        """What separates columns of the output: a tab if its name or a label asks for it; None: as in the input."""
        names = (name for layer in self.opened.layers for name in layer.ready.model.label_set.names)
        return "\t" if asks_for_tabs(self.target) or any(" " in name for name in names) else None

    @contextmanager
    def open_target(self) -> Iterator[IO[Any]]:
        """Open the target for writing lines; a file that is tagged in place keeps its line ends."""
        with open_output(self.target) as stream:
            is_in_place = self.write_as.name != PARQUET.name and _is_file_itself(self.target, self.source)
            yield with_line_ends(stream, str(self.source)) if is_in_place else stream

    def keeps_format(self, format_: Format) -> bool:
        """Whether both input and output are in a format."""
        return self.read_as.name == self.write_as.name == format_.name


def _is_file_itself(target: Target, source: Source) -> bool:
    paths = (str, os.PathLike)
    return isinstance(target, paths) and isinstance(source, paths) and is_same_file(str(target), str(source))


def is_single(opened: Pipeline) -> bool:
    """Whether a pipeline is a single model, without a tokeniser."""
    return len(opened.layers) == 1 and opened.tokenizer is None


def checked_job(opened: Pipeline, source: Source, target: Target, options: TagFileOptions, note: Note) -> TagJob:
    """Check the options before anything is written; pass on to `note` what the user should know."""
    options.check()
    ready, calibration = opened.top.ready, None
    if options.needs_calibration:
        from perceptag.models.confident import calibration_of  # labels alone need not wait for it

        calibration = calibration_of(ready.model, ready.margins_are_log_odds)
    column = options.label or opened.top.name
    read_as = input_format(opened, source, options.format, options.columns)
    write_as = written_format(opened, source, target, options)
    if read_as is TEXT:
        check_text_use(source == target != "-", options.keep_given, options.columns)
    documents = document_ends(opened, options.documents, options.batch, read_as, note)
    _check_output(column, write_as, opened, target, is_named=bool(options.label))
    if options.nbest and ready.most_candidates is not None and options.nbest > ready.most_candidates:
        note(f"note: {too_few_candidates(options.nbest, ready.most_candidates, ready.model.recipe.learner)}")
    return TagJob(
        opened,
        source,
        target,
        options,
        read_as,
        write_as,
        options.columns or naming_for_tagging(opened, column, source),
        LabelColumn(column, trained_columns(opened, column)),
        _replaced(opened, column, options, read_as),
        calibration,
        documents,
        note,
    )


def written_format(opened: Pipeline, source: Source, target: Target, options: TagFileOptions) -> Format:
    """Return the format of the output."""
    read_as = input_format(opened, source, options.format, options.columns)
    is_read_only = read_as is TEXT or read_as.name == CRFSUITE.name
    named = choose(options.to, target, "--to") if options.to else by_ending(target)
    if named is CRFSUITE:
        refuse_to_write()
    return named or (COLUMNS if is_read_only else read_as)


def _check_output(column: str, format_: Format, opened: Pipeline, target: Target, *, is_named: bool) -> None:
    if format_.name == PARQUET.name:
        refuse_terminal(target)
    if column in (*opened.inputs, *opened.names[:-1]):
        raise SettingError(f"--label: the model uses column {column!r} as input, so its labels cannot be written there")
    has_place = column in format_.columns or (format_.with_labels is not None and not is_named)
    if format_.columns and not has_place and is_single(opened):
        raise SettingError(
            f"--label: {format_.title} has no column {column!r} for the labels; choose one of "
            f"{', '.join(format_.columns)}{nearest(column, format_.columns)}"
        )


def _replaced(opened: Pipeline, column: str, options: TagFileOptions, read_as: Format) -> ReplacedColumn | None:
    """The column to check, unless the user has named that column and no other, or allows to replace anything."""
    is_named = bool(options.label) and (options.columns is not None or read_as.names_columns)
    if options.replace or options.keep_given or is_named:
        return None
    return ReplacedColumn(column, opened.top.ready.model.label_set, read_as)


EXAMPLES = 3  # of values that are not labels, in the message


class ReplacedColumn(NamedTuple):
    """The column that takes the labels of a model."""

    name: str
    label_set: LabelSet
    format: Format  # of the input

    def check(self, sentences: Sequence[Sentence]) -> None:
        """Refuse to replace values most of which are not labels: words, say, of text with two of them on a line.

        A few labels that the model does not know are allowed, and so is a column filled with one value.
        """
        values = [value for s in sentences for value in s.columns.get(self.name, ())]
        found = [value for value in dict.fromkeys(values) if any(map(str.isalnum, value))]  # "_" stands for nothing
        unknown = [value for value in found if not self._is_label(value)]
        if 2 * len(unknown) <= len(found) or len(found) == 1 < len(values):
            return
        examples = ", ".join(map(repr, unknown[:EXAMPLES]))
        raise DataError(
            f"the labels would replace column {self.name!r}, but {len(unknown)} of its {len(found)} values are not "
            f"labels of the model, such as {examples}; {self._way_out()}, --replace replaces it all the same",
            where=sentences[0].source,
        )

    def _is_label(self, value: str) -> bool:
        """Whether the model has this label, or chunks of any type, some of which it may have been told to ignore."""
        label_set = self.label_set
        return label_set.is_open or value in label_set.names or (label_set.outer != "none" and belongs(value, "IOBES"))

    def _way_out(self) -> str:
        if not self.format.names_columns:
            return f"--columns can give the column another name than {self.name!r}, which keeps it"
        return "--label NAME puts the labels into another column"


def checked(groups: Iterable[list[Sentence]], column: ReplacedColumn) -> Iterator[list[Sentence]]:
    """The same batches; the first with a token is judged before it is tagged."""
    is_judged = False
    for group in groups:
        if not is_judged and any(map(len, group)):
            column.check(group)
            is_judged = True
        yield group

"""Tag sentences in batches, read from any format and written to any other: the general way."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import IO, TYPE_CHECKING, Any, Protocol

from perceptag.arrays import cut, offsets
from perceptag.errors import LostLabel
from perceptag.labels.label_set import labels_of
from perceptag.models.protocol import Ranked, ReadyModel
from perceptag.system.output_files import text_writer
from perceptag.tagging.column_files import batchwise
from perceptag.tagging.job import ReplacedColumn, TagJob, checked
from perceptag.tagging.old_results import without_old_results
from perceptag.tagging.running_text import Finish, read_documents
from perceptag.text import Sentence
from perceptag.text.columns import FORMAT as COLUMNS
from perceptag.text.columns import ColumnLayout, ColumnReader, write_columns
from perceptag.text.conllu import FORMAT as CONLLU
from perceptag.text.documents import iter_documents, joined_parts
from perceptag.text.format import Format
from perceptag.text.plain_text import TEXT
from perceptag.text.sentence import LabelColumn, with_last, words_first

if TYPE_CHECKING:
    from perceptag.models.margins import Margins
    from perceptag.tagging.confidence import ConfidenceWriter

#     columns  a block for each candidate, the best first, under a line with its number and score, as CRF++ writes:
#              ``# 0 17.250000``
#     conllu   a sentence for each candidate, with the comments ``# nbest = 0`` and ``# score = 17.250000``
#     jsonl    ``"nbest": [{"labels": [...], "score": 17.25}, ...]`` in the object of the sentence, whose labels are
#              those of the best candidate
#
# Where the model takes whole documents as sequences, a block holds all sentences of a document, and in the other
# formats every sentence has its part of the document's labellings, with the document's score. Only the first
# candidate carries the mark of a document.

NBest = Sequence[tuple[list[str], float]]  # labellings with scores, the best first


@dataclass(frozen=True, slots=True)
class CandidateWriter:
    """Makes the sentences that are written for the n best labellings of a sequence."""

    labels: LabelColumn
    format_: Format
    put: Callable[[str], None]  # writes a line before the next sentence

    def candidates(self, sequence: Sequence[Sentence], best: NBest) -> Iterator[Sentence]:
        """The sentences to write for a sequence of sentences."""
        begin = offsets([len(sentence) for sentence in sequence])
        parts = [(cut(labels, begin), score) for labels, score in best]
        if self.format_.with_entry:
            for i, sentence in enumerate(sequence):
                listed = [{"labels": labels[i], "score": score} for labels, score in parts]
                yield self.format_.with_entry(self.labels.add(sentence, parts[0][0][i]), "nbest", listed)
            return
        for k, (labels, score) in enumerate(parts):
            heading = f"# {k} {score:.6f}"
            if self.format_.with_comments is None and self.format_ is not COLUMNS:
                self.put(f"{heading}\n")
            for i, (sentence, own) in enumerate(zip(sequence, labels, strict=True)):
                yield self._labelled(sentence, own, k, score, heading if i == 0 else "")

    def _labelled(self, sentence: Sentence, labels: list[str], k: int, score: float, heading: str) -> Sentence:
        """A copy of the sentence with the labels of candidate k; in columns, under its heading."""
        starts = sentence.starts_document and k == 0
        copied = replace(sentence, columns=dict(sentence.columns), starts_document=starts)
        if self.format_ is COLUMNS:  # the heading comes after the mark of a document, whose blank line ends a block
            layout = sentence.layout if isinstance(sentence.layout, ColumnLayout) else ColumnLayout()
            copied.layout = layout.without_blank_lines().with_heading(heading)
        labelled = self.labels.add(copied, labels)
        if self.format_.with_comments is None:
            return labelled
        return self.format_.with_comments(labelled, [f"# nbest = {k}", f"# score = {score:.6f}"])


_WORDS_ALONE = (TEXT.name, "pretty")  # formats that show only words and labels
PARQUET = "parquet"
MISSING = "_"  # stands where a label is not given


class Way(Protocol):
    """What to ask the model about a batch of sentences, and what to write."""

    def work(self, group: list[Sentence]) -> Any:
        """Ask the model, perhaps in another thread."""

    def finish(self, group: list[Sentence], result: Any) -> Iterable[Sentence]:
        """The sentences to write."""


@dataclass(frozen=True, slots=True)
class PlainLabels:
    """Every sentence with its labels."""

    ready: ReadyModel
    threads: int
    labels: LabelColumn

    def work(self, group: list[Sentence]) -> list[list[str]]:
        return self.ready.tag(group, self.threads)

    def finish(self, group: list[Sentence], result: list[list[str]]) -> Iterator[Sentence]:
        return map(self.labels.add, group, result)


@dataclass(frozen=True, slots=True)
class KeptLabels(PlainLabels):
    """Every sentence with its labels; those that it has are kept."""

    def work(self, group: list[Sentence]) -> list[list[str]]:
        given = [labels_of(sentence, self.labels.name) for sentence in group]
        return self.ready.tag_given(group, [[None if y == MISSING else y for y in ys] for ys in given], self.threads)


@dataclass(frozen=True, slots=True)
class WithConfidence:
    """Every sentence with its labels and their confidence."""

    ready: ReadyModel
    threads: int
    writer: ConfidenceWriter

    def work(self, group: list[Sentence]) -> list[Margins]:
        return self.ready.margins(group, self.threads)

    def finish(self, group: list[Sentence], result: list[Margins]) -> list[Sentence]:
        return self.writer.labelled(group, result)


@dataclass(frozen=True, slots=True)
class Lists:
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


def tag_sentences(job: TagJob, seen: Callable[[Sentence], Sentence] | None = None) -> int:
    """Tag the file of a job; return the number of tokens. `seen` gets every sentence before it is written."""
    # A column file that stays one keeps all its blank lines, those at its end too.
    stays = job.options.nbest is None and job.keeps_format(COLUMNS)
    file = ColumnReader(job.columns, comment=job.read_as.comment) if stays else None
    with job.open_target() as stream:
        counter = _TokenCounter(stream)
        tagged = counter.tagged(job, _way(job, stream), _batches(job, file))
        if not job.has_one_column:
            finish = Finish(job.opened.layers, job.labels.name, job.write_as, job.read_as is TEXT)
            tagged = finish.all(tagged)
        if job.write_as.name == CONLLU.name != job.read_as.name and job.read_as.names_columns:
            tagged = _in_conllu(tagged)
        if job.write_as is COLUMNS and job.read_as.names_columns:
            tagged = map(words_first, tagged)
        if job.write_as.shows_last:
            tagged = (with_last(sentence, job.labels.name) for sentence in tagged)
        tagged = map(seen, tagged) if seen else tagged
        if job.write_as.name == COLUMNS.name:
            write_columns(tagged, stream, separator=job.separator)
        else:
            job.write_as.write(tagged, stream)
        text_writer(stream)(file.text_at_end() if file else "")
    return counter.tokens


def _in_conllu(sentences: Iterable[Sentence]) -> Iterator[Sentence]:
    """The sentences with further columns in misc."""
    from perceptag.foreign.text_in_conllu import in_misc  # most files need not wait for it

    return (in_misc(sentence) for sentence in sentences)


def _forgetful(job: TagJob, sentences: Iterable[Sentence]) -> Iterator[Sentence]:
    """The sentences without what an earlier command wrote about labels that are replaced.

    Keys that are not labels, and have the name of a layer, are noted: its labels replace them.
    """
    names = [*(layer.name for layer in job.opened.layers[:-1]), job.labels.name]
    shown = ["confidence", *([] if job.ready.model.label_set.outer == "none" else ["spans"])]
    rewritten = ["nbest"] if job.options.nbest is not None else shown if job.options.confidence else []
    noted: set[str] = set()
    for sentence in sentences:
        record = getattr(sentence.layout, "record", None) or {}
        for key in names:
            if key in record and key not in sentence.columns and key not in noted:
                noted.add(key)
                job.note(LostLabel(f"note: left out: the key {key!r}, which has the name of a layer"))
        yield without_old_results(sentence, names, rewritten)


def _parts(job: TagJob, file: ColumnReader | None) -> Iterator[list[Sentence]]:
    """What no batch may cut: documents, if the model looks at them, else sentences."""
    whole = job.opened.looks_at_documents()
    if job.read_as is TEXT:
        is_guess = not job.options.format
        found = read_documents(job.opened, job.source, job.write_as, job.documents, job.note if is_guess else None)
        return found if whole else ([sentence] for part in found for sentence in part)
    keys = _KeptKeys(job)
    parts: Iterator[list[Sentence]]
    if whole and hasattr(job.source, "texts"):  # a stream: each text is a document that ends with its line
        texts = (job.read_as.read(io.BytesIO(text), job.columns) for text in job.source.texts())
        parts = (list(keys.kept(_forgetful(job, text))) for text in texts)
    else:
        sentences = file.read(job.source) if file else _forgetful(job, job.read_as.read(job.source, job.columns))
        kept = keys.kept(sentences)
        parts = iter_documents(kept) if whole else ([sentence] for sentence in kept)
    return chain(parts, keys.notes())


class _KeptKeys:
    """What another format has a place for, of sentences on their way into it; the rest is noted at the end."""

    def __init__(self, job: TagJob) -> None:
        self._job, self._lost = job, None
        if job.read_as.name != job.write_as.name and job.write_as.name not in _WORDS_ALONE:
            from perceptag.foreign.write_export import LostParts  # most files need not wait for it

            self._lost = LostParts(job.write_as.name)

    def kept(self, sentences: Iterable[Sentence]) -> Iterable[Sentence]:
        """Return sentences with their text where CoNLL-U and Parquet have it, if they know it."""
        if self._lost is None:
            return sentences
        seen = self._lost.of(sentences)
        if self._job.write_as.name == PARQUET:
            from perceptag.foreign import text_in_parquet

            return text_in_parquet.with_text(seen)
        if self._job.write_as.name != CONLLU.name:
            return seen
        from perceptag.foreign.text_in_conllu import with_text

        is_at_once = self._job.options.batch == 1 and not hasattr(self._job.source, "texts")  # no wait for the next one
        return (made for one in seen for made in with_text([one])) if is_at_once else with_text(seen)

    def notes(self) -> Iterator[list[Sentence]]:
        """Note what the output cannot have; yield nothing."""
        for note in self._lost.notes if self._lost else ():
            self._job.note(LostLabel(f"note: {note}"))
        yield from ()


def _way(job: TagJob, stream: IO[Any]) -> Way:
    """What the options ask for."""
    ready, options = job.ready, job.options
    if job.calibration is not None:
        from perceptag.tagging.confidence import ConfidenceWriter

        scheme, least = ready.model.label_set.outer, options.min_confidence
        sure = ConfidenceWriter(job.calibration, scheme, job.write_as, options.confidence, least, job.labels)
        return WithConfidence(ready, options.threads, sure)
    if options.nbest is not None:
        writer = CandidateWriter(job.labels, job.write_as, text_writer(stream))
        return Lists(ready, options.threads, options.nbest, writer)
    return (KeptLabels if options.keep_given else PlainLabels)(ready, options.threads, job.labels)


def _batches(job: TagJob, file: ColumnReader | None) -> Iterator[list[Sentence]]:
    """The sentences in batches, with the columns that the last layer reads."""
    opened, options = job.opened, job.options
    size = options.batch // (options.nbest or 1)  # lists take memory
    groups = joined_parts(_parts(job, file), size)
    if job.replaced:
        lower = (ReplacedColumn(layer.name, layer.ready.model.label_set, job.read_as) for layer in opened.layers[:-1])
        for column in (job.replaced, *lower):
            groups = checked(groups, column)
    for group in groups:
        opened.add_lower(group, options.threads)
        yield group


@dataclass(slots=True)
class _TokenCounter:
    """Counts the tagged tokens, and flushes the output after every batch."""

    stream: IO[Any]
    tokens: int = 0

    def tagged(self, job: TagJob, way: Way, groups: Iterable[list[Sentence]]) -> Iterator[Sentence]:
        """The sentences to write, batch by batch."""
        ahead = job.options.threads > 1 < job.options.batch
        for group, result in batchwise(way.work, groups, ahead):
            self.tokens += sum(map(len, group))
            yield from way.finish(group, result)
            self.stream.flush()  # the writer has asked for more, so it has written these

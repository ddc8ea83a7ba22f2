"""What the general way of tagging does with each batch of sentences, and what it writes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING, Any, Protocol

from perceptag.labels.label_set import labels_of
from perceptag.models.protocol import Ranked, ReadyModel
from perceptag.system.output_files import text_writer
from perceptag.text import Sentence
from perceptag.text.batches import batchwise
from perceptag.text.format import Format
from perceptag.text.label_column import LabelColumn

if TYPE_CHECKING:
    from perceptag.confidence.calibration import Calibration
    from perceptag.confidence.margins import Margins
    from perceptag.tagging.confidence import ConfidenceWriter
    from perceptag.tagging.nbest import CandidateWriter

MISSING = "_"  # stands where a label is not given


class Way(Protocol):
    """What to do with a batch of sentences, and what to write."""

    def work(self, group: list[Sentence]) -> Any:
        """Ask the model, perhaps in another thread."""

    def finish(self, group: list[Sentence], result: Any) -> Iterable[Sentence]:
        """The sentences to write."""


@dataclass(frozen=True, slots=True)
class Labels:
    """Every sentence with its labels."""

    ready: ReadyModel
    threads: int
    labels: LabelColumn

    def work(self, group: list[Sentence]) -> list[list[str]]:
        return self.ready.tag(group, self.threads)

    def finish(self, group: list[Sentence], result: list[list[str]]) -> Iterator[Sentence]:
        return map(self.labels.add, group, result)


@dataclass(frozen=True, slots=True)
class Given(Labels):
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


def with_confidence(
    ready: ReadyModel,
    threads: int,
    known: Calibration,
    write_as: Format,
    is_shown: bool,
    least: float,
    labels: LabelColumn,
) -> WithConfidence:
    """The way for labels and their confidence."""
    from perceptag.tagging.confidence import ConfidenceWriter

    writer = ConfidenceWriter(known, ready.model.label_set.outer, write_as, is_shown, least, labels)
    return WithConfidence(ready, threads, writer)


def lists(ready: ReadyModel, threads: int, n: int, labels: LabelColumn, write_as: Format, stream: IO[Any]) -> Lists:
    """The way for the n best labellings."""
    from perceptag.tagging.nbest import CandidateWriter

    return Lists(ready, threads, n, CandidateWriter(labels, write_as, text_writer(stream)))


@dataclass(slots=True)
class Progress:
    """Counts the tagged tokens, and flushes the output after every batch."""

    stream: IO[Any]
    tokens: int = 0

    def tagged(self, way: Way, groups: Iterable[list[Sentence]], ahead: bool) -> Iterator[Sentence]:
        """The sentences to write, batch by batch."""
        for group, result in batchwise(way.work, groups, ahead):
            self.tokens += sum(map(len, group))
            yield from way.finish(group, result)
            self.stream.flush()  # the writer has asked for more, so it has written these

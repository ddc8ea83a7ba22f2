"""Tag running text into a column file without an object for each token."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from perceptag.pipeline.typed_text import TypedText, label_typed
from perceptag.system.output_files import text_writer
from perceptag.tagging.job import TagJob
from perceptag.tagging.running_text import look_for_columns
from perceptag.text import open_output
from perceptag.text.columns import ColumnWriter
from perceptag.text.columns import from_text as for_columns
from perceptag.text.lines import name_of
from perceptag.text.sentence import Sentence
from perceptag.text.text_layout import sentences_of
from perceptag.text.token_formats import without_space
from perceptag.text.tokens import Passage


def tag_text(job: TagJob) -> int:
    """Tag running text; return the number of words. All layers must take typed text."""
    words = 0
    with open_output(job.target) as stream:
        writer = ColumnWriter(text_writer(stream), job.separator)
        for group in _groups(_passages(job), job.options.batch):
            for sentence in _labelled(job, group):
                writer.write(sentence)
                words += len(sentence)
            stream.flush()
    return words


def _passages(job: TagJob) -> Iterator[Passage]:
    note = None if job.options.format else job.note
    for passage in job.opened.passages(job.source, job.documents):
        if note is not None and passage.text.strip():
            look_for_columns(passage.text, name_of(job.source), note)
            note = None
        yield passage


def _groups(passages: Iterable[Passage], tokens: int) -> Iterator[list[Passage]]:
    """Put passages together up to a number of tokens, as other formats put sentences together."""
    group: list[Passage] = []
    size = 0
    for passage in passages:
        group.append(passage)
        size += sum(map(len, passage.sentences))
        if size >= tokens:
            yield group
            group, size = [], 0
    yield group


def _labelled(job: TagJob, group: Sequence[Passage]) -> Iterator[Sentence]:
    """The sentences of passages with a column for each layer."""
    opened, threads = job.opened, job.options.threads
    found = [sentence for passage in group for sentence in passage.sentences]
    typed = label_typed(found, opened.layers, threads, spell=without_space)
    name = name_of(job.source)
    if typed is None:
        yield from _one_by_one(job, [s for passage in group for s in sentences_of(passage, name)])
        return
    for columns, sentence in zip(_rows(typed, job.labels.name), found, strict=True):
        yield Sentence(columns, f"{name}, character {sentence.start}")


def _rows(typed: TypedText, label: str) -> Iterator[dict[str, list[str]]]:
    """The columns of each sentence; the last one gets this name."""
    names = [*list(typed.columns)[:-1], label]
    for lists in zip(*map(typed.lists, typed.columns), strict=True):
        yield dict(zip(names, lists, strict=True))


def _one_by_one(job: TagJob, sentences: Sequence[Sentence]) -> Iterator[Sentence]:
    """The same, sentence by sentence: an error names its place."""
    group = list(map(for_columns, sentences))
    job.opened.add_lower(group, job.options.threads)
    for sentence, labels in zip(group, job.ready.tag(group, job.options.threads), strict=True):
        sentence.starts_document = False
        yield job.labels.add(sentence, labels)

"""How much a request asks for, counted before it begins. A search that has begun cannot be stopped."""

from __future__ import annotations

from collections.abc import Sequence

from perceptag.models.protocol import ReadyModel
from perceptag.pipeline.pipeline import Pipeline
from perceptag.server.limits import Limits
from perceptag.server.problems import HttpProblem, too_much
from perceptag.text.sentence import Sentence

AT_ONCE = 2_000  # tokens that are tagged without a thread: its start would take longer
STEPS_AT_ONCE = 20_000_000


def check_sizes(lengths: Sequence[int], limits: Limits) -> None:
    """Refuse too many sentences, too many tokens, or a sentence that is too long."""
    if len(lengths) > limits.sentences:
        raise too_much("sentences", limits.sentences, len(lengths), 413)
    if sum(lengths) > limits.tokens:
        raise too_much("tokens", limits.tokens, sum(lengths), 413)
    if max(lengths, default=0) > limits.sentence_tokens:
        number = next(i for i, length in enumerate(lengths) if length > limits.sentence_tokens)
        raise too_much("sentence_tokens", limits.sentence_tokens, lengths[number], where={"sentence": number})


def steps_of_tagging(opened: Pipeline, sentences: Sequence[Sentence], n: int = 1) -> int:
    """Return the steps that the labels of all layers take, and lists of the n best labellings."""
    return steps_of_lengths(opened, [len(sentence) for sentence in sentences], n)


def steps_of_lengths(opened: Pipeline, lengths: Sequence[int], n: int = 1) -> int:
    """Return the same for sentences of these lengths."""
    each = sum(_each(layer.ready) for layer in opened.layers)
    return sum(lengths) * (each + (n - 1) * _labels(opened.top.ready))


def steps_of_explaining(ready: ReadyModel, sentences: Sequence[Sentence]) -> int:
    """Return the steps that an explanation takes: a search of the sequence for every token."""
    lengths = [sum(map(len, sequence)) for sequence in ready.reader.sequences(sentences)]
    return sum(length * length for length in lengths) * _each(ready)


def check_steps(steps: int, limits: Limits) -> None:
    """Refuse work that would take too long."""
    if steps > limits.work:
        raise too_much("work", limits.work, steps)


def check_reply(size: int, limits: Limits) -> None:
    """Refuse a reply that is, or will at least be, too large."""
    if size > limits.reply:
        raise too_much("reply", limits.reply, size)


def _each(ready: ReadyModel) -> int:
    """Return the steps at one token."""
    return int(_labels(ready) ** (ready.label_order + 1)) + _labels(ready) * (ready.most_candidates or 0)


def _labels(ready: ReadyModel) -> int:
    return len(ready.model.label_set.names)


def is_small(tokens: int, steps: int) -> bool:
    """Return whether work is done sooner than a thread for it would begin."""
    return tokens <= AT_ONCE and steps <= STEPS_AT_ONCE


def busy() -> HttpProblem:
    """Return what a client is told when too many others wait."""
    return HttpProblem(503, "the server is busy; try again").with_header(b"retry-after", b"1")

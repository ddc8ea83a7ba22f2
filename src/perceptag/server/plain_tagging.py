"""``/v1/tag`` for requests as most clients send them, from bytes to bytes: lists of words, of which labels are wanted.

    body ─▶ JsonText: places of words ─▶ ReadyModel.tag_column_text ─▶ JsonText.write_json ─▶ body of the reply

No object is made for a token. Everything unusual, and everything that is refused, is left to `request_body.py`,
`tagging.py` and `json_lines.py`, which give the same bytes for what is tagged here.
"""

from __future__ import annotations

from dataclasses import dataclass

from perceptag._core import JsonLabels, JsonText
from perceptag.errors import DataError
from perceptag.models.protocol import ReadyModel
from perceptag.pipeline.layers import WORDS
from perceptag.server.limits import Limits, check_reply, is_small, steps_of_lengths
from perceptag.server.served import Served, ServedModels
from perceptag.system.strict_json import strict_dumps

_NAMES = (WORDS,)  # the columns of the text


@dataclass(frozen=True, slots=True)
class PlainModel:
    """A model whose labels follow natively from words alone.

    `Served` keeps it, so it does not refer to that: a model that is replaced must be gone at once.
    """

    ready: ReadyModel
    labels: JsonLabels
    steps: int  # of search, at one token
    before: bytes  # what a reply says before its sentences


@dataclass(slots=True)
class PlainSentences:
    """Sentences of a request, within the limits."""

    served: Served
    model: PlainModel
    text: JsonText
    tokens: int
    limits: Limits

    @property
    def is_small(self) -> bool:
        """Whether they are tagged sooner than a thread would begin."""
        return is_small(self.tokens, self.tokens * self.model.steps)

    def reply(self) -> bytes | None:
        """Return the body of a reply; None if the general way must say what is wrong."""
        return self._labelled(self.model.before, b",", b'],"notes":[]}')

    def lines(self) -> bytes | None:
        """Return the lines of a reply; None in the same case."""
        return self._labelled(b"", b"\n", b"\n")

    def _labelled(self, before: bytes, between: bytes, after: bytes) -> bytes | None:
        try:
            _, numbers = self.model.ready.tag_column_text(self.text, _NAMES)
        except DataError:
            return None
        body = self.text.write_json(self.model.labels, numbers, before, between, after)
        check_reply(len(body), self.limits)
        return body


def plain_request(body: bytes, models: ServedModels) -> PlainSentences | None:
    """Read a request; None unless it is plain."""
    text = JsonText(body, by_lines=False)
    if not text.is_plain:
        return None
    served = models.table.find(text.model)
    return _within_limits(served, plain_model(served, text.layer), text, models.limits)


def plain_lines(lines: bytes, served: Served, layer: str, limits: Limits) -> PlainSentences | None:
    """Read lines of a stream; None unless they are plain."""
    model = plain_model(served, layer)
    text = JsonText(lines, by_lines=True) if model is not None else None
    return _within_limits(served, model, text, limits) if text is not None and text.is_plain else None


def plain_model(served: Served, layer: str) -> PlainModel | None:
    """Return a model for plain sentences; None if it needs more than words, or one that sees documents or layers."""
    if layer not in served.plain:
        served.plain[layer] = _plain_model(served, layer)
    found: PlainModel | None = served.plain[layer]
    return found


def _plain_model(served: Served, layer: str) -> PlainModel | None:
    opened = served.ending_with(layer or served.usual)
    ready = opened.top.ready
    if len(opened.layers) > 1 or opened.inputs != [WORDS] or opened.looks_at_documents() or not ready.takes_column_text:
        return None
    names, _ = ready.tag_column_text(JsonText(b'["a"]', by_lines=True), _NAMES)
    head = strict_dumps({"model": served.to_dict(), "layer": opened.top.name, "sentences": []})
    return PlainModel(ready, JsonLabels(list(names)), steps_of_lengths(opened, [1]), head[:-2].encode())


def _within_limits(served: Served, model: PlainModel | None, text: JsonText, limits: Limits) -> PlainSentences | None:
    if model is None:
        return None
    sentences, tokens, longest, longest_word = text.sizes
    is_within = (
        sentences <= limits.sentences
        and tokens <= limits.tokens
        and longest <= limits.sentence_tokens
        and longest_word <= limits.token_characters  # in bytes: a word of fewer characters may be refused elsewhere
        and tokens * model.steps <= limits.work
    )
    return PlainSentences(served, model, text, tokens, limits) if is_within else None

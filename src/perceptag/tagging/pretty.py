"""Write sentences for people at a terminal: spans in colour, or in brackets without colours.

    [Angela Merkel PER] visited [Paris LOC] on [May 5 DATE] .

The spans of all layers are shown. One inside another stands inside it; one that only shares words with another comes
after the sentence. Labels that do not mark spans stand behind their words, if they are those of the last layer. Colours
are for terminals, unless the environment has NO_COLOR; FORCE_COLOR asks for them wherever the output goes.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from perceptag.labels.schemes import Span, is_chunk_set, spans, type_name
from perceptag.system.label_colours import colour_of
from perceptag.system.output_files import Target, text_writer
from perceptag.system.visible import visible
from perceptag.text.compressed import open_output
from perceptag.text.format import Format
from perceptag.text.plain_text import read_inline
from perceptag.text.sentence import Sentence
from perceptag.text.text_layout import TextLayout

_PLAIN = "\x1b[0m"


Chunk = tuple[int, int, str]  # start, end, label


class SpanTree(NamedTuple):
    """A span, and the spans inside it."""

    span: Chunk
    inside: list[SpanTree]


def pretty_format(lower: Sequence[str] = ()) -> Format:
    """Return the format for people. The last column has the labels, the columns `lower` more of them."""

    def write(sentences: Iterable[Sentence], target: Target) -> None:
        with open_output(target) as stream:
            put, has_colours = text_writer(stream), wants_colours(stream)
            for sentence in sentences:
                put(_line(sentence, lower, has_colours) + "\n")

    return Format(name="pretty", title="text for people", read=read_inline, write=write, shows_last=True)


def wants_colours(stream: object) -> bool:
    """Return whether to write colours to a stream (no-color.org, force-color.org)."""
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    isatty = getattr(stream, "isatty", None)
    return bool(isatty and isatty()) and os.environ.get("TERM") != "dumb"


def _line(sentence: Sentence, lower: Sequence[str], has_colours: bool) -> str:
    words, gaps = [visible(word) for word in sentence.tokens], _gaps(sentence)
    labels = list(sentence.columns.values())[-1]
    if not is_chunk_set(dict.fromkeys(labels, 1)):
        words = [word + _dim(f"/{visible(y)}", has_colours) for word, y in zip(words, labels, strict=True)]
        gaps = [gap or " " for gap in gaps]
    columns = [labels, *(sentence.columns[name] for name in lower if name in sentence.columns)]
    found = dict.fromkeys((s.start, s.end, type_name(s.label)) for column in columns for s in _spans(column))
    trees, crossing = _trees(found)
    show = _Shown(words, gaps, has_colours)
    text = "".join(show.pieces(trees, 0, len(words))).rstrip()
    return "  ".join([text, *(show.bracketed(SpanTree(span, [])) for span in crossing)])


def _spans(labels: Sequence[str]) -> list[Span]:
    return spans(labels) if is_chunk_set(dict.fromkeys(labels, 1)) else []


def _trees(found: Iterable[Chunk]) -> tuple[list[SpanTree], list[Chunk]]:
    """Return spans with those inside them, from left to right, and those that cross one of them."""
    top: list[SpanTree] = []
    crossing: list[Chunk] = []
    around: list[SpanTree] = []  # the spans around this place, the largest first
    for span in sorted(found, key=lambda one: (one[0], -one[1])):
        while around and around[-1].span[1] <= span[0]:
            around.pop()
        if around and around[-1].span[1] < span[1]:
            crossing.append(span)
            continue
        tree = SpanTree(span, [])
        (around[-1].inside if around else top).append(tree)
        around.append(tree)
    return top, crossing


@dataclass(frozen=True, slots=True)
class _Shown:
    words: Sequence[str]
    gaps: Sequence[str]
    has_colours: bool

    def pieces(self, trees: Iterable[SpanTree], start: int, end: int) -> Iterator[str]:
        """Yield the words, spans and gaps from `start` to before `end`."""
        for tree in trees:
            yield from (self.words[t] + self.gaps[t] for t in range(start, tree.span[0]))
            start = tree.span[1]
            yield self.bracketed(tree) + self.gaps[start - 1]
        yield from (self.words[t] + self.gaps[t] for t in range(start, end))

    def bracketed(self, tree: SpanTree) -> str:
        start, end, label = tree.span
        text = "".join(self.pieces(tree.inside, start, end)).removesuffix(self.gaps[end - 1])
        return _marked(text, visible(label), self.has_colours)


def _gaps(sentence: Sentence) -> list[str]:
    """Return what stands after each word: a space, or nothing where the text had nothing, and after the last."""
    gaps: list[str] = []
    if isinstance(sentence.layout, TextLayout):
        for token, after in zip(sentence.layout.tokens, sentence.layout.after, strict=True):
            gaps += [*[""] * (len(token.words) - 1), " " if after else ""]
    else:
        gaps = [" "] * len(sentence)
    return [*gaps[:-1], ""] if gaps else []


def _marked(text: str, label: str, has_colours: bool) -> str:
    if not has_colours:
        return f"[{text} {label}]"
    found = colour_of(label)
    colour = f"\x1b[1;{found.terminal}m" if found else "\x1b[1m"
    text = text.replace(_PLAIN, _PLAIN + colour)  # a span inside it ends its own colour, not this one
    return f"{colour}{text}{_PLAIN}{_dim(' ' + label, True)}"


def _dim(text: str, has_colours: bool) -> str:
    return f"\x1b[2m{text}{_PLAIN}" if has_colours else text

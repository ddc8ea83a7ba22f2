"""Write sentences for people at a terminal: spans in colour, or in brackets without colours.

    [Angela Merkel PER] visited [Paris LOC] .

Other labels stand behind their words. Colours are for terminals, unless the environment has NO_COLOR; FORCE_COLOR asks
for them wherever the output goes.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence

from perceptag.errors import SettingError
from perceptag.labels.schemes import is_chunk_set, spans
from perceptag.system.output_files import Target, text_writer
from perceptag.system.visible import colour_number, visible
from perceptag.text.compressed import open_output
from perceptag.text.format import Format, Names
from perceptag.text.lines import Source
from perceptag.text.sentence import Sentence
from perceptag.text.text_layout import TextLayout

_COLOURS = (31, 32, 33, 34, 35, 36)  # of the terminal itself, which has chosen them for its background


def write_pretty(sentences: Iterable[Sentence], target: Target) -> None:
    """Write a sentence on each line; the last column has the labels."""
    with open_output(target) as stream:
        put, has_colours = text_writer(stream), wants_colours(stream)
        for sentence in sentences:
            put("".join(_pieces(sentence, has_colours)).rstrip() + "\n")


def wants_colours(stream: object) -> bool:
    """Return whether to write colours to a stream (no-color.org, force-color.org)."""
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    isatty = getattr(stream, "isatty", None)
    return bool(isatty and isatty()) and os.environ.get("TERM") != "dumb"


def _pieces(sentence: Sentence, has_colours: bool) -> Iterator[str]:
    """Yield the words, spans and gaps of a sentence."""
    words, gaps = [visible(word) for word in sentence.tokens], _gaps(sentence)
    labels = list(sentence.columns.values())[-1]
    if not is_chunk_set(dict.fromkeys(labels, 1)):
        for word, label, gap in zip(words, labels, gaps, strict=True):
            yield f"{word}{_dim('/' + visible(label), has_colours)}{gap or ' '}"
        return
    done = 0
    for span in spans(labels):
        yield from (word + gap for word, gap in zip(words[done : span.start], gaps[done : span.start], strict=True))
        inside = "".join(
            word + gap for word, gap in zip(words[span.start : span.end], gaps[span.start :], strict=False)
        )
        gap = gaps[span.end - 1]
        yield _marked(inside.removesuffix(gap) if gap else inside, visible(span.label), has_colours) + gap
        done = span.end
    yield from (word + gap for word, gap in zip(words[done:], gaps[done:], strict=True))


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
    colour = _COLOURS[colour_number(label, len(_COLOURS))]
    return f"\x1b[1;{colour}m{text}\x1b[0m{_dim(' ' + label, True)}"


def _dim(text: str, has_colours: bool) -> str:
    return f"\x1b[2m{text}\x1b[0m" if has_colours else text


def _read(source: Source, columns: Names | None = None) -> Iterator[Sentence]:
    del columns
    raise SettingError(f"format pretty: {source}: it is for output only; expected columns, conllu, jsonl or text")


def _no_values(sentence: Sentence, name: str, values: Sequence[str | None]) -> Sentence:
    del sentence, values
    raise SettingError(f"--to: expected columns, conllu or jsonl, which can hold the {name} of a token; found pretty")


FORMAT = Format(name="pretty", title="text for people", read=_read, write=write_pretty, with_values=_no_values)

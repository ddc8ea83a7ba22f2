"""Where white space stands between the words of a sentence, as far as its layout tells."""

from __future__ import annotations

from itertools import pairwise

from perceptag.text.sentence import Sentence
from perceptag.text.text_layout import TextLayout


def spaces_after(sentence: Sentence) -> bytes:
    """Return for each word 1 if white space follows it in the text, or if that is not known, and else 0."""
    if isinstance(sentence.layout, TextLayout):
        found = bytearray()
        for token, after in zip(sentence.layout.tokens, sentence.layout.after, strict=True):
            found += bytes(len(token.words) - 1) + bytes([bool(after)])
        return bytes(found)
    if offsets := offsets_of(sentence):
        return bytes(end < begin for (_, end), (begin, _) in pairwise(offsets)) + b"\1"
    if "misc" in sentence.columns:
        return bytes("SpaceAfter=No" not in value for value in sentence.columns["misc"])
    return b"\1" * len(sentence)


def offsets_of(sentence: Sentence) -> list[tuple[int, int]]:
    """Return the offsets of the words that JSON lines and Parquet files have beside them, if they are what they say."""
    record = getattr(sentence.layout, "record", None) or {}
    try:
        found = [(int(begin), int(end)) for begin, end in record.get("offsets") or ()]
    except (TypeError, ValueError, OverflowError):  # JSON has numbers that are infinite: 1e999
        return []
    return found if len(found) == len(sentence) else []


def text_of(sentence: Sentence, start: int, end: int, spaces: bytes | None = None) -> str:
    """Return the words of a span with a blank where white space is between them; `spaces` as `spaces_after` gives."""
    spaces = spaces_after(sentence) if spaces is None else spaces
    words = zip(sentence.tokens[start:end], spaces[start:end], strict=True)
    return "".join(word + " " * space for word, space in words).strip()

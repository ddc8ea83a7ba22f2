"""Characters in words and labels that are probably mistakes: odd spaces, invisible and control characters, and letters
that are written in two ways."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from functools import cache

from perceptag.errors import brief
from perceptag.inspecting.findings import Findings, plural
from perceptag.text.sentence import Sentence

# The joiners U+200C and U+200D are missing here on purpose: Persian and the scripts of India need them.
_INVISIBLE = frozenset("\u00ad\u200b\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2060\u2066\u2067\u2068\u2069\ufeff")
_SEPARATORS = frozenset("\u2028\u2029")


def check_characters(sentences: Sequence[Sentence], columns: Iterable[str], findings: Findings) -> None:
    """Look at the values of some columns."""
    names = list(columns)
    for sentence, t, value in _unusual(sentences, names):
        for character in dict.fromkeys(value):
            if kind := odd(character):
                name = f"U+{ord(character):04X} {unicodedata.name(character, '')}".rstrip()
                findings.add(kind, sentence.where(t), f"{name} in {brief(value)}", name)
    _check_forms(sentences, names, findings)


def _unusual(sentences: Iterable[Sentence], columns: Sequence[str]) -> Iterator[tuple[Sentence, int, str]]:
    """Yield values with characters that are not printable ASCII, and their places."""
    for sentence in sentences:
        for name in columns:
            values = sentence.columns.get(name, ())
            whole = "".join(values)
            if not whole.isascii() or not whole.isprintable():
                yield from ((sentence, t, v) for t, v in enumerate(values) if not (v.isascii() and v.isprintable()))


@cache  # texts have few distinct characters
def odd(character: str) -> str:
    """Return the kind of finding that a character is, or an empty string.

    >>> odd("\\u00a0"), odd("\\t"), odd("a")
    ('odd space', 'control character', '')
    """
    category = unicodedata.category(character)
    if category == "Cc" or character in _SEPARATORS:
        return "control character"
    if category == "Zs":
        return "" if character == " " else "odd space"
    if character == "\ufffd":
        return "replacement character"
    return "invisible character" if character in _INVISIBLE else ""


def _check_forms(sentences: Sequence[Sentence], columns: Sequence[str], findings: Findings) -> None:
    """Look for letters that are written as two characters (NFD), where others are written as one (NFC)."""
    places: dict[str, list[tuple[str, str]]] = {"two": [], "one": []}
    for sentence, t, value in _unusual(sentences, columns):
        if not unicodedata.is_normalized("NFC", value):
            places["two"].append((sentence.where(t), value))
        elif not unicodedata.is_normalized("NFD", value):
            places["one"].append((sentence.where(t), value))
    if not places["two"]:
        return
    where, value = places["two"][0]
    found = f"{ascii(value)[:60]}: letter and accent are two characters (NFD)"
    if not places["one"]:
        findings.add("decomposed letters", where, f"{found} in all such words", times=len(places["two"]))
        return
    few, many = sorted(places.values(), key=len)
    many_are = "NFC" if many is places["one"] else "NFD"
    message = f"{found} in {plural(len(places['two']), 'word')}, one (NFC) in {len(places['one']):,}"
    findings.add("mixed Unicode forms", few[0][0], f"{message}; {many_are} is usual here", times=len(few))

"""Features in plain words: ``lower.suffix3[0]=ris`` is *the word ends in -ris*."""

from __future__ import annotations

import re

# What each attribute says about a word; {} is the value of the feature.
_SAYS = {
    "form": "is “{}”",
    "lower": "is “{}” in any case",
    "prefix": "begins with {}-",
    "suffix": "ends in -{}",
    "shape": "has the shape {}",
    "shortshape": "has the shape {}",
    "digit": "has a digit",
    "upper": "has a capital letter",
    "hyphen": "has a hyphen",
    "capital": "begins with a capital letter",
    "allcaps": "is in capital letters",
    "alllower": "is lower case",
    "number": "is a number",
    "alphanumeric": "has letters and digits",
    "twodigits": "is two digits",
    "fourdigits": "is four digits",
    "othernumber": "is a number, but not of two or four digits",
    "digithyphen": "has a digit and a hyphen",
    "digitslash": "has a digit and a slash",
    "digitcomma": "has a digit and a comma",
    "digitperiod": "has a digit and a full stop",
    "capperiod": "is a capital letter with a full stop",
    "punctuation": "is punctuation",
    "length": "has {} characters",
    "class": "is like {}",
    "gazetteer": "is in the list of {}",
    "upos": "is tagged {}",
    "xpos": "is tagged {}",
    "pos": "is tagged {}",
}
_SHAPES = {"x": "is lower case", "X": "is in capital letters", "Xx": "begins with a capital letter", "d": "is a number"}
_LABELS = {
    "y-2": "the label 2 before",
    "y-1": "the label before",
    "y+1": "the label after",
    "y+2": "the label 2 after",
}
_PART = re.compile(r"(?P<path>\w[\w.:-]*)\[(?P<offset>[+-]?\d+)\]=(?P<value>.*)", re.DOTALL)
_NEXT = re.compile(r" (?=\w[\w.:-]*\[[+-]?\d+\]=)")
_CROSSED = re.compile(r"(?:^| )\* ((?:y[+-]\d(?:=\S+)? )+)y0$")


def in_plain_words(feature: str) -> str:
    """Return a feature in words; nothing if it has a part that no words are known for.

    >>> in_plain_words("lower.suffix3[0]=ris"), in_plain_words("shortshape[-1]=x capital[0]=1")
    ('the word ends in -ris', 'the word before is lower case, the word begins with a capital letter')
    >>> in_plain_words("form[1]=</s1> * y-1 y0"), in_plain_words("my_column[0]=7")
    ('there is no word after; with the label before', '')
    """
    crossed = _CROSSED.search(feature)
    seen = feature[: crossed.start()] if crossed else feature
    said = [] if seen == "bias" else [_part(part) for part in _NEXT.split(seen)]
    if not all(said) or (not crossed and not said):
        return ""
    around = _around(crossed[1].split()) if crossed else ""
    return "; with ".join(filter(None, [", ".join(said), around])) if said else f"follows from {around}"


def _part(written: str) -> str:
    found = _PART.fullmatch(written)
    if not found:
        return ""
    offset, value = int(found["offset"]), found["value"]
    if re.fullmatch(r"</?s\d+>", value):
        return f"there is no {_word(offset)}"
    says = _predicate(found["path"].split("."), value)
    return f"the {_word(offset)} {says}" if says else ""


def _word(offset: int) -> str:
    side = "before" if offset < 0 else "after"
    return {0: "word", -1: "word before", 1: "word after"}.get(offset) or f"word {abs(offset)} {side}"


def _predicate(path: list[str], value: str) -> str:
    """Return what a value of a path such as ``lower.suffix3`` says; composed attributes are said by the last one."""
    name = path[-1].rstrip("0123456789")
    if len(path) > 1 and path[0] not in ("form", "lower"):
        return ""
    if name == "shortshape" and value in _SHAPES:
        return _SHAPES[value]
    if name == "class":
        value = ", ".join(value.removesuffix("…").split("·"))
    if name == "gazetteer":
        kind, _, value = value.partition("-")
        return f"is inside a phrase of the list of {value}" if kind == "I" else _SAYS[name].format(value)
    if name == "endings":
        old, _, new = value.partition(">")
        return f"also occurs with {f'-{new}' if new else 'nothing'}{f' in place of -{old}' if old else ' added'}"
    return _SAYS[name].format(value) if name in _SAYS else ""


def _around(labels: list[str]) -> str:
    named = [(_LABELS[one.partition("=")[0]], one.partition("=")[2]) for one in labels]
    return " and ".join(f"{where} being {value}" if value else where for where, value in named)

"""Features in plain words: ``lower.suffix3[0]=ris`` is *the word ends in -ris*."""

from __future__ import annotations

import re

from perceptag.features.gazetteer import COLUMNS as LISTS
from perceptag.features.gazetteer import list_meaning

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
    "upos": "is tagged {}",
    "xpos": "is tagged {}",
    "pos": "is tagged {}",
}
_SHAPES = {"x": "is lower case", "X": "is in capital letters", "Xx": "begins with a capital letter", "d": "is a number"}
# Flags of the chunker, which have no value.
_FLAGS = {
    "initial-caps": "begins with a capital letter",
    "all-caps": "is in capital letters",
    "contains-digits": "has a digit",
    "all-digits": "is a number",
    "alphanumeric": "has letters and digits",
    "roman-number": "is a Roman number",
    "contains-dots": "has a full stop",
    "contains-hyphen": "has a hyphen",
    "acronym": "is an acronym",
    "lonely-initial": "is a capital letter with a full stop",
    "punctuation-mark": "is punctuation",
    "single-char": "is one character",
    "url": "is an address of the web",
    "functional-word": "is a function word",
}
_LABELS = {
    "y-2": "the label 2 before",
    "y-1": "the label before",
    "y+1": "the label after",
    "y+2": "the label 2 after",
}
_PART = re.compile(r"(?P<path>\w[\w.:-]*)\[(?P<offset>[+-]?\d+)\]=(?P<value>.*)", re.DOTALL)
_NEXT = re.compile(r" (?=\w[\w.:-]*\[[+-]?\d+\]=)")
_OF_PHRASES = {
    "phrase": "is “{}”",
    "phrase.pattern": "has the pattern {}",
    "in.pattern": "has a part of the pattern {}",
    "gazetteer": "is in the list of {}",
}
_AROUND_PHRASE = re.compile(r"(?P<side>[se])\.(?P<name>[\w-]+)\[(?P<offset>-?\d+)\](?:=(?P<value>.*))?", re.DOTALL)
_LABEL_PART = re.compile(r"(?:whole|[^\s\[\]=]+=[^\s\[\]]+): ")
_CROSSED = re.compile(r"(?:^| )\* ((?:y[+-]\d(?:=\S+)? )+)y0$")


def in_plain_words(feature: str) -> str:
    """Return a feature in words; nothing if it has a part that no words are known for.

    >>> in_plain_words("lower.suffix3[0]=ris"), in_plain_words("shortshape[-1]=x capital[0]=1")
    ('the word ends in -ris', 'the word before is lower case, the word begins with a capital letter')
    >>> in_plain_words("Number=Plur: lower.suffix1[0]=k")
    'Number=Plur: the word ends in -k'
    >>> in_plain_words("form[1]=</s1> * y-1 y0"), in_plain_words("my_column[0]=7")
    ('there is no word after; with the label before', '')
    """
    if feature == "outside_score":  # a setting of the recipe, which has no observation
        return "what the model adds to the label O (outside_score)"
    part = _LABEL_PART.match(feature)  # the model scores parts of labels
    if part:
        said_of_part = in_plain_words(feature[part.end() :])
        return said_of_part and part[0] + said_of_part
    crossed = _CROSSED.search(feature)
    seen = feature[: crossed.start()] if crossed else feature
    said = [] if seen == "bias" else [_part(part) for part in _NEXT.split(seen)]
    if not all(said) or (not crossed and not said):
        return ""
    around = _around(crossed[1].split()) if crossed else ""
    return "; with ".join(filter(None, [", ".join(said), around])) if said else f"follows from {around}"


def phrase_in_words(feature: str) -> str:
    """Return a feature of a phrase in words, as the chunker has them; nothing if no words are known for it.

    >>> phrase_in_words("phrase=New York"), phrase_in_words("in.form=York"), phrase_in_words("left[-1]=LOC")
    ('the phrase is “New York”', 'a word of the phrase is “York”', '')
    >>> phrase_in_words("s.form[-1]=in"), phrase_in_words("e.initial-caps[0]")
    ('the word before the phrase is “in”', 'the last word of the phrase begins with a capital letter')
    """
    kind, _, value = feature.partition("=")
    if kind in _OF_PHRASES:
        return f"the phrase {_OF_PHRASES[kind].format(value)}"
    around = _AROUND_PHRASE.fullmatch(feature)
    if around:
        who, name, value = _at_phrase(around["side"], int(around["offset"])), around["name"], around["value"] or ""
        if name == "outside":
            return f"there is no {who}"
    elif kind.startswith("in."):
        who, name = "word of the phrase", kind.removeprefix("in.")
    else:
        return ""
    says = _FLAGS.get(name) or (_predicate([name], value) if value else "")
    return f"{'the' if around else 'a'} {who} {says}" if says else ""


def stored_phrase_in_words(features: str) -> str:
    """Return the words that are known of a phrase of the training data, or its pattern.

    >>> stored_phrase_in_words("in.form=New in.form=York"), stored_phrase_in_words("phrase.pattern=Cl")
    ('New York', 'the phrase has the pattern Cl')
    """
    return (
        phrase_in_words(features) if "pattern" in features else features.replace("in.form=", "").removeprefix("phrase=")
    )


def _at_phrase(side: str, offset: int) -> str:
    return f"{_word(offset)} the phrase" if offset else f"{'first' if side == 's' else 'last'} word of the phrase"


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
    if name in LISTS:
        return f"is {list_meaning(value)}"
    if name == "endings":
        old, _, new = value.partition(">")
        return f"also occurs with {f'-{new}' if new else 'nothing'}{f' instead of -{old}' if old else ' added'}"
    return _SAYS[name].format(value) if name in _SAYS else ""


def _around(labels: list[str]) -> str:
    named = [(_LABELS[one.partition("=")[0]], one.partition("=")[2]) for one in labels]
    return " and ".join(f"{where} being {value}" if value else where for where, value in named)

"""The first column of a column file, which holds the words unless the user names the columns."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from perceptag.foreign import table_header
from perceptag.foreign.file_hints import ONTONOTES
from perceptag.labels.schemes import is_chunk_set
from perceptag.text.sentence import Sentence

_LOOKED_AT = 200  # sentences
_FEWEST = 6  # tokens: fewer may be anything
_ENOUGH, _RATIO = 100, 3  # tokens, and how many more words than tags there are then
_PLACE = re.compile(r"\d+-\d+")  # of WebAnno: sentence and token


def why_not_words(sentences: Sequence[Sentence]) -> str:
    """Say why the first column does not seem to hold the words, and what names the columns; "" if it may hold them."""
    some = [sentence for sentence in sentences[:_LOOKED_AT] if len(sentence)]
    first = [sentence.tokens for sentence in some]
    names = list(some[0].columns) if some else []
    tokens = sum(map(len, first))
    if names and names[0] == "form" and (told := _told_of_header(some, names)):
        return told
    if len(names) > 2 and names[0] == "form" and tokens > 1 and _are_numbers(some, names):
        return _told_of_numbers(first, names)
    if len(names) < 2 or names[0] != "form" or tokens < _FEWEST:
        return ""
    values = Counter(value for column in first for value in column)
    last = Counter(value for sentence in some for value in sentence.columns[names[-1]])
    others = names[2:]
    if len(names) > 2 and all(map(_PLACE.fullmatch, values)):
        return _told(
            "places of tokens", ["id", "offsets", "form", *names[3:]] if others[1:] else ["id", "form", *others]
        )
    are_tags = tokens >= _ENOUGH and _RATIO * len(values) < len(last)
    if are_tags or ("O" in values and is_chunk_set(values) and len(values) < len(last)):
        return _told("labels", ["label", *(f"c{i}" for i in range(1, len(names) - 1)), "form"])
    is_ontonotes = len(names) > 10 and all(_counts(sentence.columns[names[2]]) for sentence in some)
    return ONTONOTES if is_ontonotes and all("/" in name for name in values) else ""  # documents in folders


def _told_of_header(sentences: Sequence[Sentence], names: Sequence[str]) -> str:
    """Say that the first line names the columns, such as ``token tag``, or stands above numbers of sentences; or ""."""
    line = [sentences[0].columns[name][0] for name in names]
    told = f"this looks like the names of columns, not like a token: {' '.join(line)}"
    if table_header.names_tokens(line):
        return f"{told}; delete the line"
    has_numbers = len(names) > 2 and sum(map(len, sentences)) >= _FEWEST and _are_numbers(sentences, names, 1)
    known = "the first line of a table is known by names such as 'sentence_id word tag', with tabs"
    return f"{told}; {known}" if has_numbers and not line[0].isdecimal() else ""


def _are_numbers(sentences: Sequence[Sentence], names: Sequence[str], skip: int = 0) -> bool:
    """Return whether the first column has numbers alone, and the second one hardly any; `skip`: lines of a header."""
    first, second = ([value for s in sentences for value in s.columns[name]][skip:] for name in names[:2])
    has_words = sum(map(str.isdecimal, second)) < len(second) / 2
    return has_words and all(map(str.isdecimal, first))


def _told_of_numbers(first: Sequence[Sequence[str]], names: Sequence[str]) -> str:
    """Say whether tokens or sentences are numbered."""
    if all(_counts(column) for column in first):
        return _told("numbers of tokens", ["id", "form", *names[2:]])
    if len(first) > 1:
        return _told("numbers of sentences", ["sentence", "form", *names[2:]])
    heading = "sentence word tag" if len(names) == 3 else "sentence word … tag"
    return f"expected words in the first column, found numbers; a first line {heading!r} (with tabs) names the columns"


def _counts(column: Sequence[str]) -> bool:
    start = column[0]
    return start in ("0", "1") and list(column) == [str(n) for n in range(int(start), int(start) + len(column))]


def _told(found: str, names: Sequence[str]) -> str:
    told = f"expected words in the first column, found {found}; --columns {','.join(names)} names the columns"
    return f"{told}; if they are words, --columns with form first says so"

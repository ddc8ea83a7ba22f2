"""Texts with lists of names and labels but without offsets, as language models return them.

    {"text": "Anna met Bo Berg.", "entities": [{"text": "Anna", "label": "PER"}, {"text": "Bo Berg", "label": "PER"}]}
    {"text": "Anna sings.", "entities": {"PER": ["Anna"]}}
    {"text": "Anna sings.", "entities": {"Anna": "PER"}}

Each name is looked for in its text, the longest first, as whole words, with any white space between them, and if that
fails in other case. All its occurrences outside longer names get its label. A name that is listed with several labels
is placed in the order of the list if it occurs as often as it is listed.

What cannot be placed is reported. If words of it, or words spelt much like them, are in the text, their sentences stay
unlabelled: the name is probably there in another form.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from perceptag.errors import DataError, LostLabel, brief
from perceptag.foreign.bare_texts import open_text
from perceptag.foreign.json_records import Record
from perceptag.foreign.span_values import LABELS, STARTS, TEXTS, WORDS, first_of
from perceptag.foreign.texts import AnnotatorSpans, CharacterSpan, ForeignText, knowing, text_of, unread_keys

NAME, TITLE = "mentions", "texts with names and labels, without offsets"
_CLOSE = 0.75  # the ratio of difflib from which a word is taken for another spelling
_LISTS = ("entities", "labels", "label", "annotations", "spans", "ner", "mentions", "output")


class ListedName(NamedTuple):
    """A name and its label."""

    words: str
    label: str


def is_mine(record: dict[str, Any]) -> bool:
    """Return whether a record has a text and names in it without offsets."""
    has_text = any(isinstance(record.get(key), str) for key in TEXTS)
    found = _list(record)
    if isinstance(found, dict):
        return has_text and bool(found) and all(isinstance(some, (list, str, type(None))) for some in found.values())
    return has_text and isinstance(found, list) and bool(found) and all(map(_is_mention, found))


def read(found: Iterable[Record]) -> Iterator[ForeignText]:
    """Read all texts."""
    for where, value in found:
        text = text_of(value, TEXTS, where)
        read = (next(key for key in TEXTS if isinstance(value.get(key), str)), _key(value))
        if _list(value) is None:  # an answer that did not come
            yield knowing(open_text(where, text, "list of names"), value, read)
            continue
        spans, lost = place(text, _mentions(_by_label(_list(value), text), where))
        made = ForeignText(where, text, AnnotatorSpans("", spans))
        made.left_out += unread_keys(_key(value), _objects(_list(value)), {*LABELS, *WORDS, "id"})
        made.notes += [LostLabel(f"{where}: {brief(m.words)} ({m.label}): {_why_lost(text, m.words)}") for m in lost]
        yield knowing(made, value, read)


def _list(record: dict[str, Any]) -> Any:
    return record.get(_key(record))


def _objects(given: Any) -> list[Any]:
    """Return the names of a list, or those of all labels of ``{"PER": [{"text": "Anna"}]}``."""
    lists = given.values() if isinstance(given, dict) else [given]
    return [item for some in lists if isinstance(some, list) for item in some]


def _key(record: dict[str, Any]) -> str:
    """Return the key of the names; of one that has no list or object if there is no other."""
    known = [key for key in _LISTS if key in record]
    return next((key for key in known if isinstance(record[key], (list, dict))), next(iter(known), ""))


def _is_mention(item: object) -> bool:
    if isinstance(item, dict):
        return first_of(item, STARTS) is None and None not in (first_of(item, LABELS), _words(item))
    return isinstance(item, list) and len(item) == 2 and all(isinstance(part, str) for part in item)


def _words(item: dict[str, Any]) -> Any:
    return first_of({key: value for key, value in item.items() if isinstance(value, str)}, WORDS)


def _by_label(given: Any, text: str) -> Any:
    """Return pairs of a name and its label if an object names labels by words of the text: ``{"Anna": "PER"}``."""
    if not isinstance(given, dict) or not all(isinstance(some, str) for some in given.values()):
        return given
    names, values = (sum(bool(_occurrences(text, words)) for words in some) for some in (given, given.values()))
    return [list(pair) for pair in given.items()] if names > values else given


def _mentions(given: Any, where: str) -> list[ListedName]:
    if isinstance(given, str):
        raise DataError(f"expected a list of names with labels, or [] for none, found {brief(given)}", where)
    found = (
        [pair for name, some in given.items() for pair in _of_type(name, some)] if isinstance(given, dict) else given
    )
    made = []
    for item in found or ():
        words, name = _pair(item)
        if not isinstance(words, str) or not words.strip() or not isinstance(name, str) or not name.strip():
            expected = '{"text": "Anna", "label": "PER"}'
            raise DataError(f"expected names with labels, such as {expected}, found {brief(item)}", where)
        made.append(ListedName(words.strip(), name))
    return made


def _of_type(name: str, some: Any) -> list[Any]:
    """Return the names of one type in ``{"PER": ["Anna"]}`` with their label; one name may stand without a list."""
    listed = some if isinstance(some, list) else [] if some is None else [some]
    return [[_words(item) if isinstance(item, dict) else item, name] for item in listed]


def _pair(item: Any) -> tuple[Any, Any]:
    """Return the words and the label of an item; values of other types are for the caller to refuse."""
    if isinstance(item, dict):
        return _words(item), first_of(item, LABELS)
    return (item[0], item[1]) if isinstance(item, list) and len(item) == 2 else (None, None)


def place(text: str, mentions: Iterable[ListedName]) -> tuple[list[CharacterSpan], list[ListedName]]:
    """Return the spans of names in a text, and the names that have no place there.

    >>> [(s.start, s.label) for s in place("Anna met Bo.", [ListedName("Bo", "PER"), ListedName("Ed", "PER")])[0]]
    [(9, 'PER')]
    """
    by_words: dict[str, list[str]] = {}
    for mention in mentions:
        by_words.setdefault(mention.words, []).append(mention.label)
    spans: list[CharacterSpan] = []
    lost: list[ListedName] = []
    for words in sorted(by_words, key=len, reverse=True):
        labels = by_words[words]
        places = _occurrences(text, words)
        free = [p for p in places if not any(s.start < p[1] and p[0] < s.end for s in spans)]
        if places and not free:
            lost.append(ListedName(words, labels[0]))
            continue
        if len(set(labels)) == 1:
            labels = labels[:1] * len(free)
        if places and len(labels) == len(free):
            spans += [CharacterSpan(start, end, name) for (start, end), name in zip(free, labels, strict=True)]
        else:
            doubtful = free or [p for word in words.split() if _tells(word) for p in _alike(text, word)]
            # The words that the span should have differ from those at its place, so its sentence stays unlabelled.
            told = _told(words, by_words[words])
            spans += [CharacterSpan(start, end, by_words[words][0], told) for start, end in doubtful]
            lost += [] if doubtful else [ListedName(words, by_words[words][0])]
    return sorted(spans, key=lambda span: (span.start, span.end)), lost


def _why_lost(text: str, words: str) -> str:
    return (
        "inside or across another name, which has the place" if _occurrences(text, words) else "not found in the text"
    )


def _tells(word: str) -> bool:
    """Return whether a word is probably of a name, and not *of* or *the*."""
    return word[:1].isupper() or len(word) > 3


def _alike(text: str, word: str) -> list[tuple[int, int]]:
    """Return the places of a word, or else of the word that is spelt most like it, as *Koln* and *Köln*."""
    if found := _occurrences(text, word):
        return found
    words = {match.group(): None for match in re.finditer(r"\w+", text)}
    close = difflib.get_close_matches(word, [one for one in words if _tells(one)], n=1, cutoff=_CLOSE)
    return _occurrences(text, close[0]) if close else []


def _told(words: str, labels: Iterable[str]) -> str:
    several = list(dict.fromkeys(labels))
    return words if len(several) == 1 else f"{words} ({' or '.join(several)})"


def _occurrences(text: str, words: str) -> list[tuple[int, int]]:
    """Return the places of a name as whole words; in other case only if there is none in the same case."""
    pattern = r"\s+".join(map(re.escape, words.split()))
    whole = rf"(?<!\w){pattern}(?!\w)" if words[:1].isalnum() and words[-1:].isalnum() else pattern
    for flags in (0, re.IGNORECASE):
        if found := [match.span() for match in re.finditer(whole, text, flags)]:
            return found
    return []

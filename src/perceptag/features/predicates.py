"""Predicates about the form of a word: those of Carreras, Màrquez & Padró (2003), section 4.

Each is a function of one word, so each runs once per distinct word. The paper names the predicates and leaves
their definitions open; ours are below. Letters, capitals and digits are those of Unicode.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Sequence

AFFIXES = range(1, 5)  # "up to 4 characters"
WORD_TYPES = "fCl.'x"  # functional, capitalised, lower case, punctuation mark, quote, other
_QUOTES = frozenset(["'", '"', "`", "``", "''", "‘", "’", "“", "”", "«", "»", "„", "‹", "›"])
_ROMAN = re.compile(r"[IVXLCDM]+")
_ADDRESS = re.compile(r"https?:.*|www\..*|.+\.(com|org|net|edu|gov|info|[a-z]{2}/.*)", re.IGNORECASE)


def _letters(word: str) -> list[str]:
    return [c for c in word if c.isalpha()]


def _is_punctuation(word: str) -> bool:
    return bool(word) and not any(c.isalnum() for c in word)


def _is_acronym(word: str) -> bool:
    """Return whether the word is letters each followed by a dot: ``U.S.``."""
    return len(word) >= 2 and len(word) % 2 == 0 and all(c.isalpha() for c in word[::2]) and set(word[1::2]) == {"."}


ORTHOGRAPHIC: dict[str, Callable[[str], bool]] = {
    "initial-caps": lambda w: w[:1].isupper(),
    "all-caps": lambda w: bool(_letters(w)) and all(c.isupper() for c in _letters(w)),
    "contains-digits": lambda w: any(c.isdigit() for c in w),
    "all-digits": str.isdigit,
    "alphanumeric": lambda w: any(c.isalpha() for c in w) and any(c.isdigit() for c in w),
    "roman-number": lambda w: _ROMAN.fullmatch(w) is not None,
    "contains-dots": lambda w: "." in w,
    "contains-hyphen": lambda w: "-" in w,
    "acronym": _is_acronym,
    "lonely-initial": lambda w: len(w) == 2 and w[0].isupper() and w[1] == ".",
    "punctuation-mark": _is_punctuation,
    "single-char": lambda w: len(w) == 1,
    # No word with a line feed is one: "." does not match it, but tries to from every dot.
    "url": lambda w: "\n" not in w and _ADDRESS.fullmatch(w) is not None,
}


def orthographic(word: str, functional: Collection[str]) -> list[str]:
    """Return the flags that are true of a word.

    >>> orthographic("U.S.", ())
    ['initial-caps', 'all-caps', 'contains-dots', 'acronym']
    """
    flags = [name for name, holds in ORTHOGRAPHIC.items() if holds(word)]
    return [*flags, "functional-word"] if word in functional else flags


def affixes(word: str) -> list[str]:
    """Return prefixes and suffixes of up to four characters, no longer than the word.

    >>> affixes("EU")
    ['prefix1=E', 'suffix1=U', 'prefix2=EU', 'suffix2=EU']
    """
    return [affix for n in AFFIXES if len(word) >= n for affix in (f"prefix{n}={word[:n]}", f"suffix{n}={word[-n:]}")]


def word_type(word: str, functional: Collection[str]) -> str:
    """Return one of `WORD_TYPES`, tested in this order: quote, punctuation, functional, capitalised, lower, other."""
    if word in _QUOTES:
        return "'"
    if _is_punctuation(word):
        return "."
    if word in functional:
        return "f"
    if word[:1].isupper():
        return "C"
    return "l" if word.islower() and not any(c.isdigit() for c in word) else "x"


def functional_words(phrases: Iterable[Sequence[str]], least: int = 3) -> list[str]:
    """Return the lower-case words that occur inside phrases at least `least` times (section 5).

    >>> functional_words([["Bank", "of", "China"]] * 3 + [["the", "Hague"]])
    ['of']
    """
    counts: dict[str, int] = {}
    for phrase in phrases:
        for word in phrase:
            if word.islower() and word.isalpha():
                counts[word] = counts.get(word, 0) + 1
    return sorted(word for word, n in counts.items() if n >= least)

"""The lists of names in `en`, filtered by plain text: words usually written small are left out."""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterable
from pathlib import Path

from models.open_text import Capitals

FOLDER = "open/names"
LISTS = {
    "first": "MERGED_first_names.txt.gz",
    "last": "MERGED_last_names.txt.gz",
    "loc": "MERGED_loc.txt.gz",
    "org": "MERGED_org.txt.gz",
    "company": "MERGED_companies.txt.gz",
}
OFTEN = 3  # a word that plain text has so often with a capital, and hardly ever without, is in the list `capital`
NEVER = 0.02  # words with at most this share of capitals are in no list: they are most words of a text
# Other words by the share of capitals: up to which share, and how often plain text must have them.
SHARES = {
    "seldom_capital": (0.2, 10),
    "sometimes_capital": (0.6, 5),
    "often_capital": (1, 3),
}
NAMES = (*LISTS, "capital", *SHARES)
LONGEST = 5  # words of a phrase
SMALL = {"company": 0.5}  # how often a single word of a list may be written small, to capitals; others: a tenth
LEGAL_FORMS = (
    *("inc", "inc.", "corp", "corp.", "corporation", "co", "co.", "ltd", "ltd.", "limited", "plc", "llc", "l.p.", "lp"),
    *("reit", "n.v.", "s.a.", "ag", "se", "sa", "nv", "bancorp"),
)


def write_lists(data: Path, capitals: Capitals, tokens: Path, folder: Path) -> None:
    """Write the lists into a folder."""
    read = {name: _phrases(data / FOLDER / file) for name, file in LISTS.items()}
    read["company"] = [p for phrase in read["company"] for p in _company(phrase)]
    kept = {
        name: [p for p in phrases if _is_evidence(p, capitals, SMALL.get(name, 0.1))] for name, phrases in read.items()
    }
    kept["last"] = [p for p in kept["last"] if " " in p or capitals.capital[p.lower()]]
    seen = _seen(tokens, kept["org"])  # most organisations are small ones, which hardly any text mentions
    kept["org"] = [p for p in kept["org"] if p.lower() in seen]
    often = (word for word, times in capitals.capital.items() if times >= OFTEN and word.isalpha())
    kept["capital"] = sorted(filter(capitals.is_name, often))
    kept |= _by_share(capitals, {*kept["capital"]})
    for name, phrases in kept.items():
        (folder / f"{name}.txt").write_text("\n".join(dict.fromkeys(phrases)) + "\n", "utf-8")


def _by_share(capitals: Capitals, left_out: set[str]) -> dict[str, list[str]]:
    """Return the words of plain text, without those of one list, by how often they have a capital."""
    found: dict[str, list[str]] = {name: [] for name in SHARES}
    for word in sorted({*capitals.small, *capitals.capital} - left_out):
        share = capitals.share(word)
        name, (_, least) = next(item for item in SHARES.items() if share <= item[1][0])
        if share > NEVER and word.isalpha() and capitals.times(word) >= least:
            found[name].append(word)
    return found


def _phrases(path: Path) -> list[str]:
    """Read a list. The tokens of a phrase are those of the English Web Treebank: hyphens are tokens of their own."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return [" ".join(re.sub(r"(?<=\w)(-|'s\b)", r" \1 ", line).split()) for line in lines]


def _company(phrase: str) -> list[str]:
    """Return the name of a company, and the name without its legal form.

    >>> _company("Lemonade, Inc.")
    ['Lemonade , Inc.', 'Lemonade']
    """
    words = re.sub(r",(?=\s|$)", " ,", phrase).split()
    short = list(words)
    while len(short) > 1 and (short[-1].lower() in LEGAL_FORMS or short[-1] == ","):
        short.pop()
    return [" ".join(words), " ".join(short)]


def _is_evidence(phrase: str, capitals: Capitals, small: float) -> bool:
    """Return whether a phrase is worth a place in a list; `small`: how often a single word may be written small."""
    words = phrase.split()
    if len(phrase) < 3 or len(words) > LONGEST or not all(c < "\u0250" and not c.isdigit() for c in phrase):
        return False  # numbers, other writing systems
    if len(words) == 1:
        return capitals.is_name(phrase, small)
    return not all(capitals.small[w.lower()] > capitals.capital[w.lower()] for w in words)


def _seen(tokens: Path, phrases: Iterable[str]) -> set[str]:
    """Return those phrases, in lower case, that the plain text has in any case."""
    by_first: dict[str, dict[int, None]] = {}
    wanted = {phrase.lower() for phrase in phrases}
    for phrase in sorted(wanted):
        by_first.setdefault(phrase.partition(" ")[0], {})[phrase.count(" ") + 1] = None
    found = set()
    with tokens.open(encoding="utf-8") as lines:
        for line in lines:
            words = line.lower().split()
            for place, word in enumerate(words):
                for length in by_first.get(word, ()):
                    phrase = " ".join(words[place : place + length])
                    if phrase in wanted:
                        found.add(phrase)
    return found

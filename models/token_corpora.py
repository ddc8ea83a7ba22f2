"""The data behind the tokeniser of `en`: two treebanks, and sentences with what treebanks have too little of.

The English Web Treebank has hardly any abbreviations before names and numbers, and few initials, file names and
bullets. `token_patterns.toml` spells such sentences. Their names come from the lists of names.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from random import Random

from models.tag_corpora import EWT, gum
from perceptag.system.toml import read_toml

DOCUMENTS, LONGEST = 500, 4  # how many of patterns, and the most sentences of one
LISTS = 5  # one in so many documents is a list of lines
_READ = read_toml(Path(__file__).with_name("token_patterns.toml").read_text("utf-8"))
SENTENCES, LINES = _READ["sentences"], _READ["lines"]
_ABBREVIATIONS = {name: words.split() for name, words in _READ["abbreviations"].items()}
ABBREVIATIONS = list(dict.fromkeys(word for words in _ABBREVIATIONS.values() for word in words))
VALUES: dict[str, Sequence[str]] = {
    **_ABBREVIATIONS,
    **{name: words.split() for name, words in _READ["words"].items()},
    **_READ["phrases"],
    "I": "ABCDEFGHIJKLMNOPRSTVW",
}


def write_training(data: Path, folder: Path, train: Path, abbreviations: Path) -> None:
    """Write the treebanks with the sentences of patterns, and the list of abbreviations. Lists are in the folder."""
    names = {name: (folder / f"{name}.txt").read_text("utf-8").split("\n")[:-1] for name in ("first", "last")}
    known = {name: [word for word in words if word.isalpha()] for name, words in names.items()}
    ewt = (data / EWT.format("train")).read_text("utf-8")
    train.write_text(f"{ewt}{gum(data)[0]}{''.join(documents(known))}", "utf-8")
    abbreviations.write_text("\n".join(ABBREVIATIONS) + "\n", "utf-8")


def documents(names: Mapping[str, Sequence[str]]) -> Iterator[str]:
    """Yield documents as CoNLL-U: sentences in one paragraph, or lines in several."""
    for number in range(DOCUMENTS):
        draws = Random(number)
        patterns = SENTENCES if number % LISTS else LINES
        yield f"# newdoc id = patterns-{number}\n"
        for place in range(1 + int(draws.random() * LONGEST)):
            if place == 0 or patterns is LINES:
                yield f"# newpar id = patterns-{number}-{place}\n"
            yield sentence(spelt(one_of(patterns, draws), names, draws))


def one_of(values: Sequence[str], draws: Random) -> str:
    """Draw a value."""
    return values[int(draws.random() * len(values))]


def spelt(pattern: str, names: Mapping[str, Sequence[str]], draws: Random) -> str:
    """Replace the values and digits of a pattern.

    >>> spelt("{first}|, {LAST}|, no. 9", {"first": ["Ann"], "last": ["Berg"]}, Random(0))
    'Ann|, BERG|, no. 4'
    """
    while "{" in pattern:
        start = pattern.index("{")
        end = pattern.index("}", start)
        pattern = pattern[:start] + _value(pattern[start + 1 : end], names, draws) + pattern[end + 1 :]
    return "".join(str(1 + int(draws.random() * 9)) if c == "9" else c for c in pattern)


def _value(name: str, names: Mapping[str, Sequence[str]], draws: Random) -> str:
    value = one_of(names.get(name.lower()) or VALUES.get(name) or VALUES[name.lower()], draws)
    return value.upper() if name.isupper() else value.capitalize() if name[0].isupper() else value


def sentence(text: str) -> str:
    """Return a sentence as CoNLL-U.

    >>> print(sentence("Go|!").replace("\\t", " ").rstrip())
    # text = Go!
    1 Go _ _ _ _ _ _ _ SpaceAfter=No
    2 ! _ _ _ _ _ _ _ _
    >>> print(sentence("Ann^'s").replace("\\t", " ").rstrip())
    # text = Ann's
    1-2 Ann's _ _ _ _ _ _ _ _
    1 Ann _ _ _ _ _ _ _ _
    2 's _ _ _ _ _ _ _ _
    """
    lines, number = [f"# text = {text.replace('|', '').replace('^', '')}"], 0
    for run in text.split():
        tokens = run.split("|")
        for token in tokens:
            misc = "_" if token is tokens[-1] else "SpaceAfter=No"
            words = token.split("^")
            if len(words) > 1:
                places = f"{number + 1}-{number + len(words)}"
                lines.append("\t".join([places, "".join(words), *"_" * 7, misc]))
            for word in words:
                number += 1
                lines.append("\t".join([str(number), word, *"_" * 7, misc if len(words) == 1 else "_"]))
    return "\n".join(lines) + "\n\n"

"""The colours of labels: one table for the page, the workbench, notebooks, reports and the terminal.

A label is always written too, so colours only repeat it. They differ in lightness, not in hue alone: people who confuse
red and green, or blue and yellow, can tell the first colours apart. On the paper of either theme, and on a tint of
itself, each has a contrast of at least 4.5 to 1. ``tests/system/test_label_colours.py`` measures both.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from zlib import crc32

TINT = 0.12  # the share of a label's own colour in its background
_PREFIX = re.compile(r"^[BIESLU]-(?=.)")


@dataclass(frozen=True, slots=True)
class LabelColour:
    """A colour for text and lines, on light and on dark paper; and the one of a terminal that is nearest to it."""

    light: str
    dark: str
    terminal: int  # of the six colours that a terminal chooses for its own background

    def to_dict(self) -> dict[str, str]:
        """What a page needs, for JSON."""
        return {"light": self.light, "dark": self.dark}


NAVY = LabelColour("#014263", "#bfe4ff", 34)
TEAL = LabelColour("#036d7b", "#00c0d7", 36)
AMBER = LabelColour("#825604", "#da9e3f", 33)
BROWN = LabelColour("#543600", "#fed7a1", 31)
PURPLE = LabelColour("#613897", "#d1b9fe", 35)
CRIMSON = LabelColour("#931f37", "#feaeb4", 31)
GREEN = LabelColour("#066054", "#4de3ca", 32)
INDIGO = LabelColour("#5b4fb0", "#a39ef9", 34)
OLIVE = LabelColour("#664f00", "#e8c35a", 33)
ROSE = LabelColour("#9f315d", "#ed86a7", 31)
PLUM = LabelColour("#7d2a79", "#f7a8ef", 35)
BLUE = LabelColour("#3448a4", "#b2c5ff", 34)
PALETTE = (NAVY, TEAL, AMBER, BROWN, PURPLE, CRIMSON, GREEN, INDIGO, OLIVE, ROSE, PLUM, BLUE)  # most different first

# Entities, then tags of words, then phrases. Labels that mean much the same share a colour.
_ROWS = {
    NAVY: "PER PERSON | PROPN NNP NNPS | NP",
    TEAL: "LOC LOCATION GPE FAC FACILITY | ADP IN | PP PRT",
    AMBER: "ORG ORGANIZATION ORGANISATION | VERB VB VBD VBG VBN VBP VBZ | VP",
    BROWN: "MISC NORP | DET DT PDT WDT",
    PURPLE: "DATE TIME DURATION | ADJ JJ JJR JJS AFX | ADJP",
    INDIGO: "PRODUCT WORK_OF_ART | NOUN NN NNS",
    GREEN: "MONEY PERCENT QUANTITY CARDINAL ORDINAL NUMBER | NUM CD | QP",
    OLIVE: "LANGUAGE LAW | PRON PRP PRP$ WP WP$ EX",
    ROSE: "EVENT | ADV RB RBR RBS WRB | ADVP",
    CRIMSON: "AUX MD",
    PLUM: "EMAIL URL PHONE | PART TO RP POS | SBAR",
    BLUE: "CCONJ SCONJ CC | CONJP",
}
_KNOWN = {label: colour for colour, labels in _ROWS.items() for label in labels.replace("|", " ").split()}


def tint(colour: str) -> str:
    """Return a light background for a colour of light paper.

    >>> tint("#014263")
    '#e1e8ec'
    """
    shares = (round(255 + TINT * (int(colour[i : i + 2], 16) - 255)) for i in (1, 3, 5))
    return "#" + "".join(f"{share:02x}" for share in shares)


def kind_of(label: str) -> str:
    """Return what a label of a span names.

    >>> kind_of("B-PER"), kind_of("NN"), kind_of("B-")
    ('PER', 'NN', 'B-')
    """
    return _PREFIX.sub("", label)


def colour_of(label: str) -> LabelColour | None:
    """Return the colour of a label, always the same; None for O and punctuation.

    >>> colour_of("B-PER") == colour_of("PERSON"), colour_of("O"), colour_of("``")
    (True, None, None)
    """
    kind = kind_of(label)
    if kind == "O" or not any(map(str.isalnum, kind)):
        return None
    return _KNOWN.get(kind) or _KNOWN.get(kind.upper()) or PALETTE[crc32(kind.encode()) % len(PALETTE)]


def colours_of(labels: Iterable[str]) -> dict[str, LabelColour]:
    """Return the colours of the kinds of labels that are shown together.

    A kind that the table does not know moves to a colour that none of the others has, as long as there is one.
    """
    kinds = sorted({kind_of(label) for label in labels if colour_of(label)})
    found = {kind: colour for kind in kinds if (colour := _KNOWN.get(kind) or _KNOWN.get(kind.upper()))}
    for kind in kinds:
        if kind not in found:
            first = crc32(kind.encode())
            turned = [PALETTE[(first + i) % len(PALETTE)] for i in range(len(PALETTE))]
            taken = set(found.values())
            found[kind] = next((colour for colour in turned if colour not in taken), turned[0])
    return found

"""The colours of labels: contrast in both themes, and how different they look to people who confuse colours."""

from __future__ import annotations

import math
from itertools import combinations

import pytest

from perceptag.system.label_colours import PALETTE, TINT, colour_of, colours_of

# Linear RGB as people with one kind of cones missing see it: Machado, Oliveira and Fernandes (2009), table 1.
SIGHT = {
    "usual": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protan": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deutan": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "tritan": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
}
TO_CONES = (
    (0.4122214708, 0.5363325363, 0.0514459929),
    (0.2119034982, 0.6806995451, 0.1073969566),
    (0.0883024619, 0.2817188376, 0.6299787005),
)
TO_LAB = (
    (0.2104542553, 0.7936177850, -0.0040720468),
    (1.9779984951, -2.4285922050, 0.4505937099),
    (0.0259040371, 0.7827717662, -0.8086757660),
)
PAPERS = {"light": ("#fbfaf7", "#ffffff"), "dark": ("#15181c", "#1c1f25", "#111111")}  # page, card, notebook
Colour = tuple[float, ...]


def _linear(written: str) -> Colour:
    values = [int(written[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    return tuple(v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in values)


def _times(rows: tuple[Colour, ...], colour: Colour) -> Colour:
    return tuple(sum(a * b for a, b in zip(row, colour, strict=True)) for row in rows)


def _contrast(a: Colour, b: Colour) -> float:
    light = sorted(0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05 for r, g, b in (a, b))
    return light[1] / light[0]


def _oklab(colour: Colour) -> Colour:
    return _times(TO_LAB, tuple(v ** (1 / 3) for v in _times(TO_CONES, tuple(min(1, max(0, v)) for v in colour))))


def _tint(colour: str, paper: str) -> Colour:
    shares = [round(TINT * int(colour[i : i + 2], 16) + (1 - TINT) * int(paper[i : i + 2], 16)) for i in (1, 3, 5)]
    return _linear("#" + "".join(f"{share:02x}" for share in shares))


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_every_colour_can_be_read_on_paper_and_on_a_tint_of_itself(theme: str) -> None:
    for colour in PALETTE:
        written = getattr(colour, theme)
        for paper in PAPERS[theme]:
            assert _contrast(_linear(written), _linear(paper)) >= 4.5, (colour, paper)
            assert _contrast(_linear(written), _tint(written, paper)) >= 4.5, (colour, paper)


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("sight", SIGHT)
def test_people_who_confuse_colours_can_tell_the_first_ones_apart(sight: str, theme: str) -> None:
    seen = [_oklab(_times(SIGHT[sight], _linear(getattr(colour, theme)))) for colour in PALETTE]
    assert min(math.dist(a, b) for a, b in combinations(seen[:4], 2)) > 0.11
    assert min(math.dist(a, b) for a, b in combinations(seen[:6], 2)) > 0.05


def test_a_label_has_one_colour() -> None:
    assert colour_of("S-PER") == colour_of("I-PER") == colours_of(["B-PER", "O", "NN"])["PER"]
    assert colours_of(["O", ".", "``"]) == {}
    assert colour_of("protein") == colours_of(["B-protein"])["protein"]

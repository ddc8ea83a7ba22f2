"""A tokeniser in slow, obvious Python: the features of a character, and the label with the highest sum of weights.

Read next: cpp/src/tokenizer/character_features.cpp, which computes the same fingerprints.

A run is a stretch of characters without white space. Lists of runs are those of one paragraph.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from perceptag.text.character_classes import MARK, class_of, small_letter
from perceptag.text.treebank import BLANK_LINE

INSIDE, SENTENCE, TOKEN, WORD, BETWEEN = range(5)
FARTHEST = 40
CLASSES = 10
NO_RUN_BEFORE, NO_RUN_AFTER = 1, 2

Weights = Mapping[int, Sequence[float]]  # of the four labels, by fingerprint
Run = tuple[int, str, str]  # where it begins, the run, the white space before it


def label(text: str, weights: Weights, joins: bool) -> list[int]:
    """Return a label for every character.

    The first character of a paragraph begins a sentence. That of a run begins a sentence or a token, or, if `joins`
    says that tokens may have white space inside, has any label. If scores are equal, it begins a token.
    """
    labels = [BETWEEN] * len(text)
    for runs in paragraphs(text):
        for number, (start, run, _) in enumerate(runs):
            for t in range(len(run)):
                sums = [0.0] * 4
                for key in features(runs, number, t):
                    sums = [a + b for a, b in zip(sums, weights.get(key, (0, 0, 0, 0)), strict=True)]
                best = sums.index(max(sums))
                if t == 0:
                    some = range(4) if joins else (SENTENCE, TOKEN)
                    best = max((TOKEN, *some), key=sums.__getitem__)
                labels[start + t] = SENTENCE if number == t == 0 else best
    return labels


def paragraphs(text: str) -> Iterator[list[Run]]:
    """Return the runs of each paragraph."""
    runs: list[Run] = []
    for match in re.finditer(r"(\s*)(\S+)", text):
        if BLANK_LINE.search(match[1]) and runs:
            yield runs
            runs = []
        runs.append((match.start(2), match[2], match[1]))
    if runs:
        yield runs


def features(runs: Sequence[Run], number: int, t: int) -> list[int]:
    """Return the fingerprints of the features of a character: character `t` of a run."""
    found = inner(runs, number, t)
    found += outer(runs, number) if t == 0 else []
    return [fingerprint(feature, values) for feature, values in enumerate(found)]


def fingerprint(feature: int, values: Sequence[int]) -> int:
    """Return the fingerprint of a feature: its number and its values."""
    return mixed(0x243F6A8885A308D3, feature, *values)


def mixed(seed: int, *values: int) -> int:
    """Return one number of 64 bits for several."""
    h = seed
    for value in values:
        h = (h ^ value) * 0x9FB21C651E98DF25 % 2**64
        h ^= h >> 32
    return h


def exact(run: str) -> int:
    """Return a number for a run."""
    return mixed(1, *map(ord, run))


def lower(run: str, seed: int = 2) -> int:
    """Return a number for a run in small letters."""
    return mixed(seed, *(ord(small_letter(c)) for c in run))


def shape(run: str, seed: int = 3) -> int:
    """Return a number for the classes of a run: several of one class in a row count as one."""
    classes = [class_of(c) if class_of(c) <= MARK else CLASSES + ord(c) for c in run]
    return mixed(seed, *(c for i, c in enumerate(classes) if i == 0 or c != classes[i - 1]))


def inner(runs: Sequence[Run], number: int, t: int) -> list[tuple[int, ...]]:
    """Return the features that look at the run, and at the classes of the characters next to it."""
    run = runs[number][1]
    c = [_code(run, t + offset) for offset in range(-3, 4)]
    k = [10 if t + o < 0 else 11 if t + o >= len(run) else class_of(run[t + o]) for o in range(-3, 4)]
    before, behind = lower(run[:t], 5), lower(run[t:][::-1], 7)
    shape_before, shape_behind = shape(run[:t], 6), shape(run[t:][::-1], 8)
    previous = class_of(runs[number - 1][1][-1]) if number else CLASSES
    following = class_of(runs[number + 1][1][0]) if number + 1 < len(runs) else CLASSES
    return [
        (),
        *((c[a],) for a in range(7)),
        *(tuple(c[a : a + 2]) for a in range(1, 5)),
        *(tuple(c[a : a + 3]) for a in range(5)),
        *(tuple(k[a : a + 3]) for a in range(4)),
        *(tuple(k[a : a + 4]) for a in range(4)),
        *((min(t, 20), whole) for whole in (exact(run), lower(run), shape(run))),
        *((part,) for part in (before, behind, shape_before, shape_behind)),
        (shape_before, shape_behind),
        (before, shape_behind),
        (shape_before, behind),
        (following, behind),
        (following, shape_behind),
        (following, before, behind),
        (following, c[2], c[3]),
        (following, c[3], c[4]),
        (following, shape_before, c[3]),
        (previous, before),
        (previous, c[2], c[3]),
        (previous, shape_before, shape_behind),
    ]


def _code(run: str, place: int) -> int:
    if place < 0:
        return 1 if place == -1 else 2
    if place >= len(run):
        return 3 if place == len(run) else 4
    return 16 + ord(run[place])


def outer(runs: Sequence[Run], number: int) -> list[tuple[int, ...]]:
    """Return the features of the first character of a run: the runs around it, and its place in the paragraph."""

    def near(offset: int) -> str | None:
        return runs[number + offset][1] if 0 <= number + offset < len(runs) else None

    def first(offset: int) -> int:
        run = near(offset)
        return class_of(run[0]) if run else CLASSES

    def last(offset: int) -> int:
        run = near(offset)
        return class_of(run[-1]) if run else CLASSES

    def end(back: int) -> int:
        run = near(-1) or ""
        return 16 + ord(run[-back]) if len(run) >= back else 0

    run, gap = runs[number][1], mixed(4, *map(ord, runs[number][2])) if number else 0
    previous, second, following, after = near(-1), near(-2), near(1), near(2)
    e, lo, s = exact(run), lower(run), shape(run)
    pe, pl, ps = (f(previous) if previous else NO_RUN_BEFORE for f in (exact, lower, shape))
    ss, sl = (f(second) if second else NO_RUN_BEFORE for f in (shape, lower))
    ns, nl = (f(following) if following else NO_RUN_AFTER for f in (shape, lower))
    after_shape = shape(after) if after else NO_RUN_AFTER
    c, l1, l2, l3 = ord(run[0]), end(1), end(2), end(3)
    count_before, count_after = min(number, FARTHEST), min(len(runs) - 1 - number, FARTHEST)
    before, rest, farthest = coarse(count_before), coarse(count_after), ord(runs[number + count_after][1][-1])
    since, last_mark = _mark([r[1] for r in reversed(runs[:number])])
    until, next_mark = _mark([r[1] for r in runs[number + 1 :]])
    everything = _digits([first(offset) for offset in range(-3, 4)])
    ahead = _digits([first(offset) for offset in range(4)])
    ends = _digits([f(offset) for offset in range(-4, 1) for f in (first, last)])
    around = [(pe,), (pl,), (ps,), (nl,), (ns,), (sl,), (pe, e), (pe, s), (ps, e), (ps, lo), (ps, s), (ps, s, ns)]
    around += [(s, ns), (s, nl), (ns, after_shape), (ss, ps), (ss, ps, s), (gap,), (gap, s)]
    ending = [(l1, lo), (l1, e), (l1, s, ns), (l1, c), (l1, l2), (l1, l2, e), (l1, l2, c), (l1, l2, s), (l1, l2, l3)]
    place = [(before, ps), (before, ps, s), (before, l1, s), (rest, s), (before, rest), (farthest, s)]
    place += [(farthest, int(count_after == FARTHEST))]
    marks = [(since, last_mark), (since, last_mark, s), (until, next_mark), (until, next_mark, s)]
    marks += [(next_mark, ps, s), (last_mark, next_mark, s)]
    classes = [(everything, l1), (everything,), (ahead,), (ahead, l1), (ahead, pl), (ends,)]
    classes += [(first(0), first(1), l1), (first(-1), first(0), l1, l2)]
    return [*around, *ending, *place, *marks, *classes, (lo, nl), (pl, lo, ns), (until, since, l1)]


def coarse(distance: int) -> int:
    """Return a number from 0 to 10: up to 5 the distance itself, then ever wider ranges."""
    return (
        distance
        if distance < 6
        else next((n for n, most in ((6, 10), (7, 16), (8, 25), (9, 40)) if distance < most), 10)
    )


def _mark(runs: Sequence[str]) -> tuple[int, int]:
    """Return the distance to the first run that ends in neither letter nor digit, and its last character."""
    for distance, run in enumerate(runs[:FARTHEST]):
        if class_of(run[-1]) > MARK:
            return coarse(distance), ord(run[-1])
    return coarse(FARTHEST), 0


def _digits(values: Sequence[int]) -> int:
    """Return the hexadecimal number with these digits."""
    return int("".join(f"{value:x}" for value in values), 16)

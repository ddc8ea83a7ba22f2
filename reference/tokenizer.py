"""A tokeniser in slow, obvious Python: the features of a character, and the label with the highest sum of weights.

Read next: cpp/src/tokenizer/character_features.cpp, which computes the same fingerprints.

A run is a stretch of characters without white space. Lists of runs are those of one paragraph.

A model that also looks at kinds of strings and at words has further features, behind the others (`more_inner`,
`more_outer`); `Known` are the facts of words by their fingerprints.

Where spaces do not separate words, the first character of a unit has further features, behind all others
(`of_unit`). A unit is what cannot be cut: a character of Chinese, a syllable of Vietnamese. `Lexicon` are known words
in small letters, with single spaces.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence, Set

from perceptag.text.character_classes import LOWER, MARK, NUMBER, SYMBOL, UPPER, class_of, script_of, small_letter
from perceptag.text.treebank import BLANK_LINE

INSIDE, SENTENCE, TOKEN, WORD, BETWEEN = range(5)
FARTHEST = 40
CLASSES = 10
NO_RUN_BEFORE, NO_RUN_AFTER = 1, 2
INNER, OUTER, MORE_INNER, MORE_OUTER, NO_KIND = 44, 52, 9, 15, 63
LONGEST_WORD = 12  # in units

Weights = Mapping[int, Sequence[float]]  # of the four labels, by fingerprint
Run = tuple[int, str, str]  # where it begins, the run, the white space before it
Known = Mapping[int, Sequence[int]]  # abbreviation and usage of a word
Lexicon = Set[str]
Unit = tuple[int, str, bool]  # where it begins, the unit, whether white space is before it


def label(
    text: str, weights: Weights, joins: bool, known: Known | None = None, lexicon: Lexicon | None = None
) -> list[int]:
    """Return a label for every character.

    The first character of a paragraph begins a sentence. That of a run begins a sentence or a token, or, if `joins`
    says that tokens may have white space inside, has any label. If scores are equal, it begins a token.
    """
    labels = [BETWEEN] * len(text)
    for runs in paragraphs(text):
        for number, (start, run, _) in enumerate(runs):
            for t in range(len(run)):
                sums = [0.0] * 4
                for key in features(runs, number, t, known, lexicon):
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


def features(
    runs: Sequence[Run], number: int, t: int, known: Known | None = None, lexicon: Lexicon | None = None
) -> list[int]:
    """Return the fingerprints of the features of a character: character `t` of a run."""
    found = numbered(runs, number, t, known)
    if lexicon is not None:
        found += enumerate(of_unit(runs, number, t, lexicon), INNER + OUTER + MORE_INNER + MORE_OUTER)
    return [fingerprint(feature, values) for feature, values in found]


def numbered(runs: Sequence[Run], number: int, t: int, known: Known | None) -> list[tuple[int, tuple[int, ...]]]:
    """Return the features of a character: their numbers and values."""
    found = list(enumerate(inner(runs, number, t)))
    if known is not None:
        found += enumerate(more_inner(runs, number, t, known), INNER + OUTER)
    if t == 0:
        found += enumerate(outer(runs, number), INNER)
    if t == 0 and known is not None:
        found += enumerate(more_outer(runs, number, known), INNER + OUTER + MORE_INNER)
    return found


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


def word_key(word: str) -> int:
    """Return a number for a word in small letters: what is known of words is found by it."""
    return mixed(9, *map(ord, word))


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


def more_inner(runs: Sequence[Run], number: int, t: int, known: Known) -> list[tuple[int, ...]]:
    """Return the features that look at the kind of the run, and at its word as an abbreviation."""
    run = runs[number][1]
    kind, begin, end = kind_of(run)
    place = 0 if t < begin else 1 if t == begin else 2 if t < end else 3 if t == end else 4
    before, here, behind = (_code(run, t + offset) for offset in (-1, 0, 1))
    k = [10 if t + o < 0 else 11 if t + o >= len(run) else class_of(run[t + o]) for o in (-1, 0, 1)]
    following = class_of(runs[number + 1][1][0]) if number + 1 < len(runs) else CLASSES
    abbreviation = word_facts(run, known)[0]
    return [
        (kind, place),
        (kind, place, here),
        (kind, place, before),
        (kind, place, before, here),
        (kind, place, *k),
        (kind, place, following),
        (abbreviation, place, here),
        (abbreviation, place, here, following),
        (abbreviation, place, here, behind, following),
    ]


def more_outer(runs: Sequence[Run], number: int, known: Known) -> list[tuple[int, ...]]:
    """Return the features that look at words, kinds, brackets and quotes around the beginning of a run."""

    def near(offset: int) -> str | None:
        return runs[number + offset][1] if 0 <= number + offset < len(runs) else None

    def facts(offset: int) -> Sequence[int]:
        run = near(offset)
        return word_facts(run, known) if run else (0, 0)

    def kind(offset: int) -> int:
        run = near(offset)
        return kind_of(run)[0] if run else NO_KIND

    run, previous, following = runs[number][1], near(-1), near(1)
    l1 = 16 + ord(previous[-1]) if previous else 0
    first, first_behind = class_of(run[0]), class_of(following[0]) if following else CLASSES
    abbreviation = facts(-1)[0]
    use_before, use, use_behind = (facts(offset)[1] for offset in (-1, 0, 1))
    is_open = open_before([r[1] for r in runs], number)
    return [
        (abbreviation, l1),
        (abbreviation, l1, first),
        (abbreviation, l1, first, use),
        (abbreviation, l1, kind(0)),
        (abbreviation, l1, use, use_behind),
        (use, first, l1),
        (use_before, use, first, l1),
        (use_before, first, l1),
        (use, first, use_behind, first_behind),
        (use_before, use, first, use_behind, first_behind),
        (is_open, l1, first),
        (is_open, l1, shape(run)),
        (kind(-1), kind(0), l1),
        (kind(0), kind(1), l1),
        (kind(-1), l1, use, first),
    ]


def word_facts(run: str, known: Known) -> Sequence[int]:
    """Return what is known of the word in a run: its small letters, without the marks around it."""
    places = [i for i, c in enumerate(run) if class_of(c) <= MARK]
    word = run[places[0] : places[-1] + 1] if places else ""
    return known.get(word_key("".join(map(small_letter, word))), (0, 0)) if word else (0, 0)


def open_before(runs: Sequence[str], number: int) -> int:
    """Return twice the number of brackets that are open before a run, 3 at most, and 1 more if a quote is."""
    depth, quoted, opened_at = 0, False, 0
    for place in range(number + 1):
        if place - opened_at > FARTHEST:
            depth, quoted = 0, False
        if place == number:
            break
        run = runs[place]
        for i, c in enumerate(run):
            is_smile = i > 0 and i + 1 == len(run)
            if c in "([{" and not is_smile:
                depth, opened_at = depth + 1, place
            elif c in ")]}":
                depth = max(0, depth - 1)
            elif c in '"\u201c\u201d':
                has_word = any(class_of(before) <= MARK for before in run[:i])
                quoted = c == "\u201c" or (c == '"' and not has_word and not quoted)
                opened_at = place if quoted else opened_at
    return 2 * min(depth, 3) + quoted


KINDS = (
    *("other", "word", "web address", "mail", "at", "handle", "hashtag", "decimal", "version", "time", "slashed"),
    *("date", "dashed", "numbers", "file", "joined", "initials", "measure", "code", "hyphened", "hyphens", "markup"),
    *("path", "pin", "symbols", "amount"),
)
OPENING, CLOSING = "([{<\"'`*\u201c\u2018\u00ab", ".,;:!?)]}>\"'*\u201d\u2019\u00bb\u2026"
FIRST_SYMBOL = 0x2190


def kind_of(run: str) -> tuple[int, int, int]:
    """Return the number of the kind of a run, and where its core begins and ends."""
    core = run.lstrip(OPENING)
    begin = len(run) - len(core)
    core = core.rstrip(CLOSING)
    if not core:
        return 0, 0, 0
    kind, end = KINDS.index(_kind(core)), begin + len(core)
    if KINDS[kind] == "web address" and run[end : end + 1] == ")" and core.count("(") > core.count(")"):
        end += 1
    return kind, begin, end


def _sort(c: str) -> str:
    """Return M for a mark, 0 for a digit, U for a capital letter, L for another, S for a symbol, or the character."""
    kind = class_of(c)
    if kind == MARK:
        return "M"
    if kind < MARK:
        return "0" if kind == NUMBER else "U" if kind == UPPER else "L"
    return "S" if kind >= SYMBOL and ord(c) >= FIRST_SYMBOL else c


def _kind(core: str) -> str:
    """Return the first kind that fits."""
    sorts = "".join(map(_sort, core))
    lower = "".join(map(small_letter, core))
    has_letter, has_digit = re.search("[LUM]", sorts) is not None, "0" in sorts
    fits = {
        "word": re.fullmatch("[LUM]+", sorts),
        "web address": "://" in core or lower.startswith("www."),
        "pin": any(sign in core for sign in ("==", ">=", "<=")),
        "markup": "<" in core or ">" in core,
        _mail(core, sorts): "@" in core,
        "hashtag": has_letter and re.fullmatch("#[LUM0_]+", sorts),
        "path": "\\" in core or (core[0] in "/~" and len(core) > 1),
        "symbols": re.fullmatch("S[SM]*", sorts),
        "measure": has_letter and re.fullmatch("0[LUM0]*", sorts),
        "code": re.fullmatch("[LUM0]+", sorts) and has_letter,
        _number(sorts): has_digit and _number(sorts),
    }
    return next((kind for kind, does_fit in fits.items() if does_fit), _dotted(core, sorts))


def _mail(core: str, sorts: str) -> str:
    if core[0] == "@":
        return "handle" if re.fullmatch("@[LUM0_.]+", sorts) else "other"
    behind = sorts[core.find("@") + 1 :]
    return "mail" if any(behind[i] == "." and behind[i + 1] in "LUM" for i in range(1, len(behind) - 1)) else "at"


def _number(sorts: str) -> str:
    """Return the kind of digits with separators; empty: it is none."""
    if re.fullmatch("[^LUM0.,:/-][0.,:/-]*|[0.,:/-]*[^LUM0.,:/-]", sorts) and sorts[0] not in ".,:/-":
        return "amount"
    if not re.fullmatch("0([0.,:/-]*0)?", sorts):
        return ""
    separators = sorts.replace("0", "")
    fits = {
        "version": set(separators) <= set(".,") and separators.count(".") > 1,
        "decimal": set(separators) <= set(".,"),
        "time": set(separators) == {":"},
        "date": separators in ("--", "//"),
        "slashed": set(separators) == {"/"},
        "dashed": len(separators) == 1,
        "numbers": True,
    }
    return next(kind for kind, does_fit in fits.items() if does_fit)


def _dotted(core: str, sorts: str) -> str:
    if not re.fullmatch(r"[LUM0]([LUM0._-]*[LUM0])?", sorts):
        return "other"
    if "." not in core:
        has_letter = re.search("[LUM]", sorts) is not None
        return "other" if not has_letter or "_" in core else "hyphens" if core.count("-") > 1 else "hyphened"
    if re.fullmatch(r"[LUM](\.[LUM])+", sorts):
        return "initials"
    ending = sorts.rpartition(".")[2]
    if len(ending) > 5 or ending[0] == "0":
        return "version" if "0" in sorts else "joined"
    return "joined" if "U" in ending else "file"


def units_of(runs: Sequence[Run]) -> list[Unit]:
    """Return the units of the runs of a paragraph."""
    found: list[Unit] = []
    for start, run, _ in runs:
        begins = [t for t in range(len(run)) if t == 0 or is_border(run[t - 1], run[t])]
        for begin, end in zip(begins, [*begins[1:], len(run)], strict=True):
            found.append((start + begin, run[begin:end], begin == 0))
    return found


def is_border(before: str, here: str) -> bool:
    """Return whether a unit may begin between two characters of a run."""
    kind, kind_before = class_of(here), class_of(before)
    if kind == NUMBER:
        return kind_before != NUMBER
    return kind != MARK and not (kind in (UPPER, LOWER) and kind_before in (UPPER, LOWER, MARK))


def spelt(units: Sequence[Unit]) -> str:
    """Return some units as a lexicon has them: small letters, with a space where there is white space."""
    return "".join(map(small_letter, "".join(f"{' ' * spaced}{unit}" for _, unit, spaced in units))).strip()


def of_unit(runs: Sequence[Run], number: int, t: int, lexicon: Lexicon) -> list[tuple[int, ...]]:
    """Return the features that look at units, and at known words; none for a character inside a unit."""
    units = units_of(runs)
    starts = [start for start, _, _ in units]
    place = runs[number][0] + t
    if place not in starts:
        return []
    here = starts.index(place)
    words = {
        (first, last)
        for first in range(len(units))
        for last in range(first + 1, min(first + LONGEST_WORD, len(units)) + 1)
        if spelt(units[first:last]) in lexicon
    }

    def near(offset: int) -> str | None:
        return units[here + offset][1] if 0 <= here + offset < len(units) else None

    def unit(offset: int) -> int:
        found = near(offset)
        return lower(found, 12) if found else NO_RUN_BEFORE if offset < 0 else NO_RUN_AFTER

    def script(offset: int) -> int:
        found = near(offset)
        if not found:
            return CLASSES
        c = units[here + offset][1][-1 if offset < 0 else 0]
        return class_of(c) + 16 * script_of(c)

    def key(first: int, last: int) -> int:
        return mixed(11, *map(ord, spelt(units[first:last]))) if first < last else 0

    begin = min((first for first, last in words if last == here), default=here)
    end = max((last for first, last in words if first == here), default=here)
    around = [(first, last) for first, last in words if first < here < last]
    longest = max(around, key=lambda word: (word[1] - word[0], -word[0]), default=(here, here))
    u, s = [unit(offset) for offset in range(-3, 3)], [script(offset) for offset in range(-3, 3)]
    alone = 2 * ((here - 1, here) in words) + ((here, here + 1) in words)
    spaced = int(units[here][2])
    before, size, across = here - begin, end - here, 16 * (longest[1] - longest[0]) + here - longest[0]
    word_before, word, word_across = key(begin, here), key(here, end), key(*longest)
    plain = [*((u[a], u[a + 1]) for a in range(1, 5)), *(tuple(u[a : a + 3]) for a in range(1, 4)), (u[2], u[4])]
    plain += [(u[1], u[3]), (u[1], u[2], u[3], u[4]), (u[2], s[3]), (s[2], u[3]), (spaced, s[2], s[3])]
    plain += [(s[1], s[2], s[3]), (s[2], s[3], s[4]), (s[1], s[2], s[3], s[4]), tuple(s)]
    sizes = [(alone, across), (before, s[2], s[3]), (size, s[2], s[3]), (across, s[2], s[3]), (before, size)]
    sizes += [(before, size, across), (before, size, across, alone, spaced), (size, u[2]), (before, u[3])]
    sizes += [(across, u[2]), (across, u[3]), (across, u[2], u[3]), (across, word_across)]
    known: list[tuple[int, ...]] = [
        (word_before, across),
        (word, across),
        (word_before, word),
        (word_before, u[3]),
        (u[2], word),
    ]
    known += [(word_before, size), (before, word), (word_before, word, across, word_across)]
    return [*plain, *sizes, *known]

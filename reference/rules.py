"""What a match of a rule is, in the slowest way: every span is tried against every pattern.

`ends` returns all places at which a match of a pattern may end that begins at a place. Read it as the definition of
patterns (`perceptag.rules.pattern`); the core finds the same longest matches in one pass.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

from perceptag.rules.pattern import BEGIN, END, Boundary, Look, One, OneOf, Pattern, Repeat, Several

Passes = Callable[[int, int], bool]  # whether the item at a place passes a test
Match = tuple[int, int, int]  # start, end, the number of a rule


def ends(pattern: Pattern, start: int, size: int, passes: Passes, is_edge: Callable[[int], bool]) -> set[int]:
    """Return where matches may end that begin at `start` of a sequence of `size` items."""

    def after(part: Pattern, places: Iterable[int]) -> set[int]:
        return {end for place in places for end in ends(part, place, size, passes, is_edge)}

    if isinstance(pattern, One):
        return {start + 1} if start < size and passes(pattern.test, start) else set()
    if isinstance(pattern, Several):
        places = {start}
        for part in pattern.parts:
            places = after(part, places)
        return places
    if isinstance(pattern, OneOf):
        return {end for part in pattern.parts for end in after(part, {start})}
    if isinstance(pattern, Repeat):
        return _repeated(pattern, start, after)
    if isinstance(pattern, Boundary):
        return {start} if _is_at(pattern, start, size, is_edge) else set()
    return {start} if _looks(pattern, start, size, passes, is_edge) != pattern.negated else set()


def _repeated(pattern: Repeat, start: int, after: Callable[[Pattern, Iterable[int]], set[int]]) -> set[int]:
    places = {start}
    for _ in range(pattern.least):
        places = after(pattern.part, places)
    found, times = set(places), pattern.least
    while places and times != pattern.most:
        places = after(pattern.part, places) - found
        found |= places
        times += 1
    return found


def _is_at(pattern: Boundary, place: int, size: int, is_edge: Callable[[int], bool]) -> bool:
    return place == 0 if pattern.kind == BEGIN else place == size if pattern.kind == END else is_edge(place)


def _looks(pattern: Look, place: int, size: int, passes: Passes, is_edge: Callable[[int], bool]) -> bool:
    if not pattern.behind:
        return bool(ends(pattern.part, place, size, passes, is_edge))
    return any(place in ends(pattern.part, start, size, passes, is_edge) for start in range(place + 1))


def token_matches(patterns: Sequence[tuple[Pattern, int]], size: int, passes: Passes) -> set[Match]:
    """Return the longest match of each pattern from each token, with the number of its rule."""
    return {
        (start, max(found), rule)
        for pattern, rule in patterns
        for start in range(size)
        if (found := ends(pattern, start, size, passes, lambda _: False) - {start})
    }


def text_matches(
    patterns: Sequence[tuple[Pattern, int]],
    words: Sequence[str],
    spaces: Sequence[bool],
    passes: Callable[..., bool],
    expands: bool,
) -> set[Match]:
    """Return the same for patterns over the characters of words, where matches begin and end with words.

    ``passes(test, character)`` says whether a character passes a test. With `expands` a match may begin and end
    anywhere, and is that of all words of which it has a character.
    """
    text, starts, finishes = "", {}, {}
    places: dict[int, int] = {}  # the words of characters; white space has none
    for number, (word, space) in enumerate(zip(words, spaces, strict=True)):
        starts[len(text)] = number
        text += word
        finishes[len(text)] = number + 1
        places |= dict.fromkeys(range(len(text) - len(word), len(text)), number)
        text += " " if space and number + 1 < len(words) else ""

    def is_edge(place: int) -> bool:
        return _is_word(text, place - 1) != _is_word(text, place)

    found = set()
    for pattern, rule in patterns:
        for start in range(len(text)) if expands else starts:
            there = ends(pattern, start, len(text), lambda test, at: passes(test, text[at]), is_edge)
            if expands:
                touched = [places[place] for place in range(start, max(there, default=start)) if place in places]
                found |= {(touched[0], touched[-1] + 1, rule)} if touched else set()
            elif kept := [finishes[end] for end in there if end > start and end in finishes]:
                found.add((starts[start], max(kept), rule))
    return _longest(found) if expands else found


def _longest(matches: set[Match]) -> set[Match]:
    return {m for m in matches if not any(m[0] == n[0] and m[2] == n[2] and n[1] > m[1] for n in matches)}


def _is_word(text: str, place: int) -> bool:
    return 0 <= place < len(text) and re.match(r"\w", text[place], re.ASCII) is not None


def phrase_matches(phrases: Sequence[tuple[str, int]], words: Sequence[str], expands: bool = False) -> set[Match]:
    """Return the longest phrase of each rule from each word; phrases and words are compared by their pieces.

    With `expands` a phrase may begin and end inside a word, and is that of all words of which it has a piece.
    """
    if expands:
        all_pieces = [(piece, number) for number, word in enumerate(words) for piece in pieces(word)]
        found = set()
        for phrase, rule in phrases:
            size = len(pieces(phrase))
            for first in range(len(all_pieces) - size + 1) if size else ():
                there = all_pieces[first : first + size]
                if [piece for piece, _ in there] == pieces(phrase):
                    found.add((there[0][1], there[-1][1] + 1, rule))
        return _longest(found)
    longest: dict[tuple[int, int], int] = {}
    for phrase, rule in phrases:
        for start in range(len(words)):
            for end in range(start + 1, len(words) + 1):
                own = [piece for word in words[start:end] for piece in pieces(word)]
                if own and pieces(words[start]) and pieces(words[end - 1]) and own == pieces(phrase):
                    longest[start, rule] = max(end, longest.get((start, rule), 0))
    return {(start, end, rule) for (start, rule), end in longest.items()}


def pieces(text: str) -> list[str]:
    """Cut a text into runs of letters and digits, and single other signs.

    >>> pieces("Dr. O'Neil")
    ['Dr', '.', 'O', "'", 'Neil']
    """
    return re.findall(r"(?:[0-9A-Za-z]|(?![\u2000-\u207f])[^\x00-\x7f])+|[^ \t-\r]", text)


def without_overlaps(matches: Iterable[Match], priorities: Sequence[int]) -> list[Match]:
    """Choose the longest match, then the first, then that of the highest priority, until none is left."""
    left, kept = set(matches), []
    while left:
        best = min(left, key=lambda m: (m[0] - m[1], m[0], -priorities[m[2]], m[2]))
        kept.append(best)
        left = {m for m in left if m[1] <= best[0] or m[0] >= best[1]}
    return sorted(kept)

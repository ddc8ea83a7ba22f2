"""Edit scripts, which turn a word into its lemma: ``lower … és>er`` makes *Chantés* to *chanter*.

    case     the word in lower case, as it is (same), with one capital (title) or in capitals (upper); or in lower case
             with ı for I, as in Turkish (dotless), which is tried for lemmas with ı alone
    …        the longest string that both have in common is kept, whatever its length
    és>er    before and after it, strings are replaced
    =2       or a number of characters is kept: ``lower =1 ä>a … er>`` makes *Häuser* to *haus*

``is not`` makes *not* of any word: for lemmas that have no character in common with the word. A script can be applied
to a word only if the strings that it replaces are in their places. So most scripts are impossible for most words.

Chrupała (2008), "Towards a machine-learning architecture for lexical functional grammar parsing", chapter 6; Müller,
Cotterell, Fraser and Schütze (2015), "Joint lemmatization and morphological tagging with Lemming". Departures: the edit
tree is written as a list, in which only the string at its root has any length; the case of the word comes first.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain

from perceptag.errors import DataError, brief

CONSTANT, KEPT, REST = "is", "=", "…"


def small(word: str) -> str:
    """Return a word in lower case; İ, whose small letter is i in every language, leaves no dot (U+0307) behind.

    >>> small("İZMİR")
    'izmir'
    """
    return word.replace("İ", "i").lower()


CASES: dict[str, Callable[[str], str]] = {
    "lower": small,
    "same": str,
    "title": lambda word: word[:1].upper() + small(word[1:]),
    "upper": str.upper,
    "dotless": lambda word: small(word.replace("I", "ı")),
}
Step = int | tuple[str, str]  # characters that are kept, or a string and what replaces it
Fixed = tuple[tuple[int, str], ...]  # strings in a word by their places

_ESCAPED = {"\\": "\\\\", " ": "\\s", ">": "\\g", REST: "\\d", "\t": "\\t", "\n": "\\n", "\r": "\\r"}
_PLAIN = {escaped: plain for plain, escaped in _ESCAPED.items()}
_KEEPS = re.compile(r"=[0-9]{1,9}")
_SPECIAL, _ESCAPES = re.compile(r"[\\ >…\t\n\r]"), re.compile(r"\\.", re.DOTALL)


@dataclass(frozen=True, slots=True)
class EditScript:
    """An edit script, ready to be applied."""

    case: str  # of `CASES`, or `CONSTANT`
    before: tuple[Step, ...] = ()
    after: tuple[Step, ...] = ()
    constant: str = ""

    def apply(self, form: str) -> str | None:
        """Return the lemma of a word; None if the script cannot be applied to it."""
        if self.case == CONSTANT:
            return self.constant
        word = in_case(form, self.case)
        begin, end = _length(self.before), _length(self.after)
        if word is None or len(word) <= begin + end:
            return None
        middle = len(word) - end
        first, last = _edited(self.before, word[:begin]), _edited(self.after, word[middle:])
        return None if first is None or last is None else first + word[begin:middle] + last

    @property
    def ending(self) -> str:
        """The string that a word must end in; "" for any."""
        last = self.after[-1] if self.after else 0
        return "" if isinstance(last, int) else last[0]

    @property
    def changes_only_the_ending(self) -> bool:
        """Whether the script can be applied to all longer words with its ending."""
        return not self.before and len(self.after) == len(self.fixed()) <= 1

    @property
    def shortest(self) -> int:
        """The number of characters that a word must have; one of them is kept."""
        return _length(self.before) + _length(self.after) + 1

    def fixed(self) -> Fixed:
        """Return the strings that a word must have, each with its place, which is negative if counted from the end."""
        return (*_fixed(self.before, 0), *_fixed(self.after, -_length(self.after)))

    def __str__(self) -> str:
        if self.case == CONSTANT:
            return f"{CONSTANT} {_escape(self.constant)}"
        return " ".join([self.case, *map(_written, self.before), REST, *map(_written, self.after)])


def script_of(form: str, lemma: str) -> str:
    """Return the script that turns a word into its lemma.

    >>> script_of("Chantés", "chanter"), script_of("mice", "mouse"), script_of("NATO", "NATO"), script_of("n't", "not")
    ('lower … és>er', 'lower … ic>ous =1', 'same …', "lower … '>o =1")
    """
    return str(min(_scripts(form, lemma), key=_cost, default=EditScript(CONSTANT, constant=lemma)))


def shared_scripts(sentences: Iterable[tuple[Sequence[str], Sequence[str]]]) -> frozenset[str]:
    """Return the scripts of words and lemmas that more than one word has: the others say nothing about new words.

    If no two words have the same, return all.
    """
    words: dict[str, str] = {}  # of each script the first word
    shared: set[str] = set()
    for form, lemma in dict.fromkeys(pair for tokens, lemmas in sentences for pair in zip(tokens, lemmas, strict=True)):
        script = script_of(form, lemma)
        if words.setdefault(script, form) != form:
            shared.add(script)
    return frozenset(shared or words)


@lru_cache(maxsize=1 << 16)
def parse_script(text: str) -> EditScript:
    """Read a script as `str` writes it."""
    case, *steps = text.split(" ")
    if case == CONSTANT and len(steps) == 1:
        return EditScript(CONSTANT, constant=_unescape(steps[0]))
    if case not in CASES or steps.count(REST) != 1:
        raise DataError(f"expected an edit script such as 'lower … és>er', found {brief(text)}")
    middle = steps.index(REST)
    return EditScript(case, tuple(map(_step, steps[:middle])), tuple(map(_step, steps[middle + 1 :])))


def in_case(form: str, case: str) -> str | None:
    """Return a word in a case; None if it is the same in an earlier one, so that no two scripts say the same."""
    return next((word for name, word in spellings(form) if name == case), None)


def spellings(form: str) -> Iterator[tuple[str, str]]:
    """Yield a word in each case in which it is not the same as in an earlier one."""
    seen: list[str] = []
    for case, change in CASES.items():
        word = change(form)
        if word not in seen:
            seen.append(word)
            yield case, word


def _scripts(form: str, lemma: str) -> Iterator[EditScript]:
    """Yield a script for each case of the word in which it has something in common with the lemma."""
    wanted = ("lower", *(("same", "title", "upper") if lemma != small(lemma) else ()), *["dotless"] * ("ı" in lemma))
    found = (_script(case, word, lemma) for case, word in spellings(form) if case in wanted)
    yield from (script for script in found if script is not None)


def _script(case: str, word: str, lemma: str) -> EditScript | None:
    if word == lemma and word:
        return EditScript(case)
    from difflib import SequenceMatcher  # scripts are applied without it

    blocks = [block for block in SequenceMatcher(None, word, lemma, autojunk=False).get_matching_blocks() if block.size]
    if not blocks:
        return None
    root = max(range(len(blocks)), key=lambda number: blocks[number].size)  # the first of the longest
    a, b, size = blocks[root]
    a_end, b_end = a + size, b + size
    before = _steps(word[:a], lemma[:b], blocks[:root])
    after = _steps(word[a_end:], lemma[b_end:], [(x - a_end, y - b_end, n) for x, y, n in blocks[root + 1 :]])
    return EditScript(case, before, after)


def _steps(word: str, lemma: str, blocks: Iterable[tuple[int, int, int]]) -> tuple[Step, ...]:
    """Return what turns a part of the word into a part of the lemma; `blocks` are equal in both."""
    steps: list[Step] = []
    i = j = 0
    for a, b, size in chain(blocks, [(len(word), len(lemma), 0)]):
        if word[i:a] or lemma[j:b]:
            steps.append((word[i:a], lemma[j:b]))
        if size:
            steps.append(size)
        i, j = a + size, b + size
    return tuple(steps)


def _cost(script: EditScript) -> int:
    """Count the characters that are cut or added."""
    return sum(len(step[0]) + len(step[1]) for step in (*script.before, *script.after) if not isinstance(step, int))


def _length(steps: Sequence[Step]) -> int:
    """Count the characters that steps read."""
    return sum(step if isinstance(step, int) else len(step[0]) for step in steps)


def _fixed(steps: Sequence[Step], place: int) -> Iterator[tuple[int, str]]:
    """Yield the strings that steps replace, the first of which is at `place`."""
    for step in steps:
        if not isinstance(step, int):
            yield place, step[0]
        place += _length([step])


def _edited(steps: Sequence[Step], word: str) -> str | None:
    parts: list[str] = []
    place = 0
    for step in steps:
        cut, put = (word[place : place + step],) * 2 if isinstance(step, int) else step
        if not word.startswith(cut, place):
            return None
        parts.append(put)
        place += len(cut)
    return "".join(parts)


def _written(step: Step) -> str:
    return f"{KEPT}{step}" if isinstance(step, int) else f"{_escape(step[0])}>{_escape(step[1])}"


def _step(text: str) -> Step:
    cut, arrow, put = text.partition(">")
    if arrow:
        return _unescape(cut), _unescape(put)
    if not _KEEPS.fullmatch(text):
        raise DataError(f"edit script: expected a step such as 'és>er' or '=2', found {brief(text)}")
    return int(text[1:])


def _escape(text: str) -> str:
    return _SPECIAL.sub(lambda found: _ESCAPED[found[0]], text)


def _unescape(text: str) -> str:
    return _ESCAPES.sub(lambda found: _PLAIN.get(found[0], found[0]), text)

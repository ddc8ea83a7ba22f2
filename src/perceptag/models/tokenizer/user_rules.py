"""What a user decides for a tokeniser: strings that are never split or always split, and what line ends mean.

A string of ``never`` is one token wherever it stands by itself: not inside a longer word. A string of ``always`` is
written with spaces where it is cut: ``can not`` cuts *cannot* into two tokens, ``/`` makes every slash a token. If
several strings fit, the leftmost is used, and of those the longest. Case counts. No sentence ends with a string of
``never`` that ends in ``.``, ``!``, ``?`` or ``…``, such as ``Dkt.``, except at the end of a paragraph, or of a line if
lines are sentences. The labels of the model change only there.

    lines        a line end
    space        is like any white space
    sentence     ends a sentence
    paragraph    ends a paragraph
    auto         ends a paragraph that is not the work of wrapping (`line_ends`), and otherwise is white space
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from perceptag.arrays import Bytes, np
from perceptag.errors import DataError, ModelError, SettingError, brief
from perceptag.models.tokenizer.characters import NUMBERS
from perceptag.models.tokenizer.line_ends import LINE_START, paragraph_starts
from perceptag.text.lines import read_text
from perceptag.text.treebank import BLANK_LINE

AUTO = "auto"
LINES = (AUTO, "space", "sentence", "paragraph")
FACTS = "rules"
LONGEST = 1000  # characters of a string
MOST = 100_000  # strings
_WORD = re.compile(r"\w")
_SPACE = re.compile(r"\s*")
_SENTENCE_ENDS = (".", "!", "?", "…")


@dataclass(frozen=True)
class UserRules:
    """Strings of the user, and the meaning of line ends."""

    never: tuple[str, ...] = ()
    always: tuple[str, ...] = ()
    lines: str = AUTO

    def to_facts(self) -> dict[str, Any]:
        """Return what a model file holds; empty if nothing is decided."""
        known = {"never": list(self.never), "always": list(self.always), "lines": self.lines}
        return {FACTS: {name: value for name, value in known.items() if value and value != AUTO}} if self else {}

    def __bool__(self) -> bool:
        """Return whether anything is decided."""
        return bool(self.never or self.always or self.lines != AUTO)

    # --- lines ---

    def paragraphs(self, text: str) -> list[int]:
        """Return the places of lines that begin a paragraph, besides those behind a blank line."""
        if self.lines in ("space", "sentence") or ("\n" not in text and "\r" not in text):
            return []
        if self.lines == AUTO:
            return list(paragraph_starts(text))
        return [match.end() for match in LINE_START.finditer(text)]

    # --- strings ---

    @property
    def changes_labels(self) -> bool:
        """Whether `change` may do anything."""
        return bool(self.never or self.always or self.lines == "sentence")

    def change(self, text: str, labels: Bytes) -> None:
        """Change the labels of the characters of a text."""
        if self.lines == "sentence":
            labels[self._line_starts(text)] = NUMBERS["sentence"]
        starts = set(self._line_starts(text)) if self._unending else set()
        for match in self._pattern.finditer(text) if self.never or self.always else ():
            self._change_match(match.start(), match.group(), labels)
            if " ".join(match.group().split()) in self._unending:
                self._continue_sentence(text, match.end(), labels, starts)

    def _continue_sentence(self, text: str, end: int, labels: Bytes, starts: set[int]) -> None:
        """Let the sentence of a string that ends at `end` go on, unless a blank line or one of `starts` follows."""
        after = _SPACE.match(text, end)
        assert after is not None
        place = after.end()
        if place < len(text) and place not in starts and not BLANK_LINE.search(text, end, place):
            labels[place] = NUMBERS["token"] if labels[place] == NUMBERS["sentence"] else labels[place]

    def _line_starts(self, text: str) -> list[int]:
        """Return the places of lines that always begin a sentence."""
        if self.lines == "sentence":
            return [match.end() for match in LINE_START.finditer(text)]
        return self.paragraphs(text)

    @cached_property
    def _unending(self) -> frozenset[str]:
        """The strings with which a sentence does not end, although they look like its end."""
        return frozenset(string for string in self.never if string.endswith(_SENTENCE_ENDS))

    def _change_match(self, start: int, found: str, labels: Bytes) -> None:
        end = start + len(found)
        cuts = self._cuts.get(found)
        inside = np.flatnonzero(labels[start:end] != NUMBERS["between"]) + start
        labels[inside[1:]] = NUMBERS["inside"]
        for place in (start, *(start + cut for cut in cuts or ()), end):
            if place < len(labels) and labels[place] in (NUMBERS["inside"], NUMBERS["word"]):
                labels[place] = NUMBERS["token"]

    @cached_property
    def _cuts(self) -> dict[str, list[int]]:
        """Where a string is cut, by the string."""
        found = {}
        for line in self.always:
            pieces = line.split()
            found["".join(pieces)] = [sum(map(len, pieces[:n])) for n in range(1, len(pieces))]
        return found

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        strings = sorted({*self.never, *self._cuts}, key=lambda string: (-len(string), string))
        return re.compile("|".join(map(_spelt, strings)))


def _spelt(string: str) -> str:
    """Return a pattern of a string by itself; any white space in it but a line end fits white space."""
    spelt = r"[^\S\r\n]+".join(map(re.escape, string.split()))
    before = r"(?<!\w)" if _WORD.match(string[0]) else ""
    behind = r"(?!\w)" if _WORD.match(string[-1]) else ""
    return before + spelt + behind


# --- from files and models ---


def changed_rules(rules: UserRules, never: Iterable[str], always: Iterable[str], lines: str | None) -> UserRules:
    """Return rules with strings added to them, and another meaning of line ends unless it is None."""
    added = checked_rules(never, always, rules.lines if lines is None else lines)
    strings = (dict.fromkeys(rules.never + added.never), dict.fromkeys(rules.always + added.always))
    return UserRules(tuple(strings[0]), tuple(strings[1]), added.lines)


def read_rules(never: Iterable[str], always: Iterable[str], lines: str = AUTO) -> UserRules:
    """Read files with a string on each line; empty lines are left out."""
    return checked_rules(_strings(never), _strings(always), lines or AUTO)


def _strings(paths: Iterable[str]) -> tuple[str, ...]:
    found: dict[str, None] = {}
    for path in paths:
        for number, line in enumerate(read_text(path).split("\n"), 1):
            if len(line) > LONGEST:
                raise DataError(
                    f"expected a string of at most {LONGEST} characters, found {len(line)}", f"{path}:{number}"
                )
            if line.strip():
                found[" ".join(line.split())] = None
    return tuple(found)


def checked_rules(never: Iterable[str], always: Iterable[str], lines: str = AUTO) -> UserRules:
    """Make rules of strings; refuse anything else."""
    if lines not in LINES:
        raise SettingError(f"lines: expected one of {', '.join(LINES)}, found {brief(lines)}")
    return UserRules(_checked(never, "never_split"), _checked(always, "always_split"), lines)


def _checked(strings: Iterable[str], argument: str) -> tuple[str, ...]:
    if isinstance(strings, str) or not isinstance(strings, Iterable):
        raise SettingError(f"{argument}: expected a list of strings, found {brief(strings)}")
    found = tuple(strings)
    for string in found:
        if not isinstance(string, str) or not string.strip() or len(string) > LONGEST:
            raise SettingError(f"{argument}: expected strings of 1 to {LONGEST} characters, found {brief(string)}")
    if len(found) > MOST:
        raise SettingError(f"{argument}: expected at most {MOST} strings, found {len(found)}")
    return tuple(" ".join(string.split()) for string in found)


def rules_of(facts: Mapping[str, Any]) -> UserRules:
    """Return the rules in the facts of a model, checked."""
    known = facts.get(FACTS, {})
    if not isinstance(known, Mapping):
        raise ModelError(f"facts.{FACTS}: expected never, always and lines, found {brief(known)}")
    try:
        return checked_rules(known.get("never", ()), known.get("always", ()), known.get("lines", AUTO))
    except SettingError as error:
        raise ModelError(f"facts.{FACTS}: {error}") from None

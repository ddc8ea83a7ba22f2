"""The scripts of a model that can be applied to a word, and the search restricted to them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from perceptag import _core
from perceptag.arrays import Ints, np
from perceptag.errors import SettingError
from perceptag.features.tag_dictionary import MAX_DICTIONARY
from perceptag.labels.edit_scripts import CONSTANT, Fixed, parse_script, spellings


class ScriptIndex:
    """Edit scripts by the ending that a word must have."""

    def __init__(self, scripts: Sequence[str]) -> None:
        self.scripts = list(map(parse_script, scripts))
        self._constants: list[int] = []
        self._by_ending: dict[tuple[str, str], list[int]] = {}  # those that change nothing else
        self._others: dict[tuple[str, str], list[tuple[int, int, Fixed]]] = {}
        for number, script in enumerate(self.scripts):
            place = script.case, script.ending
            if script.case == CONSTANT:
                self._constants.append(number)
            elif script.changes_only_the_ending:
                self._by_ending.setdefault(place, []).append(number)
            else:
                self._others.setdefault(place, []).append((number, script.shortest, script.fixed()))
        self._longest = max((len(ending) for _, ending in (*self._by_ending, *self._others)), default=0)

    def __call__(self, form: str) -> tuple[int, ...]:
        """Return the numbers of the scripts that can be applied to a word; all if none can."""
        found = list(self._constants)
        for case, word in spellings(form):
            size = len(word)
            for length in range(min(self._longest, size - 1) + 1):
                place = case, word[size - length :]
                found += self._by_ending.get(place, ())
                for number, shortest, fixed in self._others.get(place, ()):
                    if size >= shortest and all(
                        word.startswith(text, at if at >= 0 else size + at) for at, text in fixed
                    ):
                        found.append(number)
        return tuple(sorted(found)) or tuple(range(len(self.scripts)))

    def lemma(self, script: int, form: str) -> str:
        """Return the lemma that a script makes of a word; the word itself if it cannot be applied."""
        found = self.scripts[script].apply(form)
        return form if found is None else found

    def restrict(self, forms: Iterable[str]) -> tuple[_core.TagDictionary, Ints]:
        """Return a dictionary of the scripts that words may have, and the entry of each word."""
        entries: dict[tuple[int, ...], int] = {}
        found = [entries.setdefault(self(form), len(entries)) for form in forms]
        if len(entries) * len(self.scripts) > MAX_DICTIONARY:
            raise SettingError(
                f"labels.scheme = 'edits': expected at most {MAX_DICTIONARY} sets of scripts times scripts, found "
                f"{len(entries)} times {len(self.scripts)}"
            )
        return _core.TagDictionary(list(entries), len(self.scripts)), np.array(found, np.int32)

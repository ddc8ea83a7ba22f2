"""The scripts of a model that can be applied to a word, and the search restricted to them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from perceptag import _core
from perceptag.arrays import Ints, np
from perceptag.errors import SettingError
from perceptag.features.tag_dictionary import MAX_DICTIONARY
from perceptag.labels.edit_scripts import CASES, CONSTANT, EditScript, in_case, parse_script


class ScriptIndex:
    """Edit scripts by the ending that a word must have."""

    def __init__(self, scripts: Sequence[str]) -> None:
        self.scripts = list(map(parse_script, scripts))
        self._constants: list[int] = []
        self._by_ending: dict[tuple[str, str], list[tuple[int, EditScript]]] = {}
        for number, script in enumerate(self.scripts):
            if script.case == CONSTANT:
                self._constants.append(number)
            else:
                self._by_ending.setdefault((script.case, script.ending), []).append((number, script))
        self._longest = max((len(ending) for _, ending in self._by_ending), default=0)

    def __call__(self, form: str) -> tuple[int, ...]:
        """Return the numbers of the scripts that can be applied to a word; all if none can."""
        found = list(self._constants)
        for case in CASES:
            word = in_case(form, case)
            if word is None:
                continue
            for length in range(min(self._longest, len(word)) + 1):
                same = self._by_ending.get((case, word[len(word) - length :]), ())
                found += [number for number, script in same if script.apply(form) is not None]
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

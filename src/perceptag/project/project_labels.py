"""The labels of a project: their names and keys, and which labels a sentence may have."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from perceptag.errors import DataError, SettingError, brief, nearest
from perceptag.labels.schemes import complaint, split_label
from perceptag.project.records import LabelEntry, checked

KINDS = ("spans", "tags")
LONGEST = 100  # characters of a name
KEYS = "123456789"


def checked_kind(kind: object) -> str:
    """Return the kind of a project; refuse any other."""
    if kind not in KINDS:
        raise SettingError(f"kind: expected {' or '.join(KINDS)}, found {brief(kind)}")
    return str(kind)


def checked_name(name: object) -> str:
    """Return the name of a label; refuse what no file could hold. Only a file may have spans without a type."""
    text = checked(name, "label", LONGEST)
    if not is_name(text):
        raise SettingError(f"label: expected a name without spaces, found {brief(name)}")
    return text


def is_name(text: str) -> bool:
    """Whether a label may be called so."""
    return 0 < len(text) <= LONGEST and text.isprintable() and " " not in text


class LabelNames:
    """The labels that annotators choose from."""

    def __init__(self, kind: str, entries: Iterable[LabelEntry] = ()) -> None:
        self.kind = kind
        self.entries = list(entries)
        self._known = {entry.name for entry in self.entries}

    def __contains__(self, name: str) -> bool:
        return name in self._known

    def new_entry(self, name: str, key: str = "") -> LabelEntry:
        """Return the next label; its key is the next free digit if none is given."""
        checked(key, "key", 20)
        taken = {entry.key for entry in self.entries}
        if key and key in taken:
            raise SettingError(f"key: expected a key that no label has, found {brief(key)}")
        return LabelEntry(name, key or next((k for k in KEYS if k not in taken), ""))

    def add(self, entry: LabelEntry) -> None:
        """Know one more."""
        self.entries.append(entry)
        self._known.add(entry.name)

    def check(self, labels: Sequence[str | None], length: int, sentence: int) -> None:
        """Refuse labels that the sentence cannot have; None is a token about which nothing is said."""
        where = f"sentence {sentence}"
        if isinstance(labels, str) or not isinstance(labels, Sequence) or len(labels) != length:
            found = len(labels) if isinstance(labels, Sequence) else brief(labels)
            raise DataError(f"labels: expected one for each of {length} tokens, found {found}", where)
        for t, label in enumerate(labels):
            if label is not None:
                self._check_name(label, f"{where}, token {t}")
        if self.kind == "spans":
            self._check_scheme(labels, where)

    def _check_name(self, label: object, where: str) -> None:
        if not isinstance(label, str):
            raise DataError(f"labels: expected a string, found {brief(label)}", where)
        if self.kind == "spans" and label == "O":
            return
        tag, name = split_label(label) if self.kind == "spans" else ("", label)
        if self.kind == "spans" and tag not in ("B", "I"):
            raise DataError(f"labels: expected O, B-… or I-…, found {brief(label)}", where)
        if name not in self._known:
            known = f"{', '.join(sorted(self._known)[:20]) or 'none so far'}{nearest(name, self._known)}"
            raise DataError(f"labels: expected a label of the project ({known}), found {brief(name)}", where)

    def _check_scheme(self, labels: Sequence[str | None], where: str) -> None:
        for t, label in enumerate(labels):
            before = labels[t - 1] if t else None
            if label is None or (t and before is None):
                continue
            if fault := complaint(before, label, "IOB2"):
                raise DataError(f"labels: expected IOB2, found a mistake: {fault}", f"{where}, token {t}")

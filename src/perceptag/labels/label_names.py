"""Names of labels that look wrong: misspelt ones, and identifiers in the column of the labels.

A name is probably misspelt if another name of the data

    differs from it only in case, hyphens, spaces or the form of its letters (`b-per`), and is at least as frequent
    is one slip away (`B-PRE`), and is 5 times as frequent if the name is seen once or twice, else 20 times

Types of spans of three letters or more are compared for slips. Tags of tokens often differ by one letter on purpose (NN
and NNS, nsubj and csubj), so only those of four letters or more are, and only if they are seen once or twice.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from perceptag.labels.label_set import labels_of
from perceptag.labels.label_spellings import note_on_spelling
from perceptag.labels.schemes import UNKNOWN, belongs, is_chunk_set, join_label, split_label
from perceptag.system.plural import plural
from perceptag.text.sentence import Sentence

RARE, OF_RARE, OF_OTHERS = 3, 5, 20  # seen less often than this; how many times as frequent the meant name must be
SHORTEST_TYPE, SHORTEST_TAG = 3, 4  # letters of names that are compared for slips
FEW, MANY, TOO_MANY = 8, 100, 2000  # labels


@dataclass(frozen=True, slots=True)
class MisspeltLabel:
    """A label whose name looks misspelt, the label that is probably meant, and where it is."""

    name: str
    count: int
    meant: str
    meant_count: int
    places: tuple[tuple[int, int], ...] = ()  # sentence and token, both from 0

    def to_dict(self) -> dict[str, Any]:
        """A dictionary for JSON."""
        return asdict(self)


def misspelt_labels(sentences: Sequence[Sentence], column: str) -> list[MisspeltLabel]:
    """Return the labels of `column` whose names are probably misspelt, in the order of their names."""
    labels = [labels_of(sentence, column) if len(sentence) else [] for sentence in sentences]
    counts = Counter(label for given in labels for label in given)
    meant = meant_names(counts)
    places: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for i, given in enumerate(labels):
        if not meant.keys().isdisjoint(given):
            for t, label in enumerate(given):
                places[label].append((i, t))
    return [
        MisspeltLabel(name, counts[name], meant[name], counts[meant[name]], tuple(places[name]))
        for name in sorted(meant)
    ]


def warnings_about(counts: Mapping[str, int]) -> list[str]:
    """Return a sentence for each label that looks wrong, or a single one if there are too many labels.

    >>> for warning in warnings_about({"O": 9000, "B-ORG": 700, "I-ORG": 300, "I--ORG": 1, "X.ORG": 2}):
    ...     print(warning)
    'I--ORG' (1 time) looks like a misspelling of 'I-ORG' (300 times)
    'X.ORG' (2 times) is neither O nor of the form B-TYPE
    """
    many = too_many_labels(counts)
    if many:
        return [many]  # thousands of warnings about single labels would bury this one
    if spelling := note_on_spelling(counts):
        return [spelling]
    meant, of_spans = meant_names(counts), is_chunk_set(counts)
    found = [_told_of_unknown(counts)] if may_be_unknown(counts) and not of_spans else []
    for label in sorted(counts):
        if label in meant:
            found.append(f"{_times(label, counts)} looks like a misspelling of {_times(meant[label], counts)}")
        elif of_spans and not belongs(label, "IOBES"):
            found.append(f"{_times(label, counts)} is neither O nor of the form B-TYPE")
    return found


def may_be_unknown(labels: Collection[str]) -> bool:
    """Return whether ``_`` is among the labels and may mean that a label is not known.

    In Universal Dependencies a word without features has ``_``, which is a label like ``Case=Nom|Number=Sing``.

    >>> may_be_unknown(["NN", "_"]), may_be_unknown(["Case=Nom", "_"])
    (True, False)
    """
    return UNKNOWN in labels and not any("=" in label or "|" in label for label in labels)


def _told_of_unknown(counts: Mapping[str, int]) -> str:
    """Say that ``_`` is learned as a label of words; among labels of spans it is refused."""
    hint = f"--set labels.missing={UNKNOWN} (labels_missing={UNKNOWN!r}) if it means that the label is not known"
    return f"warning: {_times(UNKNOWN, counts)} is learned as a label; {hint}"


def _times(label: str, counts: Mapping[str, int]) -> str:
    count = counts.get(label, 0)
    return f"{label!r} ({plural(count, 'time')})"


def too_many_labels(counts: Mapping[str, int]) -> str:
    """Return a warning about many labels, most of which occur once; in fine-grained morphology fewer than half do."""
    once = sum(n == 1 for n in counts.values())
    many = f"{len(counts)} different labels"
    if len(counts) > MANY and 2 * once > len(counts):
        return f"{many}, {once} of them seen once: does the label column contain identifiers?"
    if len(counts) > TOO_MANY:
        return f"{many}: time and memory of training grow with their square"
    return ""


def swapped(sentences: Sequence[Sentence], column: str) -> str:
    """Return a warning if words and labels seem to be swapped: many more labels than words; else an empty string."""
    words = {word for sentence in sentences for word in sentence.columns.get("form", ())}
    labels = {label for sentence in sentences for label in sentence.columns[column]}
    if not words or len(labels) <= max(2 * len(words), FEW):
        return ""
    found = f"{len(labels)} different labels, {len(words)} different words"
    return f"{found}: are words and labels swapped? fit(words, labels)"


# --- the rule ---


def meant_names(counts: Mapping[str, int]) -> dict[str, str]:
    """Return for each label that is probably misspelt the label that is meant."""
    if not is_chunk_set(counts):
        tags = _Names(counts, SHORTEST_TAG, only_rare=True)
        return {name: twin for name in counts if (twin := tags.twin(name))}
    by_type: Counter[str] = Counter()
    for label, n in counts.items():
        by_type[split_label(label)[1]] += n
    types, labels = _Names(by_type, SHORTEST_TYPE), _Names(counts, 0)
    found: dict[str, str] = {}
    for label in counts:
        tag, kind = split_label(label)
        is_tag = belongs(label, "IOBES")
        if kind and (twin := types.twin(kind)):
            found[label] = join_label(tag if is_tag else tag.upper(), twin)
        elif not is_tag and (twin := labels.twin(label)):
            found[label] = twin
    return found


class _Names:
    """Names with their frequencies, in which the twin of a misspelt one is looked for."""

    def __init__(self, counts: Mapping[str, int], shortest: int, only_rare: bool = False) -> None:
        self.counts = {name: counts[name] for name in sorted(counts, key=lambda name: (-counts[name], name))}
        self.shortest = shortest  # name that is compared for slips
        self.only_rare = only_rare  # names are
        self.by_form: dict[str, str] = {}  # the most frequent name of each form
        for name in self.counts:
            self.by_form.setdefault(_form(name), name)

    def twin(self, name: str) -> str:
        """Return the name that is meant, or an empty string."""
        alike = self.by_form[_form(name)]
        if alike != name and _form(name):
            return alike
        count = self.counts[name]
        is_rare = count < RARE
        if self.only_rare and not is_rare:
            return ""
        for other, times in self.counts.items():
            if times < (OF_RARE if is_rare else OF_OTHERS) * count:
                break
            if min(len(name), len(other)) >= self.shortest and one_slip(name, other):
                return other
        return ""


def _form(name: str) -> str:
    return re.sub(r"[-_\s]", "", unicodedata.normalize("NFKC", name)).casefold()


def one_slip(a: str, b: str) -> bool:
    """Return whether one letter was added, left out or replaced, or two neighbours were swapped.

    Digits tell names apart on purpose, so replacing one by another does not count.

    >>> one_slip("PRE", "PER"), one_slip("PERS", "PER"), one_slip("ORG", "PER"), one_slip("Person=1", "Person=2")
    (True, True, False, False)
    """
    if a == b or abs(len(a) - len(b)) > 1:
        return False
    i = next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
    if a[i : i + 1].isdigit() and b[i : i + 1].isdigit():
        return False
    swapped = a[i : i + 2] == b[i : i + 2][::-1] and a[i + 2 :] == b[i + 2 :]
    return swapped or a[i + 1 :] == b[i + 1 :] or a[i:] == b[i + 1 :] or a[i + 1 :] == b[i:]

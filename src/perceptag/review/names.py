"""Names of labels that are probably misspelt: very rare, and nearly the same as a frequent one (`B-PRE`, `b-per`)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from perceptag.labels.label_set import labels_of
from perceptag.labels.schemes import belongs, is_chunk_set, join_label, split_label
from perceptag.text.sentence import Sentence

RARE = 3  # a misspelt name is seen less often than this
TIMES = 5  # the name that is meant is seen this many times as often, or more
# Parts of speech often differ by one letter (NN, NNS), so only longer names are compared letter by letter.
SHORTEST_TYPE, SHORTEST_TAG = 3, 4


@dataclass(frozen=True, slots=True)
class MisspeltLabel:
    """A label whose name looks misspelt, the label that is probably meant, and where it is."""

    name: str
    count: int
    meant: str
    meant_count: int
    places: tuple[tuple[int, int], ...]  # sentence and token, both from 0

    def to_dict(self) -> dict[str, Any]:
        """A dictionary for JSON."""
        return asdict(self)


def misspelt_labels(sentences: Sequence[Sentence], column: str) -> list[MisspeltLabel]:
    """Return the labels of `column` whose names are probably misspelt, in the order of their names."""
    labels = [labels_of(sentence, column) for sentence in sentences if len(sentence)]
    counts = Counter(label for given in labels for label in given)
    meant = _meant_chunks(counts) if is_chunk_set(counts) else _meant_tags(counts)
    found = []
    for name in sorted(meant):
        places = tuple((i, t) for i, s in enumerate(sentences) for t in _where(s, column, name))
        found.append(MisspeltLabel(name, counts[name], meant[name], counts[meant[name]], places))
    return found


def _where(sentence: Sentence, column: str, name: str) -> list[int]:
    return [t for t, label in enumerate(sentence.columns[column]) if label == name] if len(sentence) else []


def _meant_tags(counts: Counter[str]) -> dict[str, str]:
    """Return what is probably meant by labels that do not mark spans."""
    twins = {name: _twin(name, counts, SHORTEST_TAG) for name in counts}
    return {name: twin for name, twin in twins.items() if twin}


def _meant_chunks(counts: Counter[str]) -> dict[str, str]:
    """Return what is probably meant by labels of spans: another type, another tag, or O."""
    types: Counter[str] = Counter()
    for label, n in counts.items():
        types[split_label(label)[1]] += n
    found: dict[str, str] = {}
    for label in counts:
        tag, kind = split_label(label)
        is_tag = belongs(label, "IOBES")
        twin = _twin(kind, types, SHORTEST_TYPE) if kind else ""
        if twin:
            found[label] = join_label(tag if is_tag else tag.upper(), twin)
        elif not is_tag and (other := _twin(label, counts, 0)):
            found[label] = other
    return found


def _twin(name: str, counts: Counter[str], shortest: int) -> str:
    """Return the most frequent name that `name`, which is rare, is probably a misspelling of, or an empty string."""
    if counts[name] >= RARE:
        return ""
    for other, times in counts.most_common():
        if times < TIMES * counts[name]:
            break
        near = min(len(name), len(other)) >= shortest and one_slip(name, other)
        if other != name and (near or name.casefold() == other.casefold()):
            return other
    return ""


def one_slip(a: str, b: str) -> bool:
    """Return whether one letter was added, left out or replaced, or two neighbours were swapped.

    >>> one_slip("PRE", "PER"), one_slip("PERS", "PER"), one_slip("ORG", "PER")
    (True, True, False)
    """
    if a == b or abs(len(a) - len(b)) > 1:
        return False
    i = next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
    swapped = a[i : i + 2] == b[i : i + 2][::-1] and a[i + 2 :] == b[i + 2 :]
    return swapped or a[i + 1 :] == b[i + 1 :] or a[i:] == b[i + 1 :] or a[i + 1 :] == b[i:]

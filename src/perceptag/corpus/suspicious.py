"""Labels that look wrong: misspelled ones, and identifiers in place of labels."""

from __future__ import annotations

import re
from collections.abc import Mapping

from perceptag.labels.schemes import belongs, is_chunk_set, split_label


def suspicious_labels(counts: Mapping[str, int]) -> list[str]:
    """Return a sentence for each label that looks misspelled, or one if the labels look like identifiers.

    >>> for warning in suspicious_labels({"O": 9000, "B-ORG": 700, "I-ORG": 300, "I--ORG": 1, "OO": 2}):
    ...     print(warning)
    'I--ORG' (1 time) looks like a misspelling of 'I-ORG' (300 times)
    'OO' (2 times) is neither O nor of the form B-TYPE
    """
    many = _identifiers(counts)
    if many:
        return many  # thousands of warnings about single labels would bury this one
    chunks = is_chunk_set(counts)
    frequent = {y: counts[y] for y in sorted(counts, key=lambda y: (-counts[y], y))}
    folded = {label: _folded(label) for label in counts}
    found: list[str] = []
    for label in sorted(counts):
        twin = _twin(label, frequent, folded, chunks)
        if twin:
            found.append(f"{_times(label, counts)} looks like a misspelling of {_times(twin, counts)}")
        elif chunks and not belongs(label, "IOBES"):
            found.append(f"{_times(label, counts)} is neither O nor of the form B-TYPE")
    return found


def _times(label: str, counts: Mapping[str, int]) -> str:
    return f"{label!r} ({counts[label]} time{'' if counts[label] == 1 else 's'})"


def _identifiers(counts: Mapping[str, int]) -> list[str]:
    """Warn about many labels if most of them occur once. In fine-grained morphology fewer than half do."""
    once = sum(n == 1 for n in counts.values())
    many = f"{len(counts)} different labels"
    if len(counts) > 100 and 2 * once > len(counts):
        return [f"{many}, {once} of them seen once: does the label column contain identifiers?"]
    if len(counts) > 2000:
        return [f"{many}: time and memory of training grow with their square"]
    return []


def _twin(label: str, counts: Mapping[str, int], folded: Mapping[str, str], chunks: bool) -> str:
    """Return the most frequent label, 20 times as frequent or more, that `label` seems to mean."""
    tag, kind = split_label(label)
    for other, times in counts.items():
        if times < 20 * counts[label]:
            break
        if folded[label] == folded[other]:
            return other
        # Parts of speech often differ by one letter (NN, NNS); types of chunks rarely do.
        tag1, kind1 = split_label(other) if chunks else ("", "")
        if chunks and tag == tag1 and min(len(kind), len(kind1)) >= 3 and _one_edit(kind, kind1):
            return other
    return ""


def _folded(label: str) -> str:
    return re.sub(r"[-_\s]+", "-", label).strip("-").casefold()


def _one_edit(a: str, b: str) -> bool:
    """Return whether one insertion, deletion or replacement turns `a` into `b`."""
    if abs(len(a) - len(b)) > 1:
        return False
    i = next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
    return a != b and (a[i + 1 :] == b[i + 1 :] or a[i:] == b[i + 1 :] or a[i + 1 :] == b[i:])

"""Rules of the schemes as arrays: which labels may follow each other, and where chunks begin.

A rule depends on the two tags, on whether they have types, and on whether the types are the same. Pairs that agree in
this are alike, so a few dozen examples represent all pairs of a large label set.
"""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import product
from typing import TYPE_CHECKING, cast

from perceptag.arrays import Ints, np
from perceptag.labels.schemes import check_scheme, complaint, join_label, spans, split_label
from perceptag.system.memory import require

if TYPE_CHECKING:
    import numpy.typing as npt

BYTES_OF_A_PAIR = 50  # its key, the space for sorting the keys, and the number of its group


def transition_mask(labels: Sequence[str], scheme: str) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.bool_]]:
    """Return allowed[previous, y]: bool[L+1, L] (row L is the start of the sentence) and may_end: bool[L].

    The labellings that pass are exactly those without `violations`; with the scheme ``none`` all pass. A label
    set may allow no labelling of some lengths (B-X and E-X alone allow none of one token): a decoder must
    expect that.
    """
    L = len(labels)
    if check_scheme(scheme, "none") == "none":
        return np.ones((L + 1, L), np.bool_), np.ones(L, np.bool_)
    groups, examples = alike_pairs(labels)
    allowed = np.array([not complaint(previous, y, scheme) for previous, y in examples], np.bool_)
    may_end = [not complaint(y, None, scheme) for y in labels]
    return allowed[groups], np.array(may_end, np.bool_)


def alike_pairs(labels: Sequence[str]) -> tuple[npt.NDArray[np.intp], list[tuple[str | None, str]]]:
    """Return group[previous, y]: intp[L+1, L] (row L is the start of the sentence) and one pair of each group.

    >>> alike_pairs(["B-X", "B-Y"])[1]
    [('B-X', 'B-Y'), ('B-X', 'B-X'), (None, 'B-X')]
    """
    L = len(labels)
    require(L * (L + 1) * BYTES_OF_A_PAIR, f"pairs of {L} labels")
    parts = [split_label(y) for y in labels]
    (_, tag), (_, kind) = numbered(tag + "-" * bool(kind) for tag, kind in parts), numbered(kind for _, kind in parts)
    tag_before, kind_before = np.append(tag, L), np.append(kind, -1)
    key = (tag_before[:, None] * L + tag) * 2 + (kind_before[:, None] == kind)
    _, first, groups = np.unique(key, return_index=True, return_inverse=True)
    befores = (*labels, None)
    return groups.reshape(key.shape), [(befores[i // L], labels[i % L]) for i in first.tolist()]


def chunk_pairs(labels: Sequence[str], scheme: str) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.bool_]]:
    """Return whether a chunk begins at the second label of a pair, and whether one chunk has both: bool[L+1, L]."""
    groups, examples = alike_pairs(labels)
    found = [spans([y] if previous is None else [previous, y], scheme) for previous, y in examples]
    last = [0 if previous is None else 1 for previous, _ in examples]
    begins = [any(span.start == t for span in some) for some, t in zip(found, last, strict=True)]
    joined = [any(span.end - span.start == 2 for span in some) for some in found]
    return np.array(begins, np.bool_)[groups], np.array(joined, np.bool_)[groups]


def numbered(values: Iterable[str]) -> tuple[list[str], npt.NDArray[np.intp]]:
    """Return the distinct values, and for each given value its number among them."""
    numbers: dict[str, int] = {}
    ids = [numbers.setdefault(value, len(numbers)) for value in values]
    return list(numbers), np.array(ids, np.intp)


def paired_labels(labels: Sequence[str], convert: Callable[[Sequence[str]], list[str]]) -> tuple[list[str], Ints]:
    """Return the labels that `convert` gives, and int32[L + 1, L]: which of them the second label of a pair gets.

    Row L is for a label at the start. A label keeps its type, so alike pairs get the same tag.

    >>> names, table = paired_labels(["O", "S-X"], lambda labels: [label.replace("S", "B") for label in labels])
    >>> names, table.tolist()
    (['O', 'B-X'], [[0, 1], [0, 1], [0, 1]])
    """
    parts = [split_label(label) for label in labels]
    forms = [tag + "-" * bool(kind) for tag, kind in parts]
    of_form: dict[str, dict[str, str]] = defaultdict(dict)  # the labels of a form, by type
    of_kind: dict[str, list[int]] = defaultdict(list)
    for y, (form, (_, kind)) in enumerate(zip(forms, parts, strict=True)):
        of_form[form][kind] = labels[y]
        of_kind[kind].append(y)
    tags: dict[tuple[str | None, str, bool], str] = {}  # by the forms of a pair, and whether it has one type
    for before, form in product([*of_form, None], [*of_form]):
        for is_same in (False, True):
            if pair := _example(of_form, before, form, is_same):
                tags[before, form, is_same] = split_label(convert(pair)[-1])[0]
    rank = {tag: n for n, tag in enumerate(dict.fromkeys(tags.values()))}
    kinds = {kind: n for n, kind in enumerate(of_kind)}

    def number(before: str | None, y: int, is_same: bool) -> int:
        tag = tags.get((before, forms[y], is_same))
        return -1 if tag is None else rank[tag] * len(kinds) + kinds[parts[y][1]]

    starts: list[str | None] = [*of_form, None]
    of_others = {form: [number(form, y, False) for y in range(len(labels))] for form in starts}
    of_same = [[number(form, y, True) for y in of_kind[kind]] for form, (_, kind) in zip(forms, parts, strict=True)]
    used = {n for own in of_same for n in own} | {
        n
        for form, row in of_others.items()
        for y, n in enumerate(row)
        if form is None or of_form[form].keys() != {parts[y][1]}
    }
    ranked = {n: place for place, n in enumerate(sorted(used - {-1}))}
    rows = {form: array("i", [ranked.get(n, 0) for n in row]) for form, row in of_others.items()}
    table = array("i")
    for form, (_, kind), own in zip(forms, parts, of_same, strict=True):
        row = rows[form][:]
        for y, n in zip(of_kind[kind], own, strict=True):
            row[y] = ranked[n]
        table += row
    table += rows[None]
    all_tags, all_kinds = [*rank], [*kinds]
    names = [join_label(all_tags[n // len(kinds)], all_kinds[n % len(kinds)]) for n in ranked]
    shaped = memoryview(table).cast("B").cast("i", (len(labels) + 1, len(labels)))
    return names, cast("Ints", shaped)


def _example(
    of_form: Mapping[str, Mapping[str, str]], before: str | None, form: str, is_same: bool
) -> list[str] | None:
    """Return a pair of labels of these forms, of one type or of two; None if there is none."""
    own = of_form[form]
    if before is None:
        return None if is_same else [next(iter(own.values()))]
    for kind, previous in of_form[before].items():
        for other, label in own.items():
            if (kind == other) == is_same:
                return [previous, label]
    return None


def mask_of(labels: Sequence[str], scheme: str) -> tuple[array[int], array[int]]:
    """Return allowed[previous, y], flat, whose last row is for the start of the sentence, and may_end[y].

    A row depends on the tag before. Only labels of the same type as the label before are judged again.

    >>> [each.tolist() for each in mask_of(["B-X", "E-X"], "IOBES")]
    [[0, 1, 1, 0, 1, 0], [0, 1]]
    """
    if check_scheme(scheme, "none") == "none":
        return array("B", [1] * (len(labels) + 1) * len(labels)), array("B", [1] * len(labels))
    parts = [split_label(label) for label in labels]
    of_kind: dict[str, list[int]] = defaultdict(list)
    for y, (_, kind) in enumerate(parts):
        of_kind[kind].append(y)
    another = "-".join(of_kind) + "-"  # a type that no label has
    rows: dict[tuple[str, bool], array[int]] = {}
    allowed = array("B")
    for previous, (tag, kind) in zip(labels, parts, strict=True):
        key = tag, bool(kind)
        if key not in rows:
            rows[key] = _row(join_label(tag, another) if kind else previous, labels, scheme)
        row = rows[key][:]
        for y in of_kind[kind]:
            row[y] = not complaint(previous, labels[y], scheme)
        allowed += row
    allowed += _row(None, labels, scheme)
    return allowed, array("B", [not complaint(y, None, scheme) for y in labels])


def _row(previous: str | None, labels: Sequence[str], scheme: str) -> array[int]:
    return array("B", [not complaint(previous, y, scheme) for y in labels])

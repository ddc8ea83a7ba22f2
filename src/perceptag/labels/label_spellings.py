"""Labels of spans in other spellings than ``B-PER``: ``B_PER``, ``B:PER``, ``b-per``, ``PER-B`` and ``PER``.

Such labels are read as labels of single tokens, since any string may be a label. Somebody who has spans should know it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from perceptag.labels.schemes import is_chunk_set

_BEFORE = re.compile(r"([BIESLUMWbieslumw])[-_:/.|]([^\W_].*)")  # B_PER
_BEHIND = re.compile(r"(.*[^\W_])[-_:/.|]([BIESLUMW])")  # PER-B
_NAME = re.compile(r"[^\W\d_][\w-]+")  # PER, but not a punctuation mark, as some tags of words are
_OUTSIDE = {"o", "0", "out", "outside", "other", "none", "null", "nan"}  # what stands for O, in any case


def usual_spellings(counts: Mapping[str, int]) -> dict[str, str]:
    """Return the usual spelling of each label if all of them are labels of spans in another spelling, else nothing.

    Types without ``B-`` and ``I-`` are such labels if more than half of the tokens are ``O``, which is no tag of words,
    and all other labels are names. They are spelt as in IOB1, since nothing says where touching spans begin.

    >>> usual_spellings({"O": 7, "B_PER": 1, "I_PER": 1})
    {'O': 'O', 'B_PER': 'B-PER', 'I_PER': 'I-PER'}
    >>> usual_spellings({"o": 5, "PER-B": 1}), usual_spellings({"0": 5, "B-PER": 1})
    ({'o': 'O', 'PER-B': 'B-PER'}, {'0': 'O', 'B-PER': 'B-PER'})
    >>> usual_spellings({"O": 3, "PER": 2})
    {'O': 'O', 'PER': 'I-PER'}
    >>> usual_spellings({"O": 5, "B-PER": 1}), usual_spellings({"O": 5, "B_PER": 1, "NN": 1})
    ({}, {})
    >>> usual_spellings({"O": 5, "0": 1, "B-PER": 1, "I-PER": 1}), usual_spellings({"O": 3, "NN": 3})
    ({}, {})
    """
    outside = {label for label in counts if label.lower() in (("o",) if "O" in counts else _OUTSIDE)}
    if not counts or (is_chunk_set(dict.fromkeys(counts, 1)) and outside <= {"O"}):
        return {}
    marked = counts.keys() - outside
    for pattern, tag, kind in ((_BEFORE, 1, 2), (_BEHIND, 2, 1)):
        found = {label: pattern.fullmatch(label) for label in counts if label in marked}
        usual = {label: f"{match[tag].upper()}-{match[kind]}" for label, match in found.items() if match}
        if usual and len(usual) == len(found) and any(label[0] in "BSUW" for label in usual.values()):
            return {label: usual.get(label, "O") for label in counts}
        if usual:
            return {}
    is_mostly_outside = 2 * counts.get("O", 0) > sum(counts.values())
    if is_mostly_outside and marked and all(map(_NAME.fullmatch, marked)):
        return {label: f"I-{label}" if label in marked else "O" for label in counts}
    return {}


def note_on_spelling(counts: Mapping[str, int]) -> str:
    """Say that labels are in another spelling, and what rewrites them; an empty string if they are not."""
    usual = usual_spellings(counts)
    first = next((label for label in sorted(usual) if usual[label] not in ("O", label)), "")
    if not first:
        outside = next((label for label in sorted(usual) if usual[label] != label), "")
        told = f"the label {outside!r} seems to stand for tokens outside of spans, but only 'O' does"
        return f"{told}; 'perceptag convert FILE OUT --iob' writes it so" if outside else ""
    expected = f"'B-{first}' and 'I-{first}'" if usual[first] == f"I-{first}" else repr(usual[first])
    return (
        f"labels such as {first!r} seem to mark spans, but are read as labels of single tokens: expected "
        f"{expected}; 'perceptag convert FILE OUT --iob' writes them so"
    )

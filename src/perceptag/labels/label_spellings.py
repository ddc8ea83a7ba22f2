"""Labels of spans in other spellings than ``B-PER``: ``B_PER``, ``B:PER``, ``b-per``, ``PER-B``, and than ``O``: ``0``.

Such labels are read as labels of single tokens, since any string may be a label. Somebody who has spans should know it.
"""

from __future__ import annotations

import re
from collections.abc import Collection

from perceptag.labels.schemes import is_chunk_set

_BEFORE = re.compile(r"([BIESLUMWbieslumw])[-_:/.|]([^\W_].*)")  # B_PER
_BEHIND = re.compile(r"(.*[^\W_])[-_:/.|]([BIESLUMW])")  # PER-B
_OUTSIDE = {"o", "0", "out", "outside", "other", "none", "null", "nan"}  # what stands for O, in any case


def usual_spellings(labels: Collection[str]) -> dict[str, str]:
    """Return the usual spelling of each label if all of them are labels of spans in another spelling, else nothing.

    >>> usual_spellings(["O", "B_PER", "I_PER"])
    {'O': 'O', 'B_PER': 'B-PER', 'I_PER': 'I-PER'}
    >>> usual_spellings(["o", "PER-B"]), usual_spellings(["O", "B-PER"]), usual_spellings(["O", "B_PER", "NN"])
    ({'o': 'O', 'PER-B': 'B-PER'}, {}, {})
    >>> usual_spellings(["0", "B-PER"]), usual_spellings(["O", "0", "B-PER", "I-PER"])
    ({'0': 'O', 'B-PER': 'B-PER'}, {})
    """
    outside = {label for label in labels if label.lower() in (("o",) if "O" in labels else _OUTSIDE)}
    if not labels or (is_chunk_set(dict.fromkeys(labels, 1)) and outside <= {"O"}):
        return {}
    for pattern, tag, kind in ((_BEFORE, 1, 2), (_BEHIND, 2, 1)):
        found = {label: pattern.fullmatch(label) for label in labels if label not in outside}
        usual = {label: f"{match[tag].upper()}-{match[kind]}" for label, match in found.items() if match}
        if usual and len(usual) == len(found) and any(label[0] in "BSUW" for label in usual.values()):
            return {label: usual.get(label, "O") for label in labels}
    return {}


def note_on_spelling(labels: Collection[str]) -> str:
    """Say that labels are in another spelling, and what rewrites them; an empty string if they are not."""
    usual = usual_spellings(labels)
    first = next((label for label in sorted(usual) if usual[label] not in ("O", label)), "")
    if not first:
        outside = next((label for label in sorted(usual) if usual[label] != label), "")
        told = f"the label {outside!r} seems to stand for tokens outside of spans, but only 'O' does"
        return f"{told}; 'perceptag convert FILE OUT --iob' writes it so" if outside else ""
    return (
        f"labels such as {first!r} seem to mark spans, but are read as labels of single tokens: expected "
        f"{usual[first]!r}; 'perceptag convert FILE OUT --iob' writes them so"
    )
